import { DateTime, Effect } from "effect"
import type { ImportPlan } from "../import/ImportPlan.ts"
import type { AdapterError } from "../source/Adapter.ts"
import type { PulledRun } from "../submission/LiveSourceState.ts"
import { type FileRecord, NotTakenFinding } from "../submission/KeptImport.ts"
import { nameOf, type RefusedGiven, type RefusedNote } from "../submission/ledger/RefusedDocument.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

export const unnamed = "documents"

const fileName = (path: string): string => path.replace(/^.*[\\/]/, "")

const nameOfFile = (path: string): string => `file ${fileName(path)}`

/**
 * Records files that were refused whole where no operator is present. The next accepted file of
 * that name ends it. `records`: content of the files. A file without a record is a new one.
 */
export const files = <E, R>(
  account: string,
  { adapter, reason }: AdapterError,
  paths: ReadonlyArray<string>,
  records: Effect.Effect<ReadonlyArray<FileRecord>, E, R>
) =>
  Effect.gen(function* () {
    const { refused } = yield* SubmissionStore
    const now = yield* DateTime.now
    const known = yield* Effect.orElseSucceed(records, (): ReadonlyArray<FileRecord> => [])
    const digests = new Map(known.map(({ name, sha256 }) => [fileName(name), sha256]))
    const given = ("file" in reason ? [reason.file] : paths).map((path): RefusedGiven => ({
      name: nameOfFile(path),
      kind: null,
      number: fileName(path),
      day: null,
      original: null,
      content: digests.get(fileName(path)) ?? DateTime.formatIso(now),
      codes: [NotTakenFinding.FILE_REFUSED.code],
      dated: "as-before"
    }))
    yield* refused.note({ account, origin: adapter, refused: given, ended: [] })
  })

/** Ends the refusal of files that a program has handed over again. */
export const accepted = (account: string, paths: ReadonlyArray<string>) =>
  SubmissionStore.use(({ refused }) =>
    refused.note({ account, origin: unnamed, refused: [], ended: paths.map(nameOfFile) })
  )

export const of = (plan: ImportPlan, origin: string, accepted: ReadonlyArray<string>, pulled?: PulledRun) =>
  Effect.gen(function* () {
    const { account } = plan.destination
    const given = yield* plan.given
    const names = new Set(given.map(({ name }) => name))
    // a record of the source that the adapter returned no result for
    const unread = (pulled?.documents ?? []).flatMap(({ codes, id, kind, modified, number, standing }) => {
      const name = nameOf({ id, kind, number })
      if (standing !== "refused" || names.has(name)) return []
      const shown = { name, kind, number: number || id, day: null, original: null, content: String(modified) }
      return [{ ...shown, codes, dated: "as-before" as const }]
    })
    const gone = (pulled?.documents ?? []).flatMap((one) => (one.standing === "gone" ? [nameOf(one)] : []))
    const before = new Set(plan.remembered.map(({ name }) => name))
    const ended = [...(yield* plan.accountedFor(before)), ...gone, ...accepted.map(nameOfFile)]
    return { account, origin, refused: [...given, ...unread], ended } satisfies RefusedNote
  })

/** Records the refused documents of a plan that is not sent. Ends nothing, and moves no mark. */
export const stopped = (plan: ImportPlan, origin: string) =>
  Effect.gen(function* () {
    const { refused } = yield* SubmissionStore
    const given = (yield* plan.given).map((one) => ({ ...one, dated: "as-before" as const }))
    yield* refused.note({ account: plan.destination.account, origin, refused: given, ended: [] })
  })

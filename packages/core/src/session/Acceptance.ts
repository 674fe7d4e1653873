/**
 * What was consented to becomes a durable job: everything is kept in the store first, accepted in one commit, and handed over from there, by this
 * process or by whichever comes next. Before that commit nothing was accepted; after it everything is sent.
 */
import type { ImportEntry } from "../import/ImportEntry.ts"
import { DateTime, Effect, Option, Stream } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import * as HandingOver from "../engine/HandingOver.ts"
import * as ImportedDocument from "../import/ImportedDocument.ts"
import * as ImportMemory from "../import/ImportMemory.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import type * as ImportRecord from "../import/ImportRecord.ts"
import * as TaxShares from "../import/TaxShares.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import { notTakenBecause } from "../submission/KeptImport.ts"
import type { PulledRun } from "../submission/LiveSourceState.ts"
import type { PlanResult } from "../submission/PlanResult.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as Consent from "./Consent.ts"
import * as Facts from "./Facts.ts"
import * as Opening from "./Opening.ts"

/** An accepted plan. */
export interface Accepted {
  /** Under what the store remembers the import; null where it was not asked to. */
  readonly import: number | null
  /** How many are Planned and go now. */
  readonly planned: number
  /** Documents that differ from what was sent, by `kind id`, with what the store says of each. */
  readonly conflicts: ReadonlyMap<string, string>
  /** Documents that the store did not take, by `kind id`, with the reason; nothing of them is sent. */
  readonly refused: ReadonlyMap<string, string>
  /**
   * Earlier imports of which something waited when the account was opened, or since: it was handed over first. One of the same files is this import,
   * too: `import` is its id, and no second one is kept.
   */
  readonly joined: ReadonlyArray<number>
}

/** The key of `Accepted.conflicts`. */
export const nameOf = ({ id, kind }: { readonly kind: DocumentKind; readonly id: string }): string => `${kind} ${id}`

/** How many documents one transaction keeps, and later hands over. */
const perPage = 200

/** The documents as they are shown at any later time; answers with how many there are. */
const remember = (store: SubmissionStoreOperations, id: number, plan: ImportPlan) =>
  Effect.gen(function* () {
    const percents = TaxShares.percentsOf(plan.book)
    const counts = { documents: 0, refused: 0, skipped: 0 }
    const keep = Effect.fnUntraced(function* (entries: ReadonlyArray<ImportEntry>) {
      const { account } = plan.destination
      const known = entries.filter(ImportedDocument.isSentBefore)
      const sent = yield* store.sent(
        known.map(({ source: { id, kind, number } }) => ({ account, kind, id: id || number }))
      )
      const documents = entries.map((entry) => ImportMemory.ofEntry(entry, percents, sent))
      counts.documents += documents.length
      counts.refused += documents.filter(({ is }) => is === "Refused").length
      yield* store.keepPage({ import: id, documents })
    })
    yield* Stream.runForEach(Stream.grouped(plan.entries, perPage), keep)
    yield* Stream.runForEach(Stream.grouped(plan.skipped, perPage), (skipped) => {
      counts.documents += skipped.length
      counts.skipped += skipped.length
      return store.keepPage({ import: id, documents: skipped.map(ImportMemory.ofSkipped) })
    })
    if (plan.unattached.length > 0)
      yield* store.keepPage({ import: id, documents: plan.unattached.map(ImportMemory.ofStray) })
    return counts
  })

/** An import that nobody wants to see again is in the store only as long as something of it waits. */
const unnamed = (plan: ImportPlan) =>
  Effect.map(DateTime.now, (now): ImportRecord.ImportRecord => {
    const { account, environment, lane, taxpayer } = plan.destination
    return {
      at: DateTime.setZone(now, plan.book.zone),
      destination: { account, environment, lane, taxpayer },
      adapter: "documents",
      files: [],
      book: null,
      settings: {}
    }
  })

/** Keeps everything and accepts it, with what a run of a source has read for it; undefined where nothing is to be handed over or remembered. */
const kept = (
  plan: ImportPlan,
  made: ImportRecord.ImportRecord | undefined,
  pulled: PulledRun | undefined
): Effect.Effect<number | undefined, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    let id = made === undefined ? undefined : yield* store.beginImport(made, "kept")
    const counts =
      id === undefined ? { documents: plan.documents, refused: 0, skipped: 0 } : yield* remember(store, id, plan)
    yield* Stream.runForEach(Stream.grouped(plan.line, perPage), (documents) =>
      Effect.gen(function* () {
        id ??= yield* store.beginImport(yield* unnamed(plan), "until-handed-over")
        yield* store.keepRest(id, documents)
      })
    )
    // before the commit that accepts: whoever is killed here has noted what is true all the same
    yield* Stream.runForEach(Stream.grouped(plan.notices, perPage), store.noteSource)
    if (id !== undefined) yield* store.acceptImport(id, counts, pulled)
    else if (pulled !== undefined) yield* store.liveSources.record(pulled)
    return id
  })

/** What the store said of single documents. */
const verdicts = (problems: ReadonlyArray<PlanResult>): Pick<Accepted, "conflicts" | "refused"> => ({
  conflicts: new Map(
    problems.flatMap(({ key, verdict }) =>
      verdict._tag === "Conflict" ? [[nameOf(key), verdict.because] as const] : []
    )
  ),
  refused: new Map(
    problems.flatMap((result) =>
      result.verdict._tag === "Conflict" ? [] : [[nameOf(result.key), notTakenBecause(result.verdict) ?? ""] as const]
    )
  )
})

/** What makes two imports the same: files, book and answers alike, whatever the files are called. */
const sameness = ({ adapter, book, files, settings }: ImportRecord.ImportRecord): string =>
  JSON.stringify([
    adapter,
    book?.sha256,
    files.map(({ sha256 }) => sha256).toSorted(),
    Object.entries(settings).toSorted()
  ])

/** The one of the imports that is made of the same; undefined where none is. */
const sameOf = (made: ImportRecord.ImportRecord, imports: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    for (const id of imports.toReversed()) {
      const found = yield* store.importOf(id)
      if (Option.isSome(found) && sameness(found.value) === sameness(made)) return id
    }
    return undefined
  })

/** Accepts a plan that has no consent: for tests of the store and of planning. `joined`: imports that were handed over before it was planned. */
export const acceptPlan = (
  plan: ImportPlan,
  made?: ImportRecord.ImportRecord,
  joined: ReadonlyArray<number> = [],
  pulled?: PulledRun
): Effect.Effect<Accepted, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const { account } = plan.destination
    // what was accepted first is handed over first, and is never planned by another book
    const earlier = yield* HandingOver.all(store, [account])
    const before = [...new Set([...joined, ...earlier.imports])]
    const same = made === undefined ? undefined : yield* sameOf(made, before)
    const id =
      same === undefined ? yield* kept(plan, made, pulled) : yield* Effect.as(kept(plan, undefined, pulled), same)
    const handed = yield* HandingOver.all(store, [account])
    const own = verdicts(handed.problems)
    return {
      import: made === undefined ? null : (id ?? null),
      planned: handed.planned,
      ...own,
      joined: before
    }
  })

/**
 * Accepts a plan by the consent to it; with `made`, the store remembers the import, whose documents can be shown at any later time. Accepting the
 * same plan again changes nothing. `pulled`: what a run of a source has read for it, written in the same commit.
 */
export const accept = (
  consent: Consent.Consent,
  made?: ImportRecord.ImportRecord,
  pulled?: PulledRun
): Effect.Effect<Accepted, StoreError, SubmissionStore> => {
  const { account, planned } = Consent.insideOf(consent)
  return Effect.tap(acceptPlan(planned.plan, made, Opening.takeHandedOver(account)?.imports, pulled), () =>
    Effect.flatMap(SubmissionStore, (store) => Facts.back(store, planned.plan.destination.account, planned.device))
  )
}

/**
 * A consented plan as a durable job: all documents are first kept in the store, then accepted in
 * one commit, then handed over to their lanes by this process or the next one. Before the commit
 * nothing is accepted; after it everything is sent, also if this process dies.
 */
import type { ImportEntry } from "../import/ImportEntry.ts"
import { DateTime, Effect, Option, Stream } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import * as HandingOver from "../sending/HandingOver.ts"
import * as ImportedDocument from "../import/ImportedDocument.ts"
import * as ImportMemory from "../import/ImportMemory.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import type * as ImportRecord from "../import/ImportRecord.ts"
import * as TaxShares from "../import/TaxShares.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { notTakenBecause } from "../submission/KeptImport.ts"
import type { PulledRun } from "../submission/LiveSourceState.ts"
import type { PlanResult } from "../submission/PlanResult.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as Consent from "./Consent.ts"
import * as Facts from "./Facts.ts"
import * as RefusedNotes from "./RefusedNotes.ts"
import * as Opening from "./Opening.ts"

/** An accepted plan. */
export interface Accepted {
  /**
   * Id of the import in the store. Null if the caller did not ask the store to remember the import.
   */
  readonly import: number | null
  readonly planned: number
  /** Documents that differ from what was already sent, by `kind id`, with the store's reason. */
  readonly conflicts: ReadonlyMap<string, string>
  /**
   * Documents that the store did not take, by `kind id`, with the reason. Nothing of these
   * documents is sent.
   */
  readonly refused: ReadonlyMap<string, string>
  /**
   * Earlier imports with waiting documents, found when the account was opened or since then. Their
   * documents were handed over first. If an earlier import has the same content as this import,
   * `import` is the earlier import's id and no second import is kept.
   */
  readonly joined: ReadonlyArray<number>
}

/** Returns the key of a document in `Accepted.conflicts` and `Accepted.refused`. */
export const nameOf = ({ id, kind }: { readonly kind: DocumentKind; readonly id: string }): string => `${kind} ${id}`

const perPage = 200

/** Returns the counts by result. */
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

/** The store keeps the record only as long as documents of the import wait. */
const unnamed = (plan: ImportPlan) =>
  Effect.map(DateTime.now, (now): ImportRecord.ImportRecord => {
    const { account, environment, lane, taxpayer } = plan.destination
    return {
      at: DateTime.setZone(now, plan.book.zone),
      destination: { account, environment, lane, taxpayer },
      adapter: RefusedNotes.unnamed,
      files: [],
      book: null,
      settings: {}
    }
  })

/**
 * Together with what a run of a source read. Undefined if there is nothing to hand over or to
 * remember.
 */
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
    yield* Stream.runForEach(Stream.grouped(plan.byReceiptDate, perPage), (documents) =>
      Effect.gen(function* () {
        id ??= yield* store.beginImport(yield* unnamed(plan), "until-handed-over")
        yield* store.keepRest(id, documents)
      })
    )
    const origin = made?.adapter ?? pulled?.source ?? RefusedNotes.unnamed
    const files = (made?.files ?? []).map(({ name }) => name)
    const refused = yield* RefusedNotes.of(plan, origin, files, pulled)
    if (pulled === undefined) {
      // Before the accepting commit: the notices are true even if the process is killed here.
      yield* Stream.runForEach(Stream.grouped(plan.notices, perPage), store.noteSource)
      yield* id === undefined ? store.refused.note(refused) : store.acceptImport(id, counts, undefined, refused)
      return id
    }
    // In the accepting commit: another run may have read newer statements meanwhile.
    const read = { ...pulled, notices: [...pulled.notices, ...(yield* Stream.runCollect(plan.notices))] }
    yield* id === undefined ? store.liveSources.record(read, refused) : store.acceptImport(id, counts, read, refused)
    return id
  })

const verdicts = (problems: ReadonlyArray<PlanResult>): Pick<Accepted, "conflicts" | "refused"> => ({
  conflicts: new Map(
    problems.flatMap(({ key, verdict }) => (verdict._tag === "Conflict" ? [[nameOf(key), verdict.text] as const] : []))
  ),
  refused: new Map(
    problems.flatMap((result) =>
      result.verdict._tag === "Conflict" ? [] : [[nameOf(result.key), notTakenBecause(result.verdict) ?? ""] as const]
    )
  )
})

/** Adapter, book, files and settings. File names do not count. */
const sameness = ({ adapter, book, files, settings }: ImportRecord.ImportRecord): string =>
  JSON.stringify([
    adapter,
    book?.sha256,
    files.map(({ sha256 }) => sha256).toSorted(),
    Object.entries(settings).toSorted()
  ])

const sameOf = (made: ImportRecord.ImportRecord, imports: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    for (const id of imports.toReversed()) {
      const found = yield* store.importOf(id)
      if (Option.isSome(found) && sameness(found.value) === sameness(made)) return id
    }
    return undefined
  })

/**
 * Accepts a plan without a consent, for tests of the store and of planning. `joined` lists the
 * imports that were handed over before the plan was made.
 */
export const acceptPlan = (
  plan: ImportPlan,
  made?: ImportRecord.ImportRecord,
  joined: ReadonlyArray<number> = [],
  pulled?: PulledRun
): Effect.Effect<Accepted, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const { account } = plan.destination
    // Imports accepted earlier are handed over first and are never planned again with another book.
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
 * Accepts a plan by its consent. With `made`, the store remembers the import, and its documents can
 * be shown later. Accepting the same plan again changes nothing. `pulled` is what a run of a source
 * read for the plan; `pulled` is written in the same commit.
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

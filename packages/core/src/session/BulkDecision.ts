/**
 * A preview of the selected documents, then a separate decision about each, so that one refusal
 * does not stop the others.
 */
import { DateTime, Effect, Option, Stream } from "effect"
import { mask } from "../submission/ledger/StatedFailure.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { PollingAccount } from "../account/AccountSettings.ts"
import * as DatabaseClock from "../account/DatabaseClock.ts"
import { askOnceMore, type PollProblem } from "../sending/StatusPoller.ts"
import {
  type Although,
  type Decision,
  letsSendAgain,
  type DecisionResult,
  settlesFailures
} from "../submission/Decision.ts"
import { causesOf, fitting, isDecidedAlone, refusalTogether } from "../submission/PermittedDecision.ts"
import { causeNamed } from "../submission/PlannedDocument.ts"
import * as LateBy from "./LateBy.ts"
import type { State, Submission } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** Conditions that select documents. A document must meet every given condition. */
export interface DocumentSelection {
  readonly import?: number | undefined
  readonly state?: State | undefined
  /**
   * Cause why documents are Held, or failed: a code, or the words as attention shows them.
   * Accepted documents are selected as for `text`.
   */
  readonly cause?: string | undefined
  readonly conflict?: string | undefined
  readonly account?: string | undefined
  /**
   * Accepted documents of which the gateway says this text, where that can be settled for all of
   * them together: no document with this text ever had a receipt, and the gateway does not say it
   * of an id that no request has.
   */
  readonly text?: string | undefined
  readonly numbers?: ReadonlyArray<string> | undefined
}

/** Result of a selection. */
export interface SelectedDocuments {
  readonly documents: ReadonlyArray<Submission>
  readonly unknown: ReadonlyArray<string>
  /** Number of selected documents that the decision does not fit, for example Fiscalised ones. */
  readonly others: number
  /**
   * Selected documents that may have a receipt, or that an operator holds: each needs a look and is
   * decided about by its number, alone or in a list.
   */
  readonly each: ReadonlyArray<Submission>
  /**
   * Confirmation that the decision needs. `count`: the number of documents in the preview. `look`:
   * the gateway may still make receipts of them, so the operator states how many, or which, the
   * portal shows as failed. No host states it for the operator.
   */
  readonly confirmedBy: "count" | "look"
  /** Documents that become late by the decision. Null if none do. */
  readonly late: LateBy.LateBy | null
}

/** Decision about a single document, with the result. */
export interface DecidedDocument {
  readonly submission: Submission
  readonly resolution: DecisionResult
}

/**
 * Returns the documents that the decision applies to. Changes nothing. Without `numbers`, documents
 * that need a look each are left out: no decision about them is made by a shared property.
 */
export const select = (
  selection: DocumentSelection,
  decision: Decision["_tag"]
): Effect.Effect<SelectedDocuments, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const unknown: Array<string> = []
    const all = yield* found(selection, decision, unknown)
    const { account, cause, conflict, numbers, state, text } = selection
    const together = {
      by: numbers === undefined ? "property" : "numbers",
      cause: cause === "person" ? causeNamed(cause) : cause,
      conflict,
      mask: text === undefined ? undefined : mask(text, null)
    } as const
    const facts = yield* store.decisionFacts(all)
    const meant = all.filter(
      (one, n) =>
        (account === undefined || one.account === account) &&
        (state === undefined || one.state === state) &&
        (cause === undefined || causesOf(facts[n]!).every((own) => own === together.cause))
    )
    const factsOf = new Map(all.map(({ seq }, n) => [seq, facts[n]!]))
    const open = meant.filter(({ seq }) => refusalTogether(factsOf.get(seq)!, decision, together) === null)
    const isOneSale = decision === "Same" ? yield* store.ledger.alikeInAll(open) : () => false
    const isAlone = (one: Submission) =>
      decision !== "Acknowledged" && numbers === undefined && isDecidedAlone(one) && !isOneSale(one)
    const documents = open.filter((one) => !isAlone(one))
    const isLook = numbers === undefined && settlesFailures.has(decision)
    return {
      documents,
      confirmedBy: isLook && documents.some(({ state }) => state === "Accepted") ? "look" : "count",
      unknown,
      late: yield* LateBy.of(documents, decision),
      each: open.filter(isAlone),
      others: meant.length - open.length
    }
  })

// the requests of documents that changed before are older
const newest = 20

/**
 * Returns the time from which the decision is accepted for all of these documents: until then, a
 * request of one of them may still make a receipt. Null: no request can.
 */
export const acceptedFrom = (
  documents: ReadonlyArray<Submission>,
  decision: Decision["_tag"]
): Effect.Effect<DateTime.Utc | null, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    if (!letsSendAgain.has(decision)) return null
    const store = yield* SubmissionStore
    const last = documents.toSorted((a, b) => DateTime.Order(b.since, a.since)).slice(0, newest)
    const explained = yield* Effect.forEach(last, store.explain)
    const times = explained.flatMap((one) => Option.getOrNull(one)?.quietUntil ?? [])
    return times.length === 0 ? null : times.reduce(DateTime.max)
  })

const found = (
  { account, import: id, numbers, state }: DocumentSelection,
  decision: Decision["_tag"],
  unknown: Array<string>
) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    if (numbers !== undefined) {
      const each = yield* Effect.forEach(numbers, (number) =>
        Effect.tap(store.find(number), (rows) =>
          Effect.sync(() => (rows.length === 0 ? void unknown.push(number) : undefined))
        )
      )
      return [...new Map(each.flat().map((one) => [one.seq, one])).values()]
    }
    if (id !== undefined) {
      const kept = Option.getOrUndefined(yield* store.importOf(id))
      if (kept === undefined) return []
      const pages = yield* Stream.runCollect(store.importDocuments(id))
      const keys = pages
        .flat()
        .flatMap(({ id, is, kind }) =>
          is === "Stored" && id !== null && kind !== null ? [{ account: kept.destination.account, kind, id }] : []
        )
      return (yield* store.getMany(keys)).toSorted((a, b) => a.seq - b.seq)
    }
    return yield* Stream.runCollect(
      store.stream({
        states: state === undefined ? fitting[decision] : [state],
        ...(account !== undefined && { accounts: [account] })
      })
    )
  })

/**
 * Asks the gateway for what the decision about these documents depends on: its time, and the
 * failures of Accepted documents once more. Returns the calls that failed; the store then refuses
 * what only a new answer permits. `accounts` may fail if only the time was to be asked for: it is
 * then not known.
 */
export const before = <E, R>(
  { _tag }: Pick<Decision, "_tag">,
  documents: ReadonlyArray<Pick<Submission, "account" | "id" | "kind" | "state">>,
  accounts: Effect.Effect<ReadonlyArray<PollingAccount>, E, R>
): Effect.Effect<ReadonlyArray<PollProblem>, E | StoreError, R | SubmissionStore> =>
  Effect.gen(function* () {
    if (!letsSendAgain.has(_tag) || documents.length === 0) return []
    const accepted = settlesFailures.has(_tag) ? documents.filter(({ state }) => state === "Accepted") : []
    const all = yield* accepted.length > 0 ? accounts : Effect.orElseSucceed(accounts, () => [])
    const own = all.filter(({ account }) => documents.some((one) => one.account === account))
    const store = yield* SubmissionStore
    yield* Effect.forEach(own, (account) => DatabaseClock.ask(store, account), { concurrency: 10, discard: true })
    return accepted.length === 0 ? [] : yield* askOnceMore(accepted, own)
  })

/**
 * Decides about each document in order, with the same reason. `shown`: the latest `since` of the
 * documents that the operator has seen; a document that has changed its state after it is refused.
 */
export const decideAll = (
  documents: ReadonlyArray<Submission>,
  decision: Decision,
  because: string,
  although?: Although,
  shown?: DateTime.Utc
): Effect.Effect<ReadonlyArray<DecidedDocument>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) =>
    Effect.forEach(documents, (submission) => {
      const { account, id, kind } = submission
      return Effect.map(store.decide({ account, id, kind }, decision, because, although, shown), (resolution) => ({
        submission,
        resolution
      }))
    })
  )

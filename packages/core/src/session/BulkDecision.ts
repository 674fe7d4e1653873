/**
 * One decision about many documents: a preview of the selected documents, then a separate decision
 * about each document, so that one refusal does not stop the others.
 */
import { type DateTime, Effect, Option, Stream } from "effect"
import { causeOf } from "../submission/ledger/LaneFailures.ts"
import { mask } from "../submission/ledger/StatedFailure.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { PollingAccount } from "../account/AccountSettings.ts"
import * as DatabaseClock from "../account/DatabaseClock.ts"
import { askOnceMore, type PollProblem } from "../sending/StatusPoller.ts"
import {
  type Although,
  type Decision,
  letsSendAgain,
  type Resolution,
  settlesFailures
} from "../submission/Decision.ts"
import type { UnprovenDocument } from "../submission/Health.ts"
import { causeNamed, decided, type SubmissionKey } from "../submission/PlannedDocument.ts"
import * as LateBy from "./LateBy.ts"
import { type State, type Submission, stuck } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** Conditions that select documents. A document must meet every given condition. */
export interface DocumentSelection {
  /** Documents of the import with this id. */
  readonly import?: number | undefined
  readonly state?: State | undefined
  /**
   * Cause why documents are Held, or failed: a code, or the words as attention shows them.
   * Accepted documents are selected as for `text`.
   */
  readonly cause?: string | undefined
  /** Documents whose open conflicts all have this code. */
  readonly conflict?: string | undefined
  readonly account?: string | undefined
  /**
   * Accepted documents of which the gateway says this text, where that can be settled for all of
   * them together: no document with this text ever had a receipt, and the gateway does not say it
   * of an id that no request has.
   */
  readonly text?: string | undefined
  /** Documents with these numbers or ids. */
  readonly numbers?: ReadonlyArray<string> | undefined
}

/** Result of a selection. */
export interface SelectedDocuments {
  readonly documents: ReadonlyArray<Submission>
  /** Numbers without a stored document. */
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
  readonly resolution: Resolution
}

const fitting: Readonly<Record<Decision["_tag"], ReadonlyArray<State>>> = {
  Fiscalised: ["Unknown", "Expired", "Rejected", "Held"],
  Rejected: ["Unknown", "Expired", "Accepted"],
  Accepted: ["Unknown"],
  NotProcessed: ["Unknown"],
  Resend: ["Held", "Declined", "Rejected", "Accepted"],
  Same: ["Held"],
  Withdrawn: ["Planned", ...stuck],
  Acknowledged: ["Accepted", "Fiscalised", "Planned", ...stuck, "Withdrawn"]
}

// by its number, an Accepted document with a stated failure is fiscalised (the store checks it);
// a contradicted document takes the statement that it was not processed, or that it was fiscalised;
// a final rejection is never sent again
const fits = (
  decision: Decision["_tag"],
  { hold, rejection, state }: Submission,
  { numbers }: DocumentSelection
): boolean =>
  decision === "Same"
    ? hold?.cause === "duplicate"
    : decision === "Resend" && state === "Rejected"
      ? rejection?.nature !== "final"
      : fitting[decision].includes(state) ||
        (decision === "NotProcessed" && hold?.cause === "contradicted") ||
        (decision === "Fiscalised" && state === "Accepted" && numbers !== undefined)

/** Failures that the gateway states of Accepted documents, by the name of the document. */
type Failures = ReadonlyMap<string, ReadonlyArray<UnprovenDocument>>

const isMeant =
  ({ account, cause, state }: DocumentSelection, failures: Failures) =>
  (one: Submission): boolean =>
    (account === undefined || one.account === account) &&
    (state === undefined || one.state === state) &&
    (cause === undefined ||
      causesOf(one, failures).every((own) => own === (cause === "person" ? causeNamed(cause) : cause)))

/** Returns the causes why the document is Held, or why it failed. */
const causesOf = (one: Submission, failures: Failures): ReadonlyArray<string | null> => {
  const { hold, requestId, said, state } = one
  const stated = failures.get(nameOf(one))
  if (hold !== null) return [hold.cause]
  if (state === "Rejected" || state === "Declined") return [causeOf(said ?? "", requestId)]
  return stated === undefined ? [null] : stated.map(({ failure }) => causeOf(failure.error, failure.requestId))
}

/** True if the document needs a look, and a separate decision. */
const isDecidedAlone = ({ hold, state }: Submission): boolean =>
  state === "Unknown" || state === "Expired" || (hold !== null && decided[hold.cause] === "each")

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
    const { cause, conflict } = selection
    const failures = settlesFailures.has(decision) || cause !== undefined ? yield* failuresOf(all) : new Map()
    const meant = all.filter(isMeant(selection, failures))
    const fitting = meant.filter(
      (one) => fits(decision, one, selection) && isSettled(one, selection, decision, failures)
    )
    const sendable = decision === "Resend" ? yield* withoutOpenAttempts(fitting) : fitting
    const open =
      decision === "Acknowledged" || conflict !== undefined
        ? yield* Effect.filter(sendable, (one) =>
            Effect.map(
              store.explain(one),
              Option.exists(({ conflicts }) => {
                const found = conflicts.filter(({ settledAt }) => settledAt === null)
                return found.length > 0 && found.every(({ code }) => conflict === undefined || code === conflict)
              })
            )
          )
        : sendable
    const isOneSale = decision === "Same" ? yield* store.ledger.alikeInAll(open) : () => false
    const isAlone = (one: Submission) =>
      decision !== "Acknowledged" && selection.numbers === undefined && isDecidedAlone(one) && !isOneSale(one)
    const documents = open.filter((one) => !isAlone(one))
    const isLook = selection.numbers === undefined && settlesFailures.has(decision)
    return {
      documents,
      confirmedBy: isLook && documents.some(({ state }) => state === "Accepted") ? "look" : "count",
      unknown,
      late: yield* LateBy.of(documents, decision),
      each: open.filter(isAlone),
      others: meant.length - open.length
    }
  })

/** Leaves out failed documents with a request that may still make a receipt. */
const withoutOpenAttempts = (
  documents: ReadonlyArray<Submission>
): Effect.Effect<ReadonlyArray<Submission>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) =>
    Effect.map(store.known(documents.filter(({ state }) => state === "Rejected" || state === "Declined")), (known) => {
      const open = new Set(
        known.flatMap(({ facts, submission }) => (facts.attempts === "open" ? [submission.seq] : []))
      )
      return documents.filter(({ seq }) => !open.has(seq))
    })
  )

const nameOf = ({ account, id, kind }: SubmissionKey) => JSON.stringify([account, kind, id])

/** Reads the failures that the gateway states of the Accepted documents among these. */
const failuresOf = (documents: ReadonlyArray<Submission>): Effect.Effect<Failures, StoreError, SubmissionStore> => {
  const accounts = new Set(documents.filter(({ state }) => state === "Accepted").map(({ account }) => account))
  return accounts.size === 0
    ? Effect.succeed(new Map())
    : SubmissionStore.use((store) =>
        Effect.map(store.unproven([...accounts]), (unproven) => Map.groupBy(unproven, ({ key }) => nameOf(key)))
      )
}

/**
 * True if the decision can settle what the gateway states of the document. By a shared text or
 * cause only if the gateway says something else of an id that no request has, and no document with
 * the text ever had a receipt. A document is sent again only by its number, a text or a cause.
 */
const isSettled = (
  one: Submission,
  { cause, numbers, text }: DocumentSelection,
  decision: Decision["_tag"],
  failures: Failures
): boolean => {
  if (one.state !== "Accepted" || !settlesFailures.has(decision)) return text === undefined
  const stated = failures.get(nameOf(one)) ?? []
  const isShared = text !== undefined || (cause !== undefined && numbers === undefined)
  if (decision === "Resend" && !isShared && numbers === undefined) return false
  return (
    stated.length > 0 &&
    (decision !== "Resend" || stated.every(({ failure }) => failure.nature !== "final")) &&
    (!isShared || stated.every(({ failure, precedent }) => failure.control === "told-apart" && precedent === "none")) &&
    (text === undefined || stated.every((said) => said.mask === mask(text, null)))
  )
}

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

/**
 * One decision about many documents: a preview of the selected documents, then a separate decision
 * about each document, so that one refusal does not stop the others.
 */
import { type DateTime, Effect, Option, Stream } from "effect"
import { causeOf } from "../ledger/LaneFailures.ts"
import { mask } from "../ledger/StatedFailure.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { Although, Decision, Resolution } from "../submission/Decision.ts"
import { causeNamed, decided, type SubmissionKey } from "../submission/PlannedDocument.ts"
import { type State, type Submission, stuck } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** Conditions that select documents. A document must meet every given condition. */
export interface DocumentSelection {
  /** Documents of the import with this id. */
  readonly import?: number | undefined
  readonly state?: State | undefined
  /** Cause why documents are Held, or failed: a code, or the words as attention shows them. */
  readonly cause?: string | undefined
  /** Documents whose open conflicts all have this code. */
  readonly conflict?: string | undefined
  readonly account?: string | undefined
  /**
   * Accepted documents of which the gateway says this text, where that can be settled for all of
   * them together: no document with this text ever had a receipt, and the gateway does not say it
   * of
   * an id that no request has.
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
  Resend: ["Held", "Declined", "Rejected"],
  Withdrawn: ["Planned", ...stuck],
  Acknowledged: ["Accepted", "Fiscalised", "Planned", ...stuck, "Withdrawn"]
}

// a contradicted document takes the statement that it was not processed, or that it was fiscalised
const fits = (decision: Decision["_tag"], { hold, state }: Submission): boolean =>
  fitting[decision].includes(state) || (decision === "NotProcessed" && hold?.cause === "contradicted")

const isMeant =
  ({ account, cause, state }: DocumentSelection) =>
  (one: Submission): boolean =>
    (account === undefined || one.account === account) &&
    (state === undefined || one.state === state) &&
    (cause === undefined || causeOfDocument(one) === (cause === "person" ? causeNamed(cause) : cause))

/** Returns the cause why the document is Held, or why it failed. */
const causeOfDocument = ({ hold, requestId, said, state }: Submission): string | null =>
  hold !== null ? hold.cause : state === "Rejected" || state === "Declined" ? causeOf(said ?? "", requestId) : null

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
    const meant = all.filter(isMeant(selection))
    const fitting = meant.filter((one) => fits(decision, one))
    const { conflict } = selection
    const documents =
      selection.text === undefined && decision !== "Rejected" ? fitting : yield* withFailure(fitting, selection.text)
    const open =
      decision === "Acknowledged" || conflict !== undefined
        ? yield* Effect.filter(documents, (one) =>
            Effect.map(
              store.explain(one),
              Option.exists(({ conflicts }) => {
                const found = conflicts.filter(({ settledAt }) => settledAt === null)
                return found.length > 0 && found.every(({ code }) => conflict === undefined || code === conflict)
              })
            )
          )
        : documents
    const isAlone = (one: Submission) =>
      decision !== "Acknowledged" && selection.numbers === undefined && isDecidedAlone(one)
    return {
      documents: open.filter((one) => !isAlone(one)),
      unknown,
      each: open.filter(isAlone),
      others: meant.length - open.length
    }
  })

const nameOf = ({ account, id, kind }: SubmissionKey) => JSON.stringify([account, kind, id])

/** Returns the documents that are not Accepted, or of which the gateway states a failure. */
const withFailure = (documents: ReadonlyArray<Submission>, text: string | undefined) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const unproven = yield* store.unproven([...new Set(documents.map(({ account }) => account))])
    const masked = text === undefined ? undefined : mask(text, null)
    const chosen = unproven.filter(
      (one) =>
        masked === undefined ||
        (one.mask === masked && one.failure.control === "told-apart" && one.precedent === "none")
    )
    const names = new Set(chosen.map(({ key }) => nameOf(key)))
    return documents.filter((one) => (text === undefined && one.state !== "Accepted") || names.has(nameOf(one)))
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

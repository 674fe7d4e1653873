/**
 * Documents that count for a fiscal day. The proof of a document names the day. A document that an
 * operator declared fiscalized has no such proof, and counts for the day in which it was sent.
 */
import { DateTime, Duration, Effect, Option, Result, Stream } from "effect"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import type { DocumentNumber } from "../document/Identifiers.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Explanation } from "../submission/Explanation.ts"
import type { State, Submission } from "../submission/Submission.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

type Reading = Pick<SubmissionStoreOperations, "stream" | "explain">

/** A fiscal day, and the closes between which the day was open. Null if a close is not known. */
export interface DayTimes {
  readonly day: number
  /** The earliest possible time of the previous close. */
  readonly after: DateTime.DateTime | null
  /** The latest possible time of the day's own close. */
  readonly until: DateTime.DateTime | null
}

/** A document counted for a day. */
export interface CountedDocument {
  readonly account: string
  readonly number: DocumentNumber
  readonly document: UndatedDocument
  /**
   * `proof`: the gateway named the day. `operator`: an operator stated that the document was
   * fiscalized, and the document was sent while the day was open.
   */
  readonly by: "proof" | "operator"
}

/**
 * A document that the store does not count, although the day's counters may contain its receipt.
 */
export interface DoubtfulDocument {
  readonly number: DocumentNumber
  readonly state: State
}

/**
 * Returns when the document was last sent. Returns the receipt date if this store never sent the
 * document.
 */
const sentAt = ({ attempts, submission }: Explanation): DateTime.DateTime | null =>
  attempts.at(-1)?.begunAt ?? submission.receiptDate

const isWithin = (at: DateTime.DateTime | null, { after, until }: DayTimes): boolean =>
  at !== null &&
  until !== null &&
  at.epochMilliseconds <= until.epochMilliseconds &&
  (after === null || at.epochMilliseconds > after.epochMilliseconds)

/** Returns the documents of a device that count for these days, by the number of the day. */
export const of = (
  store: Reading,
  lane: string,
  days: ReadonlyArray<DayTimes>
): Effect.Effect<ReadonlyMap<number, ReadonlyArray<CountedDocument>>, StoreError> => {
  const counted = new Map<number, Array<CountedDocument>>(days.map(({ day }) => [day, []]))
  const isAsked = ({ proof }: Submission): boolean => proof?.fiscalDay == null || counted.has(proof.fiscalDay)
  return store.stream({ lane, states: ["Fiscalised"] }).pipe(
    Stream.filter(isAsked),
    Stream.mapEffect((submission) => store.explain(submission)),
    Stream.runForEach((found) =>
      Effect.sync(() => {
        if (Option.isNone(found)) return
        const { document, submission } = found.value
        const named = submission.proof?.fiscalDay ?? null
        const day = named ?? days.find((times) => isWithin(sentAt(found.value), times))?.day
        const { account, number } = submission
        if (day !== undefined)
          counted.get(day)?.push({ account, number, document, by: named === null ? "operator" : "proof" })
      })
    ),
    Effect.as(counted)
  )
}

// A document sent shortly before a close may be processed after the close.
const grace = Duration.days(1)

/**
 * States of documents that the store does not count, although a request of the document may have
 * become a receipt.
 */
const doubtfulStates: ReadonlyArray<State> = [
  "Unknown",
  "Expired",
  "Accepted",
  "Sending",
  "Held",
  "Rejected",
  "Withdrawn"
]

/**
 * Returns the documents that were sent before the day was closed and may still have a receipt of
 * the day.
 */
export const doubtful = (
  store: Reading,
  lane: string,
  { after, day, until }: DayTimes
): Effect.Effect<ReadonlyArray<DoubtfulDocument>, StoreError> => {
  const times = { day, until, after: after === null ? null : DateTime.subtractDuration(after, grace) }
  return store.stream({ lane, states: doubtfulStates }).pipe(
    Stream.mapEffect((submission) => store.explain(submission)),
    Stream.filterMap((found) => {
      if (Option.isNone(found)) return Result.fail(null)
      const { attempts, submission } = found.value
      const mayBe = attempts.some(
        ({ begunAt, result }) =>
          result?._tag !== "NotProcessed" && result?._tag !== "Declined" && isWithin(begunAt, times)
      )
      return mayBe ? Result.succeed({ number: submission.number, state: submission.state }) : Result.fail(null)
    }),
    Stream.runCollect
  )
}

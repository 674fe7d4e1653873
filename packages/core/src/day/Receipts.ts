/**
 * Receipts of a device: each proof, with the document and the revision whose request it answers.
 * All accounts of the device are read together, because its counters are the device's.
 */
import { DateTime, Duration, Effect, Stream } from "effect"
import { numberOf } from "../document/FiscalDocument.ts"
import type { DocumentNumber } from "../document/Identifiers.ts"
import { deviceOf } from "../submission/Lane.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import * as Outcome from "../submission/Outcome.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"
import type { State } from "../submission/Submission.ts"
import type { MeantDocument, DocumentRequests, ReceiptQueries, RevisionKey } from "../submission/SubmissionQuery.ts"
import * as ReceiptNumbers from "./ReceiptNumbers.ts"

/** A fiscal day, and the times between which its counters ran. Null if a time is not known. */
export interface DayTimes {
  readonly day: number
  readonly after: DateTime.DateTime | null
  readonly until: DateTime.DateTime | null
  /**
   * `failed`: the day goes on, and the report has only the receipts up to `until`. `not-known`: the
   * gateway does not state if the day was closed.
   */
  readonly close: "closed" | "failed" | "not-known"
}

interface DeviceRequest extends SubmissionKey {
  readonly number: DocumentNumber
  readonly of: RevisionKey
  /** Null if the document was never sent and has no receipt date. */
  readonly sentAt: DateTime.DateTime | null
}

export interface DeviceReceipt extends DeviceRequest {
  /**
   * `proof`: the gateway stated the receipt. `operator`: an operator stated that the document is
   * fiscalized, and the receipt is only claimed.
   */
  readonly by: "proof" | "operator"
  /**
   * `lane`: the device of the lane has it, or the proof names no device. `another`: the proof names
   * another device, so that no report of this device has it.
   */
  readonly on: "lane" | "another"
  /** Fiscal day of the device of the lane. Null if it is not stated. */
  readonly day: number | null
  /** Number of the device. Null if it is not stated. */
  readonly receiptNumber: number | null
  /** Verification code. Null if it is not stated. */
  readonly code: string | null
  /** Page on which the receipt is verified, as the gateway states it. Null if it states none. */
  readonly link: string | null
}

export interface Candidate extends DeviceRequest {
  readonly state: State
  /** `second`: the document has a receipt. `only`: the document is not fiscalized here. */
  readonly receipt: "second" | "only"
  /** Fiscal day of a receipt that the gateway stated beside a failure. Null if it stated none. */
  readonly statedDay: number | null
}

export type SentDocument<A> = A & MeantDocument

export type DayReceipt = Pick<DeviceReceipt, "account" | "number" | "by" | "receiptNumber">

export interface DayReceipts {
  readonly receipts: ReadonlyArray<SentDocument<DayReceipt>>
  readonly candidates: ReadonlyArray<SentDocument<Candidate>>
  /** Receipts of the day that were sent after the failed close, so that its report lacks them. */
  readonly later: number
  readonly missing: ReceiptNumbers.MissingNumbers
  readonly ranges: ReadonlyArray<ReceiptNumbers.MissingRange>
}

export interface OfDocument {
  readonly receipts: ReadonlyArray<DeviceReceipt>
  readonly candidates: ReadonlyArray<Candidate>
}

/**
 * Returns the receipts of one document on a device. `repeated`: codes that prove nothing, because
 * several documents have each.
 */
export const ofDocument = (found: DocumentRequests, lane: string, repeated: ReadonlySet<string>): OfDocument => {
  const { account, id, kind, number, requests, seq, state } = found
  const key = { account, kind, id, number }
  const successes = found.stated.filter(({ beside }) => beside === "nothing")
  const proven = Outcome.receipts(
    successes.filter(({ by }) => by === "gateway"),
    repeated
  )
  const all = Outcome.receipts([...proven, ...successes.filter(({ by }) => by === "operator")], repeated)
  const receipts = all.flatMap(({ attempt, by, proof }): ReadonlyArray<DeviceReceipt> => {
    const request = requests.find((one) => one.attempt === attempt)
    if ((request?.lane ?? found.lane) !== lane) return []
    const { deviceId, fiscalDay, invoiceNumber, qrCodeUrl, verificationCode } = proof
    const on = deviceId === null || String(deviceId) === deviceOf(lane) ? "lane" : "another"
    // an operator names no request: a later revision that was not sent has other figures
    const sent = by === "operator" ? requests.at(-1) : request
    return [
      {
        ...key,
        of: [seq, sent?.revision ?? found.revision],
        sentAt: sent?.begunAt ?? found.receiptDate,
        by: by === "operator" ? "operator" : "proof",
        on,
        day: on === "lane" ? fiscalDay : null,
        receiptNumber: invoiceNumber !== null && invoiceNumber > 0 ? invoiceNumber : null,
        code: verificationCode,
        link: qrCodeUrl
      }
    ]
  })
  const receipt = state === "Fiscalised" || receipts.length > 0 ? "second" : "only"
  const candidates = requests.flatMap(({ attempt, begunAt, known, lane: to, revision }): ReadonlyArray<Candidate> => {
    const mayBe = known === "open" || known === "statement" || (receipt === "only" && known === "rejected")
    if (to !== lane || !mayBe) return []
    const doubtful = found.stated.find((one) => one.attempt === attempt && one.beside === "failure")
    const statedDay = doubtful?.proof.fiscalDay ?? null
    return [{ ...key, of: [seq, revision], sentAt: begunAt, state, receipt, statedDay }]
  })
  return { receipts, candidates }
}

/**
 * True if the counters of the day ran at the time, or at most `grace` milliseconds later. False if
 * a time is not known.
 */
const isWithin = (at: DateTime.DateTime | null, { after, until }: DayTimes, grace = 0): boolean =>
  at !== null &&
  until !== null &&
  at.epochMilliseconds <= until.epochMilliseconds &&
  (after === null || at.epochMilliseconds > after.epochMilliseconds - grace)

// a document sent shortly before a close may be processed after the close
const oneDay = 86_400_000

/**
 * True if the receipt is in the day of the lane's device. The day of a claimed receipt is not
 * known; it is expected where the document was sent.
 */
const isIn = ({ day, on, sentAt }: DeviceReceipt, times: DayTimes): boolean =>
  on === "lane" && (day === null ? isWithin(sentAt, times) : times.day === day)

/** Returns the day in which the receipt is. Null if it is in none of the lane's device. */
export const dayOf = (receipt: DeviceReceipt, days: ReadonlyArray<DayTimes>): number | null =>
  receipt.day ?? days.find((times) => isIn(receipt, times))?.day ?? null

/** True if the receipt was sent after the failed close, so that the report cannot contain it. */
const isLater = ({ sentAt }: DeviceReceipt, { close, until }: DayTimes): boolean =>
  close === "failed" && until !== null && sentAt !== null && sentAt.epochMilliseconds > until.epochMilliseconds

/** The part of a receipt that is kept until its day is compared: a whole one took 260 bytes. */
interface KeptReceipt extends Pick<DeviceReceipt, "account" | "by" | "receiptNumber"> {
  readonly seq: number
  readonly revision: number
}

interface DayCollection {
  readonly times: DayTimes
  readonly receipts: Array<KeptReceipt>
  readonly candidates: Array<Candidate>
  later: number
}

const collect = (
  { candidates, receipts }: OfDocument,
  days: ReadonlyArray<DayCollection>,
  accounts: Map<string, string>
) => {
  for (const receipt of receipts) {
    const day = days.find(({ times }) => isIn(receipt, times))
    if (day === undefined) continue
    if (isLater(receipt, day.times)) day.later++
    else {
      const { account, by, of, receiptNumber } = receipt
      // each row of the store has its own copy of the name
      const named = accounts.get(account) ?? account
      accounts.set(named, named)
      day.receipts.push({ account: named, by, receiptNumber, seq: of[0], revision: of[1] })
    }
  }
  for (const candidate of candidates)
    for (const day of days) if (isWithin(candidate.sentAt, day.times, oneDay)) day.candidates.push(candidate)
}

const count = (
  numbers: ReceiptNumbers.ReceiptNumbers,
  { requests }: DocumentRequests,
  { receipts }: OfDocument,
  lane: string
) => {
  for (const { account, by, day, number, on, receiptNumber, sentAt } of receipts) {
    if (on === "another") continue
    if (by === "proof" && day !== null && receiptNumber !== null)
      numbers.add({ receiptNumber, day, account, number, sentAt })
    else if (sentAt !== null) numbers.addOpen(sentAt)
  }
  for (const { begunAt, known, lane: to } of requests) if (to === lane && known === "open") numbers.addOpen(begunAt)
}

/**
 * Time before a day opens from which requests may have a receipt in the day: the gateway answers
 * for seven days.
 */
const earlier = Duration.days(8)

const longestDay = Duration.days(31)

/** Returns the time since which the receipts of these days were sent. Null if it is not known. */
export const sinceOf = (days: ReadonlyArray<DayTimes>): DateTime.DateTime | null => {
  const openings = days.map(({ after, until }) =>
    after === null && until !== null ? DateTime.subtractDuration(until, longestDay) : after
  )
  return openings.length > 0 && openings.every((at) => at !== null)
    ? DateTime.subtractDuration(openings.reduce(DateTime.min), earlier)
    : null
}

/** Reads the receipt numbers of a device since the time. Null: of every document. */
export const numbersOf = (
  store: ReceiptQueries,
  lane: string,
  since: DateTime.DateTime | null
): Effect.Effect<ReceiptNumbers.ReceiptNumbers, StoreError> =>
  Effect.suspend(() => {
    const numbers = ReceiptNumbers.make()
    return Effect.as(Stream.runDrain(stream(store, lane, "sent", since, numbers)), numbers)
  })

export interface LaneReceipts {
  readonly inDay: (day: number) => Effect.Effect<DayReceipts, StoreError>
}

export interface ReceiptsOfPeriod extends OfDocument {
  readonly document: DocumentRequests
}

/**
 * Streams the documents of a device since the time, and counts their numbers. `which`: as in
 * `ReceiptQueries.documentsOf`.
 */
export const stream = (
  store: ReceiptQueries,
  lane: string,
  which: "sent" | "all",
  since: DateTime.DateTime | null,
  numbers: ReceiptNumbers.ReceiptNumbers
): Stream.Stream<ReceiptsOfPeriod, StoreError> =>
  Stream.unwrap(
    Effect.map(store.repeatedCodes(lane), (repeated) =>
      Stream.map(store.documentsOf(lane, which, since), (document) => {
        const own = ofDocument(document, lane, repeated)
        count(numbers, document, own, lane)
        return { document, ...own }
      })
    )
  )

export const collecting = (store: ReceiptQueries, days: ReadonlyArray<DayTimes>) => {
  const collected = days.map((times): DayCollection => ({ times, receipts: [], candidates: [], later: 0 }))
  const accounts = new Map<string, string>()
  return {
    add: (own: OfDocument): void => collect(own, collected, accounts),
    inDay: (day: number, numbers: ReceiptNumbers.ReceiptNumbers): Effect.Effect<DayReceipts, StoreError> =>
      Effect.gen(function* () {
        const { candidates, later, receipts } = collected.find(({ times }) => times.day === day)!
        const documents = yield* store.revisions([
          ...receipts.map(({ revision, seq }) => [seq, revision] as const),
          ...candidates.map(({ of }) => of)
        ])
        return {
          receipts: receipts.map(({ account, by, receiptNumber }, n) => ({
            account,
            by,
            receiptNumber,
            number: numberOf(documents[n]!.document),
            ...documents[n]!
          })),
          candidates: candidates.map((one, n) => ({ ...one, ...documents[receipts.length + n]! })),
          later,
          missing: numbers.missingIn(day, receipts.filter(({ receiptNumber }) => receiptNumber === null).length),
          ranges: numbers.rangesIn(day, day)
        }
      })
  }
}

export const of = (
  store: ReceiptQueries,
  lane: string,
  days: ReadonlyArray<DayTimes>
): Effect.Effect<LaneReceipts, StoreError> =>
  Effect.suspend(() => {
    const numbers = ReceiptNumbers.make()
    const { add, inDay } = collecting(store, days)
    const read = Stream.runForEach(stream(store, lane, "sent", sinceOf(days), numbers), (own) =>
      Effect.sync(() => add(own))
    )
    return Effect.as(read, { inDay: (day) => inDay(day, numbers) })
  })

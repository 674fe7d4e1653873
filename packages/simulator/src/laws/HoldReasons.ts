/** Whether what a document is held for is so, in the gateway's own book. */
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import type { GatewaySide } from "../GatewaySide.ts"
import type { StoreFile } from "../StoreFile.ts"

/** What a hold is held against. */
export interface Known {
  readonly gateway: GatewaySide
  readonly store: StoreFile
  /** When the account's documents were last imported, in milliseconds: until then a hold has been looked at again. */
  readonly importedAt: number
}

/** Whether another document of the lane may have been processed with that date or a later one, as far as could be known at the last import. */
const mayHaveReached = ({ importedAt, store }: Known, { lane, seq }: Submission, seconds: number): boolean =>
  store.read(
    `select 1 from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
     where a.lane = ? and a.submission <> ? and a.receipt_at >= ? and (s.state in ('Sending', 'Unknown')
       or exists (select 1 from fiscal_event e where e.submission = s.seq and e.from_state = 'Unknown' and e.at >= ?))`,
    lane,
    seq,
    seconds,
    importedAt
  ).length > 0

/** Whether a request of it was lost so that nobody here can know if it arrived, and no person has said that it did not. */
const mayHaveArrived = ({ store }: Known, { seq }: Submission): boolean =>
  store.read(
    "select 1 from fiscal_attempt where submission = ? and possibly_processed = 1 and ruled_out = 0 limit 1",
    seq
  ).length > 0

/** Why it is not; null where it is, or where nobody can say. */
export const untrue = (submission: Submission, known: Known): string | null => {
  const { hold, id, receiptDate, ...key } = submission
  const { gateway } = known
  if (hold === null) return null
  const seconds = receiptDate === null ? null : receiptDate.epochMilliseconds / 1000
  const own = gateway.requestsOf(key.account, key.kind, id)
  switch (hold.cause) {
    case "late": {
      // receipt dates that are set at submission are for documents of the day
      if (seconds === null || hold.because.includes("at submission")) return null
      const reached = gateway.requests.some(
        ({ document }) => document.id !== id && document.date.epochSeconds >= seconds
      )
      const closed = gateway.closes.some((at) => at / 1000 >= seconds)
      if (hold.because.includes("may have reached") && mayHaveReached(known, submission, seconds)) return null
      return reached || closed
        ? null
        : `held as late, and nothing at or after its date has reached the device: ${hold.because}`
    }
    case "historical":
      return seconds === null || gateway.closes.some((at) => at / 1000 >= seconds)
        ? null
        : `held as historical, and no day was closed after its date: ${hold.because}`
    case "contradicted":
      return own.some(({ outcome }) => outcome._tag === "Fiscalised")
        ? null
        : "held as contradicted, and it has no receipt"
    case "person":
      return own.length === 0 && hold.because.includes("may have been processed") && !mayHaveArrived(known, submission)
        ? `held because it may have been processed, and the gateway never had it: ${hold.because}`
        : null
    default:
      return null
  }
}

/** Checks against the gateway's own records whether the reason for holding a document is true. */
import type { Submission } from "../../../packages/core/src/submission/Submission.ts"
import { BigDecimal } from "effect"
import type { Stated } from "../Books.ts"
import type { GatewaySide } from "../GatewaySide.ts"
import type { Network } from "../Network.ts"
import type { RuledOut } from "./StepLaws.ts"
import type { StoreFile } from "../StoreFile.ts"

/** Data to check a hold against. */
export interface Known {
  readonly gateway: GatewaySide
  readonly store: StoreFile
  /** True fate of the requests, whatever the store records. */
  readonly network: Pick<Network, "mayHaveArrived">
  /**
   * Returns an operator's last "not processed" decision about a submission, as the simulation
   * recorded it; the store is not read.
   */
  readonly ruledOut: (submission: number) => RuledOut | undefined
  readonly documents: ReadonlyArray<Stated>
  /**
   * Time of the account's last import, in milliseconds: the last time at which holds were checked
   * again.
   */
  readonly importedAt: number
}

// A process that takes over the lane cannot know whether the request was handed over.
const abandoned = "a.said like 'the process that sent it ended%'"

/**
 * Returns true if another document of the lane may have been processed with the same or a later
 * date, as known at the last import.
 */
const mayHaveReached = ({ importedAt, network, store }: Known, { lane, seq }: Submission, seconds: number): boolean =>
  store
    .read(
      `select s.id, ${abandoned} as abandoned from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
       where a.lane = ? and a.submission <> ? and a.receipt_at >= ? and (s.state in ('Sending', 'Unknown')
         or exists (select 1 from fiscal_event e where e.submission = s.seq and e.from_state = 'Unknown' and e.at >= ?))`,
      lane,
      seq,
      seconds,
      importedAt
    )
    .some(({ abandoned, id }) => abandoned === 1 || network.mayHaveArrived(String(id)))

/**
 * Returns true if a request of the document was lost without a known result, and no operator has
 * ruled out its arrival.
 */
const mayHaveArrived = ({ network, ruledOut, store }: Known, { id, seq }: Submission): boolean => {
  const said = ruledOut(seq)
  return store
    .read(
      `select ${abandoned} as abandoned from fiscal_attempt a
       where a.submission = ? and a.possibly_processed = 1 and a.id > ?`,
      seq,
      said?.attempt ?? 0
    )
    .some(({ abandoned }) => abandoned === 1 || network.mayHaveArrived(id, said?.at))
}

/** Returns true if the failure of the document was not settled at the last import. */
const wasUnsettled = ({ importedAt, store }: Known, { account, id, kind }: Stated): boolean =>
  store.read(
    `select 1 from fiscal_submission s where s.account = ? and s.kind = ? and s.id = ? and (s.state = 'Accepted'
       or exists (select 1 from fiscal_event e where e.submission = s.seq and e.to_state = 'Rejected' and e.at >= ?))`,
    account,
    kind,
    id,
    importedAt
  ).length > 0

/**
 * Returns true if other credit notes have taken, or may still take, so much of the original that
 * this one does not fit.
 */
const isCredited = (known: Known, id: string): boolean => {
  const { documents, gateway } = known
  const stated = documents.find((one) => one.id === id)
  const original = gateway.receipts.find(({ documentId }) => documentId === stated?.original)
  if (stated === undefined || original === undefined) return false
  const others = documents.filter((one) => one.original === stated.original && one.id !== id)
  const taking = others.filter((one) =>
    gateway
      .requestsOf(one.account, one.kind, one.id)
      .some(({ outcome }) => outcome._tag !== "Failed" || wasUnsettled(known, one))
  )
  const taken = taking.reduce(
    (sum, { amount }) => BigDecimal.sum(sum, BigDecimal.fromStringUnsafe(amount)),
    BigDecimal.fromStringUnsafe(stated.amount)
  )
  return BigDecimal.isGreaterThan(taken, original.total)
}

/**
 * Returns the problem with the reason of a hold; null if the reason is true or cannot be checked.
 */
export const untrue = (submission: Submission, known: Known): string | null => {
  const { hold, id, receiptDate, ...key } = submission
  const { gateway } = known
  if (hold === null) return null
  const seconds = receiptDate === null ? null : receiptDate.epochMilliseconds / 1000
  const own = gateway.requestsOf(key.account, key.kind, id)
  switch (hold.cause) {
    case "late": {
      // Receipt dates that are set at submission apply to documents of the day.
      if (seconds === null || hold.text.includes("at submission")) return null
      const reached = gateway.requests.some(
        ({ document }) => document.id !== id && document.date.epochSeconds >= seconds
      )
      const closed = gateway.closes.some((at) => at / 1000 >= seconds)
      if (hold.text.includes("may have reached") && mayHaveReached(known, submission, seconds)) return null
      return reached || closed
        ? null
        : `held as late, and nothing at or after its date has reached the device: ${hold.text}`
    }
    case "historical":
      return seconds === null || gateway.closes.some((at) => at / 1000 >= seconds)
        ? null
        : `held as historical, and no day was closed after its date: ${hold.text}`
    case "contradicted":
      // A refusal of a later request says nothing about the earlier one.
      return hold.text.includes("may have been fiscalised") || own.some(({ outcome }) => outcome._tag === "Fiscalised")
        ? null
        : "held as contradicted, and it has no receipt"
    case "operator":
      return own.length === 0 && hold.text.includes("may have been processed") && !mayHaveArrived(known, submission)
        ? `held because it may have been processed, and the gateway never had it: ${hold.text}`
        : null
    case "credited":
      return isCredited(known, id) ? null : `held as credited, and there is enough left of its original: ${hold.text}`
    default:
      return null
  }
}

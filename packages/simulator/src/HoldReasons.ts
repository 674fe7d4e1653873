/** Whether what a document is held for is so, in the gateway's own book. */
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import type { GatewaySide } from "./GatewaySide.ts"

/** Why it is not; null where it is, or where nobody can say. */
export const untrue = ({ hold, id, receiptDate, ...key }: Submission, gateway: GatewaySide): string | null => {
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
      return own.length === 0 && hold.because.includes("may have been processed")
        ? `held because it may have been processed, and the gateway never had it: ${hold.because}`
        : null
    default:
      return null
  }
}

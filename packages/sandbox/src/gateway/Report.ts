/**
 * What the gateway reports of a request, apart from its outcome: a text while it still works, a
 * failure beside a receipt, a receipt without its proof or with the proof of another.
 */
import * as Schema from "effect/Schema"
import type { QrData, StatusItem } from "../wire/StatusItem.ts"

/** Any JSON value as `Error`, and `IsActionable` of any value. */
const words = { error: Schema.Json, actionable: Schema.NullOr(Schema.Boolean) }

export const Report = Schema.Union([
  /** Until the outcome, `/status` reports a failure with these words. */
  Schema.TaggedStruct("Working", words),
  /** A receipt is reported as a failure with these words, its QrData beside them. */
  Schema.TaggedStruct("Contradiction", { ...words, qrData: Schema.Literals(["object", "text"]) }),
  /** A receipt is reported as a success without QrData and PDF, until so many milliseconds later. */
  Schema.TaggedStruct("ProofMissing", { millis: Schema.Int }),
  /** A receipt is reported with the QrData of the receipt before it. */
  Schema.TaggedStruct("ProofRepeated", {})
])
export type Report = typeof Report.Type

/** Values for the placeholders of a text. */
export interface Subject {
  readonly requestId: string
  readonly number: string
}

/**
 * Returns the words with the request id for `{id}` and the document's number for `{number}`, in
 * every text.
 */
export const filled = (words: Schema.Json, { number, requestId }: Subject): Schema.Json => {
  if (typeof words === "string") return words.replaceAll("{id}", requestId).replaceAll("{number}", number)
  if (typeof words !== "object" || words === null) return words
  if (Array.isArray(words)) return words.map((each: Schema.Json) => filled(each, { number, requestId }))
  return Object.fromEntries(
    Object.entries(words).map(([name, each]) => [name, filled(each, { number, requestId })])
  ) as Schema.Json
}

/** Returns the item of a receipt as the reports change it. `before`: QrData of the receipt before. */
export const ofReceipt = (
  item: StatusItem,
  reports: ReadonlyArray<Report>,
  { age, before, subject }: { readonly age: number; readonly before: QrData | null; readonly subject: Subject }
): StatusItem =>
  reports.reduce((item: StatusItem, report): StatusItem => {
    switch (report._tag) {
      case "Working":
        return item
      case "Contradiction": {
        const qrData = report.qrData === "text" ? JSON.stringify(item.QrData) : item.QrData
        const error = filled(report.error, subject)
        return { ...item, Success: false, IsActionable: report.actionable, Error: error, QrData: qrData }
      }
      case "ProofMissing":
        return age < report.millis ? { ...item, QrData: null, FiscalInvoicePdf: null } : item
      case "ProofRepeated":
        return { ...item, QrData: before ?? item.QrData }
    }
  }, item)

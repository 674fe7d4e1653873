/**
 * Reports on a request, apart from its outcome: a text while it still works, a failure beside a
 * receipt, a receipt without its proof or with the proof of another.
 */
import * as Schema from "effect/Schema"
import type { QrData, StatusItem } from "../wire/StatusItem.ts"

/** Any JSON value as `Error`, and `IsActionable` of any value. */
const words = { error: Schema.Json, actionable: Schema.NullOr(Schema.Boolean) }

export const ReportFields = Schema.Union([
  /** Until the outcome, `/status` reports a failure with these words and a PDF's name. */
  Schema.TaggedStruct("Working", { ...words, pdf: Schema.optionalKey(Schema.String) }),
  Schema.TaggedStruct("Contradiction", { ...words, qrData: Schema.Literals(["object", "text"]) }),
  Schema.TaggedStruct("ProofMissing", { millis: Schema.Int }),
  Schema.TaggedStruct("ProofRepeated", {})
])
export type ReportFields = typeof ReportFields.Type

export interface ReportSubject {
  readonly requestId: string
  readonly number: string
  readonly other: string
  readonly description: string
}

export const filled = (words: Schema.Json, subject: () => ReportSubject): Schema.Json => {
  if (typeof words === "string") {
    if (!words.includes("{")) return words
    const { description, number, other, requestId } = subject()
    return words
      .replaceAll("{id}", () => requestId)
      .replaceAll("{number}", () => number)
      .replaceAll("{other}", () => other)
      .replaceAll("{description}", () => description)
  }
  if (typeof words !== "object" || words === null) return words
  if (Array.isArray(words)) return words.map((each: Schema.Json) => filled(each, subject))
  return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, filled(each, subject)])) as Schema.Json
}

/** Facts for the reports of a receipt. `age`: milliseconds since the receipt. */
export interface ReceiptFacts {
  readonly age: number
  readonly before: () => QrData | null
  readonly words: (error: Schema.Json) => Schema.Json
}

const changed = (item: StatusItem, report: ReportFields, { age, before, words }: ReceiptFacts): StatusItem => {
  switch (report._tag) {
    case "Working":
      return item
    case "Contradiction": {
      const qrData = report.qrData === "text" ? JSON.stringify(item.QrData) : item.QrData
      return { ...item, Success: false, IsActionable: report.actionable, Error: words(report.error), QrData: qrData }
    }
    case "ProofMissing":
      return age < report.millis ? { ...item, QrData: null, FiscalInvoicePdf: null } : item
    case "ProofRepeated":
      return { ...item, QrData: before() ?? item.QrData }
  }
}

/**
 * Returns the item of a receipt as the reports change it. A contradiction keeps its QrData: a
 * receipt that is reported as a failure without any is another fault.
 */
export const ofReceipt = (item: StatusItem, reports: ReadonlyArray<ReportFields>, facts: ReceiptFacts): StatusItem => {
  const isContradicted = reports.some(({ _tag }) => _tag === "Contradiction")
  let reported = item
  for (const report of reports)
    if (report._tag !== "ProofMissing" || !isContradicted) reported = changed(reported, report, facts)
  return reported
}

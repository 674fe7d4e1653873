/** Classification of records: issued sales documents, and the reasons why other records are not. */
import { type Answer, type FindingCode, type FiscalDocument, Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { decimalOf } from "@fiscal-connector/adapter-kit/unstable/json/DecimalText"
import { Document } from "../values/Fields.ts"
import { idFieldOf, idIn } from "../values/Identity.ts"
import type { JsonPlace } from "../json/Place.ts"
import { XeroFinding } from "../finding/XeroFinding.ts"
import type { XeroLikeOptions } from "../options/XeroLikeOptions.ts"

export interface Unclear {
  readonly _tag: "Unclear"
  readonly code: FindingCode.FindingCode
  readonly field: "type" | "status" | "outcome"
  readonly message: string | undefined
  readonly answers?: ReadonlyArray<Answer.Answer>
}

export type IssueStatus =
  | { readonly _tag: "Issued" }
  /**
   * `unissued`: a sale whose state may have been different, or may change. `cancelled`: a sale that
   * may have been fiscalized before it was voided or deleted.
   */
  | { readonly _tag: "Skipped"; readonly reason: string; readonly what: "other" | "unissued" | "cancelled" }
  /** The status is uncertain; the document is refused with `code`. */
  | Unclear

const skipped = (reason: string, what: "other" | "unissued" | "cancelled" = "other"): IssueStatus => ({
  _tag: "Skipped",
  reason,
  what
})

const purchases = new Map([
  ["ACCPAY", "a bill (ACCPAY)"],
  ["ACCPAYCREDIT", "a supplier's credit note (ACCPAYCREDIT)"]
])

const unissued = new Map([
  ["DRAFT", skipped("a draft, not issued (DRAFT)", "unissued")],
  ["SUBMITTED", skipped("waiting for approval, not issued (SUBMITTED)", "unissued")],
  ["VOIDED", skipped("voided (VOIDED)", "cancelled")],
  ["DELETED", skipped("deleted (DELETED)", "cancelled")]
])

const issued = new Set(["AUTHORISED", "AUTHORIZED", "PAID"])

export const kindOf = (place: JsonPlace, collection: string | undefined): FiscalDocument.DocumentKind => {
  const type = place.upperCase(Document.type)
  if (type === "ACCREC") return "invoice"
  if (type === "ACCRECCREDIT") return "credit-note"
  const isCredit = (place.text(Document.creditNoteId) ?? place.text(Document.creditNoteNumber)) !== undefined
  return isCredit || collection === "creditnotes" ? "credit-note" : "invoice"
}

export const issueStatusOf = (
  place: JsonPlace,
  kind: FiscalDocument.DocumentKind,
  { statuses }: XeroLikeOptions
): IssueStatus => {
  const type = place.upperCase(Document.type)
  const status = place.upperCase(Document.status)
  const purchase = purchases.get(type ?? "")
  if (purchase !== undefined) return skipped(purchase)
  const isSale = type === "ACCREC" || type === "ACCRECCREDIT"
  if (type?.endsWith("OVERPAYMENT") || (!isSale && idIn(place, Document.overpaymentId)))
    return skipped("an overpayment")
  if (type?.endsWith("PREPAYMENT") || (!isSale && idIn(place, Document.prepaymentId))) return skipped("a prepayment")
  const meaning = statuses?.[status ?? ""]
  const isIssued = issued.has(status ?? "") || meaning === "issued"
  if (isMarkedAsError(place)) {
    const reason = `marked as an error by the API${firstError(place)}`
    // the API gives an element that was never created an id of zeros
    return isIssued && !isNeverMade(place, kind)
      ? { _tag: "Unclear", code: XeroFinding.XERO_MARKED_AS_ERROR, field: "outcome", message: reason }
      : skipped(reason)
  }
  const cause = meaning === "issued" ? undefined : unissued.get(status ?? "")
  if (cause !== undefined) {
    const signal = signalOfIssue(place)
    return signal === undefined || meaning === "skip"
      ? cause
      : unclear(XeroFinding.XERO_STATUS_CONTRADICTED, "status", `${status}, and ${signal}`)
  }
  if (type === undefined) return unclear(XeroFinding.XERO_TYPE_MISSING, "type")
  if (!isSale) return unclear(XeroFinding.XERO_TYPE_UNKNOWN, "type", `"${type.slice(0, 60)}" is not known`)
  if (status === undefined) return unclear(XeroFinding.XERO_STATUS_MISSING, "status")
  if (isIssued && meaning !== "skip") return { _tag: "Issued" }
  if (meaning === "skip") return skipped(`to be skipped by the options (${status})`, "unissued")
  return {
    ...unclear(XeroFinding.XERO_STATUS_UNKNOWN, "status", `"${status.slice(0, 60)}" is not known`),
    answers: (["issued", "skip"] as const).map((meaning) => ({
      settings: { statuses: { [status.slice(0, 60)]: meaning } }
    }))
  }
}

const unclear = (code: FindingCode.FindingCode, field: "type" | "status", problem?: string): Unclear => ({
  _tag: "Unclear",
  code,
  field,
  message: problem === undefined ? undefined : `${field} ${problem}`
})

const isNeverMade = (place: JsonPlace, kind: FiscalDocument.DocumentKind): boolean =>
  /^[0-]+$/.test(place.key(idFieldOf(kind)) ?? place.key(Document.id) ?? "")

/** The API does not allow payments or credits on an unissued document, nor marks it as sent. */
const signalOfIssue = (place: JsonPlace): string | undefined => {
  for (const field of [Document.paid, Document.credited]) {
    const amount = decimalOf(place.text(field))
    if (amount !== undefined && !BigDecimal.isZero(amount)) return `${field.key} ${Money.formatPlain(amount)}`
  }
  if (place.text(Document.paidOn) !== undefined) return Document.paidOn.key
  return place.is(Document.sent) ? `${Document.sent.key} true` : undefined
}

const isMarkedAsError = (place: JsonPlace): boolean =>
  place.upperCase(Document.outcome) === "ERROR" ||
  place.is(Document.hasErrors) ||
  place.list(Document.validationErrors).length > 0

const firstError = (place: JsonPlace): string => {
  const message = place.list(Document.validationErrors)[0]?.text(Document.message)
  return message === undefined ? "" : `: ${message.slice(0, 200)}`
}

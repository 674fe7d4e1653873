/** What counts as an issued sales document (formats.md A2), and why the rest does not. */
import type { DocumentKind } from "@fiscal-connector/core/document/FiscalDocument"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import { Document } from "./Fields.ts"
import { idIn } from "./Identity.ts"
import type { Place } from "./Place.ts"
import { XeroFinding } from "./XeroFinding.ts"
import type { XeroLikeOptions } from "./XeroLikeOptions.ts"

export type Standing =
  | { readonly _tag: "Issued" }
  /** `cancelled`: it may have been fiscalised before it was voided or deleted. */
  | { readonly _tag: "Skipped"; readonly reason: string; readonly cancelled: boolean }
  /** Nobody can say; the document is refused with `code`. */
  | {
      readonly _tag: "Unclear"
      readonly code: FindingCode
      readonly field: "type" | "status"
      readonly message: string | undefined
    }

const skipped = (reason: string, cancelled = false): Standing => ({ _tag: "Skipped", reason, cancelled })

const purchases = new Map([
  ["ACCPAY", "a bill (ACCPAY)"],
  ["ACCPAYCREDIT", "a supplier's credit note (ACCPAYCREDIT)"]
])

const unissued = new Map([
  ["DRAFT", skipped("a draft, not issued (DRAFT)")],
  ["SUBMITTED", skipped("waiting for approval, not issued (SUBMITTED)")],
  ["VOIDED", skipped("voided (VOIDED)", true)],
  ["DELETED", skipped("deleted (DELETED)", true)]
])

const issued = new Set(["AUTHORISED", "AUTHORIZED", "PAID"])

/** The kind of a document: by its type, else by the fields and the list it stands in. */
export const kindOf = (place: Place, collection: string | undefined): DocumentKind => {
  const type = place.word(Document.type)
  if (type === "ACCREC") return "invoice"
  if (type === "ACCRECCREDIT") return "credit-note"
  const isCredit = (place.text(Document.creditNoteId) ?? place.text(Document.creditNoteNumber)) !== undefined
  return isCredit || collection === "creditnotes" ? "credit-note" : "invoice"
}

export const standingOf = (place: Place, { statuses }: XeroLikeOptions): Standing => {
  const type = place.word(Document.type)
  const status = place.word(Document.status)
  if (isMarkedAsError(place)) return skipped(`marked as an error by the API${firstError(place)}`)
  const purchase = purchases.get(type ?? "")
  if (purchase !== undefined) return skipped(purchase)
  const isSale = type === "ACCREC" || type === "ACCRECCREDIT"
  if (type?.endsWith("OVERPAYMENT") || (!isSale && idIn(place, Document.overpaymentId)))
    return skipped("an overpayment")
  if (type?.endsWith("PREPAYMENT") || (!isSale && idIn(place, Document.prepaymentId))) return skipped("a prepayment")
  const cause = unissued.get(status ?? "")
  if (cause !== undefined) return cause
  if (type === undefined) return unclear(XeroFinding.XERO_TYPE_MISSING, "type")
  if (!isSale) return unclear(XeroFinding.XERO_TYPE_UNKNOWN, "type", type)
  if (status === undefined) return unclear(XeroFinding.XERO_STATUS_MISSING, "status")
  if (issued.has(status) || statuses?.[status] === "issued") return { _tag: "Issued" }
  if (statuses?.[status] === "skip") return skipped(`to be skipped by the options (${status})`)
  return unclear(XeroFinding.XERO_STATUS_UNKNOWN, "status", status)
}

const unclear = (code: FindingCode, field: "type" | "status", word?: string): Standing => ({
  _tag: "Unclear",
  code,
  field,
  message: word === undefined ? undefined : `${field} "${word.slice(0, 60)}" is not known`
})

const isMarkedAsError = (place: Place): boolean =>
  place.word(Document.outcome) === "ERROR" ||
  place.is(Document.hasErrors) ||
  place.list(Document.validationErrors).length > 0

const firstError = (place: Place): string => {
  const message = place.list(Document.validationErrors)[0]?.text(Document.message)
  return message === undefined ? "" : `: ${message.slice(0, 200)}`
}

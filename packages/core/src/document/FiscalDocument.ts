/** An invoice or a credit note on its way to the gateway. */
import type { CreditNote } from "./CreditNote.ts"
import type { DocumentNumber, InvoiceId } from "./Identifiers.ts"
import type { Instant } from "./Instant.ts"
import type { Invoice } from "./Invoice.ts"

/** An invoice or credit note of the wire with its kind. */
export type FiscalDocument =
  | { readonly kind: "invoice"; readonly payload: Invoice }
  | { readonly kind: "credit-note"; readonly payload: CreditNote }

/** The two kinds of documents. */
export type DocumentKind = FiscalDocument["kind"]

/** A fiscal document before its receipt date is settled and an attempt says whether it is a retry. */
export type UndatedDocument =
  | { readonly kind: "invoice"; readonly payload: Undated<Invoice> }
  | { readonly kind: "credit-note"; readonly payload: Undated<CreditNote> }

type Undated<Payload> = Omit<Payload, "date" | "isRetry">

/** Settles the two fields that do not come from the source: the receipt date, and whether this attempt repeats an earlier one. */
export const stamp = (document: UndatedDocument, date: Instant, attempt: "first" | "retry"): FiscalDocument => {
  const settled = { date, isRetry: attempt === "retry" }
  return document.kind === "invoice"
    ? { kind: "invoice", payload: { ...document.payload, ...settled } }
    : { kind: "credit-note", payload: { ...document.payload, ...settled } }
}

/** The client's identifier of the document: its InvoiceId or CreditNoteId. */
export const idOf = (document: UndatedDocument): string =>
  document.kind === "invoice" ? document.payload.invoiceId : document.payload.creditNoteId

/** The invoice that a credit note credits; null for an invoice, and for a note without one. */
export const originalOf = (document: UndatedDocument): InvoiceId | null =>
  document.kind === "invoice" ? null : document.payload.originalInvoiceId

/** The number printed on the document. */
export const numberOf = (document: UndatedDocument): DocumentNumber =>
  document.kind === "invoice" ? document.payload.invoiceNumber : document.payload.creditNoteNumber

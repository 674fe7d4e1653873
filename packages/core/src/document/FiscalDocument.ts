import { BigDecimal } from "effect"
import type { CreditNote } from "./CreditNote.ts"
import type { DocumentNumber, InvoiceId } from "./Identifiers.ts"
import type { Instant } from "./Instant.ts"
import type { Invoice } from "./Invoice.ts"
import type { Money } from "./Money.ts"

/** Invoice or credit note as sent on the wire, tagged with its kind. */
export type FiscalDocument =
  | { readonly kind: "invoice"; readonly payload: Invoice }
  | { readonly kind: "credit-note"; readonly payload: CreditNote }

/** The two kinds of documents. */
export type DocumentKind = FiscalDocument["kind"]

/** Returns the amount with the sign of its kind. Null stays null. */
export const signed = <A extends Money | null>(kind: DocumentKind | null, amount: A): A =>
  amount === null || kind !== "credit-note" ? amount : (BigDecimal.negate(amount) as A)

/** A fiscal document without a receipt date and without the retry flag of an attempt. */
export type UndatedDocument =
  | { readonly kind: "invoice"; readonly payload: Undated<Invoice> }
  | { readonly kind: "credit-note"; readonly payload: Undated<CreditNote> }

type Undated<Payload> = Omit<Payload, "date" | "isRetry">

/** Sets the two fields that do not come from the source: the receipt date and the retry flag. */
export const stamp = (document: UndatedDocument, date: Instant, attempt: "first" | "retry"): FiscalDocument => {
  const settled = { date, isRetry: attempt === "retry" }
  return document.kind === "invoice"
    ? { kind: "invoice", payload: { ...document.payload, ...settled } }
    : { kind: "credit-note", payload: { ...document.payload, ...settled } }
}

/** Returns the client's identifier of the document: the InvoiceId or the CreditNoteId. */
export const idOf = (document: UndatedDocument): string =>
  document.kind === "invoice" ? document.payload.invoiceId : document.payload.creditNoteId

/**
 * Returns the invoice that a credit note credits; null for an invoice, and for a credit note
 * without an original.
 */
export const originalOf = (document: UndatedDocument): InvoiceId | null =>
  document.kind === "invoice" ? null : document.payload.originalInvoiceId

/** Returns the number printed on the document. */
export const numberOf = (document: UndatedDocument): DocumentNumber =>
  document.kind === "invoice" ? document.payload.invoiceNumber : document.payload.creditNoteNumber

/** Identifiers on the wire, each with a separate type so that the compiler rejects a mix-up. */
import { Schema } from "effect"

/** The client's identifier of an invoice; unique per account (docs/gateway.md#invoice). */
export const InvoiceId = Schema.NonEmptyString.pipe(Schema.brand("InvoiceId"))
export type InvoiceId = typeof InvoiceId.Type

/** The client's identifier of a credit note; unique per account (docs/gateway.md#creditnote). */
export const CreditNoteId = Schema.NonEmptyString.pipe(Schema.brand("CreditNoteId"))
export type CreditNoteId = typeof CreditNoteId.Type

/**
 * The number printed on an invoice or credit note; unique per taxpayer forever (RCPT013), at most
 * 50 characters (DOC-11).
 */
export const DocumentNumber = Schema.NonEmptyString.pipe(Schema.brand("DocumentNumber"))
export type DocumentNumber = typeof DocumentNumber.Type

/** The account's own tax code: the left side of a tax mapping (docs/gateway.md#taxmapping). */
export const TaxCode = Schema.NonEmptyString.pipe(Schema.brand("TaxCode"))
export type TaxCode = typeof TaxCode.Type

/** The account's own currency code: the SourceCurrency of a currency mapping. */
export const CurrencyCode = Schema.NonEmptyString.pipe(Schema.brand("CurrencyCode"))
export type CurrencyCode = typeof CurrencyCode.Type

/** Id that a submission returns, used by /status and the webhook (docs/gateway.md#transactions). */
export const RequestId = Schema.NonEmptyString.pipe(Schema.brand("RequestId"))
export type RequestId = typeof RequestId.Type

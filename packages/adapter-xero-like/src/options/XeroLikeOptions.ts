/** Settings of an operator for an export. A missing setting is never guessed. */
import { Schema } from "effect"

/** Contact fields that may hold a tax number: Xero has one field for all kinds of tax numbers. */
const ContactNumber = Schema.Literals(["TaxNumber", "CompanyNumber", "AccountNumber", "ContactNumber"])
/** Contact field that may hold a number. */
export type ContactNumber = typeof ContactNumber.Type

/** Options of a caller for an export; every option is optional. */
export const XeroLikeOptions = Schema.Struct({
  tin: Schema.optionalKey(
    ContactNumber.annotate({
      description: "the field of a contact that states the buyer's TIN; without it documents have no TIN"
    })
  ),
  vatNumber: Schema.optionalKey(
    ContactNumber.annotate({ description: "the field of a contact that states the buyer's VAT number" })
  ),
  /** The product code is an HS code (DOC-2). Omit if the export states none. */
  productCode: Schema.optionalKey(
    Schema.Literals(["item-code"]).annotate({
      description: "item-code: ItemCode is the HS code, or a spelling in the book's productCodes"
    })
  ),
  unmapped: Schema.optionalKey(
    Schema.Literals(["refuse", "unread"]).annotate({
      description: "tax numbers and item codes without a mapping, if the book has a default for them: refuse, or ignore"
    })
  ),
  paymentMethod: Schema.optionalKey(
    Schema.Literals(["paying-account"]).annotate({
      description: "paying-account: the account a payment came in on is the spelling in the book's payments"
    })
  ),
  /** Applies to documents without LineAmountTypes. If omitted, such documents are refused. */
  amounts: Schema.optionalKey(
    Schema.Literals(["inclusive", "exclusive", "untaxed"]).annotate({
      description: "for documents that do not state whether amounts include tax"
    })
  ),
  /** The stated buyer is sent, or a walk-in sale without one. If omitted: refused. */
  missingContacts: Schema.optionalKey(
    Schema.Literals(["as-stated"]).annotate({
      description: "as-stated: also send documents whose contact is missing in the export"
    })
  ),
  /** By name in upper case. A document with an unknown status is refused. */
  statuses: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Literals(["issued", "skip"])).annotate({
      description: "ARCHIVED=issued or ARCHIVED=skip: what a status means"
    })
  ),
  currency: Schema.optionalKey(
    Schema.NonEmptyString.annotate({ description: "the currency of documents that do not state it" })
  )
})
export type XeroLikeOptions = typeof XeroLikeOptions.Type

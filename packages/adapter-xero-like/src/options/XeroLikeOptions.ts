/** Settings of an operator for an export. A missing setting is never guessed. */
import { Schema } from "effect"

/** Contact fields that may hold a tax number: Xero has one field for all kinds of tax numbers. */
const ContactNumber = Schema.Literals(["TaxNumber", "CompanyNumber", "AccountNumber", "ContactNumber"])
/** Contact field that may hold a number. */
export type ContactNumber = typeof ContactNumber.Type

/** Options of a caller for an export; every option is optional. */
export const XeroLikeOptions = Schema.Struct({
  /** Contact field with the buyer's TIN. Omit if the export states none. */
  tin: Schema.optionalKey(ContactNumber),
  /** Contact field with the buyer's VAT number. Omit if the export states none. */
  vatNumber: Schema.optionalKey(ContactNumber),
  /**
   * `item-code`: the line's ItemCode is the product code (an HS code, DOC-2). Omit if the export
   * states none.
   */
  productCode: Schema.optionalKey(Schema.Literals(["item-code"])),
  /**
   * Treatment of tax numbers and item codes that no option maps, if the mapping book has a default
   * for them: refused, or left unread.
   */
  unmapped: Schema.optionalKey(Schema.Literals(["refuse", "unread"])),
  /**
   * `paying-account`: the code of the account that received the payment is the spelling for the
   * mapping book. Omit if the export states none.
   */
  paymentMethod: Schema.optionalKey(Schema.Literals(["paying-account"])),
  /**
   * Tax inclusion of amounts in documents without LineAmountTypes. If omitted, such documents are
   * refused.
   */
  amounts: Schema.optionalKey(Schema.Literals(["inclusive", "exclusive", "untaxed"])),
  /**
   * Currency of documents without CurrencyCode, in the spelling of the mapping book. If omitted,
   * such documents are refused.
   */
  currency: Schema.optionalKey(Schema.NonEmptyString),
  /**
   * `as-stated`: a document whose contact is missing in the export is sent with the stated buyer,
   * or as a walk-in sale without one. If omitted, such documents are refused.
   */
  missingContacts: Schema.optionalKey(Schema.Literals(["as-stated"])),
  /** Meaning of statuses, by name in upper case. A document with an unknown status is refused. */
  statuses: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["issued", "skip"])))
})
export type XeroLikeOptions = typeof XeroLikeOptions.Type

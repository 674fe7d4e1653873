/** What a person can settle about an export; what is left out is not guessed. */
import { Schema } from "effect"

/** The fields of a contact that can hold a tax number: Xero has one field for all kinds of them. */
const ContactNumber = Schema.Literals(["TaxNumber", "CompanyNumber", "AccountNumber", "ContactNumber"])
/** The fields of a contact that may hold a number. */
export type ContactNumber = typeof ContactNumber.Type

/** What a caller chooses for an export; each option may be left out. */
export const XeroLikeOptions = Schema.Struct({
  /** The contact's field that is the buyer's TIN. Left out: the export states none. */
  tin: Schema.optionalKey(ContactNumber),
  /** The contact's field that is the buyer's VAT number. Left out: the export states none. */
  vatNumber: Schema.optionalKey(ContactNumber),
  /** `item-code`: the line's ItemCode is the product code (an HS code, DOC-2). Left out: the export states none. */
  productCode: Schema.optionalKey(Schema.Literals(["item-code"])),
  /** Tax numbers and item codes that no option maps, where the mapping book has a default in their place: refused, or left unread. */
  unmapped: Schema.optionalKey(Schema.Literals(["refuse", "unread"])),
  /** `paying-account`: the code of the account it was paid into is the payment's spelling for the mapping book. Left out: the export states none. */
  paymentMethod: Schema.optionalKey(Schema.Literals(["paying-account"])),
  /** What amounts include in documents without LineAmountTypes. Left out: such documents are refused. */
  amounts: Schema.optionalKey(Schema.Literals(["inclusive", "exclusive", "untaxed"])),
  /** The currency of documents without CurrencyCode, in the spelling of the mapping book. Left out: such documents are refused. */
  currency: Schema.optionalKey(Schema.NonEmptyString),
  /** `as-stated`: a document whose contact the export does not have goes as far as it states its buyer, as a walk-in where it states none. Left out: such documents are refused. */
  missingContacts: Schema.optionalKey(Schema.Literals(["as-stated"])),
  /** What statuses mean, by their name in upper case. Left out: a document with an unknown status is refused. */
  statuses: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["issued", "skip"])))
})
export type XeroLikeOptions = typeof XeroLikeOptions.Type

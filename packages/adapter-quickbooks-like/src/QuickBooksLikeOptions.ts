import { Schema } from "effect"

/** Fields of a customer that may hold a tax number. */
export const taxNumbers = [
  "PrimaryTaxIdentifier",
  "SecondaryTaxIdentifier",
  "ResaleNum",
  "BusinessNumber",
  "GSTIN"
] as const

export const options = {
  currency: Schema.optionalKey(
    Schema.String.annotate({ description: "the currency of documents that do not state it: the company has only one" })
  ),
  tin: Schema.optionalKey(
    Schema.Literals(taxNumbers).annotate({ description: "the field of a customer that states the buyer's TIN" })
  ),
  vatNumber: Schema.optionalKey(
    Schema.Literals(taxNumbers).annotate({ description: "the field of a customer that states the buyer's VAT number" })
  ),
  productCode: Schema.optionalKey(
    Schema.Literals(["item-id", "item-name"]).annotate({
      description: "the field of a line's item that is the HS code, or a spelling in the book's productCodes"
    })
  ),
  missingCustomers: Schema.optionalKey(
    Schema.Literals(["as-stated"]).annotate({
      description: "as-stated: also send documents whose customer is missing in the export"
    })
  )
}

/** Decisions of an operator about a QuickBooks-shaped export. */
export type QuickBooksLikeOptions = Schema.Struct.Type<typeof options>

import { Schema } from "effect"

/** Fields of a partner that may hold a tax number. */
export const taxNumbers = ["vat", "company_registry"] as const

/** Schemas of the options, by their names. */
export const options = {
  amounts: Schema.optionalKey(
    Schema.Literals(["inclusive", "exclusive"]).annotate({
      description: "whether prices include tax, if a tax leaves it to the company (account_price_include)"
    })
  ),
  tin: Schema.optionalKey(
    Schema.Literals(taxNumbers).annotate({ description: "the field of a partner that states the buyer's TIN" })
  ),
  vatNumber: Schema.optionalKey(
    Schema.Literals(taxNumbers).annotate({ description: "the field of a partner that states the buyer's VAT number" })
  ),
  productCode: Schema.optionalKey(
    Schema.Literals(["default-code", "product-id"]).annotate({
      description: "the field of a line's product that is the HS code, or a spelling in the book's productCodes"
    })
  ),
  missingPartners: Schema.optionalKey(
    Schema.Literals(["as-stated"]).annotate({
      description: "as-stated: also send documents whose partner is missing in the export"
    })
  )
}

/** Decisions of an operator about an Odoo-shaped export. */
export type OdooLikeOptions = Schema.Struct.Type<typeof options>

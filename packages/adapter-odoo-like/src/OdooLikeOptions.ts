/** What an Odoo-shaped export leaves open. */
import { Schema } from "effect"

/** Fields of a partner that may hold a tax number. */
export const taxNumbers = ["vat", "company_registry"] as const

/** Schemas of the options, by their names. */
export const options = {
  amounts: Schema.optionalKey(
    Schema.Literals(["inclusive", "exclusive"]).annotate({
      description: "what prices include where a tax leaves it to the company (account_price_include)"
    })
  ),
  tin: Schema.optionalKey(
    Schema.Literals(taxNumbers).annotate({ description: "which field of a partner is the buyer's TIN" })
  ),
  vatNumber: Schema.optionalKey(
    Schema.Literals(taxNumbers).annotate({ description: "which field of a partner is the buyer's VAT number" })
  ),
  productCode: Schema.optionalKey(
    Schema.Literals(["default-code", "product-id"]).annotate({
      description: "what of a line's product is the HS code, or a spelling in the book's productCodes"
    })
  ),
  missingPartners: Schema.optionalKey(
    Schema.Literals(["as-stated"]).annotate({
      description: "as-stated: a document whose partner the export does not have goes all the same"
    })
  )
}

/** What a person settles about an Odoo-shaped export. */
export type OdooLikeOptions = Schema.Struct.Type<typeof options>

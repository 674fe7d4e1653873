import { Schema } from "effect"

export const options = {
  tin: Schema.optionalKey(
    Schema.Literals(["tax_id"]).annotate({ description: "the field of a document that states the buyer's TIN" })
  ),
  vatNumber: Schema.optionalKey(
    Schema.Literals(["tax_id"]).annotate({ description: "the field of a document that states the buyer's VAT number" })
  ),
  productCode: Schema.optionalKey(
    Schema.Literals(["item-code"]).annotate({
      description: "item-code: item_code is the HS code, or a spelling in the book's productCodes"
    })
  ),
  debitNotes: Schema.optionalKey(
    Schema.Literals(["invoice", "skip"]).annotate({
      description: "debit notes, which increase an earlier invoice: read as invoices, or skip"
    })
  )
}

/** Decisions of an operator about an ERPNext-shaped export. */
export type ErpnextLikeOptions = Schema.Struct.Type<typeof options>

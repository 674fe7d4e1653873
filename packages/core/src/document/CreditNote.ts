/**
 * The body of a credit note submission (docs/gateway.md#creditnote). Field names are camelCase here
 * and capitalized on the wire.
 */
import { Schema } from "effect"
import { CreditNoteId, DocumentNumber, InvoiceId } from "./Identifiers.ts"
import { commonFields } from "./Invoice.ts"
import * as WireNames from "./WireNames.ts"

/**
 * Credit note payload. `originalInvoiceId` is the InvoiceId of the credited invoice; `reference` is
 * the reason, mandatory (DOC-5).
 */
export const CreditNote = WireNames.struct({
  creditNoteId: CreditNoteId,
  originalInvoiceId: Schema.NullOr(InvoiceId),
  creditNoteNumber: DocumentNumber,
  ...commonFields
})
export interface CreditNote extends Schema.Schema.Type<typeof CreditNote> {}

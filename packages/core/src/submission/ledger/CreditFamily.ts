/** A sent invoice, its credit notes, and what the source states of it now. */
import type { UndatedDocument } from "../../document/FiscalDocument.ts"
import type { CodeMeaning } from "./Original.ts"
import type { SaleKey } from "./SameSale.ts"

/** A document with the meaning of its codes when it was planned; null if it was not kept. */
export interface FamilyDocument {
  readonly document: UndatedDocument
  readonly meaning: CodeMeaning | null
}

/** A credit note on an invoice, in its current revision. */
export interface NoteOnInvoice extends SaleKey, FamilyDocument {
  readonly number: string
  readonly state: string
  /** `here`: prepared by this program. */
  readonly made: "source" | "here"
  /**
   * `open`: waits or is under way. `ended`: has no receipt, and gets none. `unclear`: an open
   * conflict is about its receipts.
   */
  readonly standing: "fiscalised" | "open" | "ended" | "unclear"
  /** A prepared note is the same credit, by an operator's answer. */
  readonly isRepresented: boolean
}

/** Present statement of the source about a sent invoice. */
export type StatedInvoice =
  | { readonly _tag: "AsSent" }
  /** Void, canceled or deleted. */
  | { readonly _tag: "Nothing" }
  | ({ readonly _tag: "Changed" } & FamilyDocument)
  /** Changed, and the new figures were not kept. */
  | { readonly _tag: "NotKept" }

/** A fiscalised invoice with everything that changes its balance. */
export interface Family {
  readonly sent: FamilyDocument
  readonly notes: ReadonlyArray<NoteOnInvoice>
  /** Notes of the source that may be on the invoice: refused, or without an original. */
  readonly unplaced: ReadonlyArray<string>
  readonly stated: StatedInvoice
}

/** A sent invoice, its credit notes, and what the source states of it now. */
import type { UndatedDocument } from "../../document/FiscalDocument.ts"
import type { CodeMeaning } from "./Original.ts"
import type { SaleKey } from "./SameSale.ts"

export interface FamilyDocument {
  readonly document: UndatedDocument
  readonly meaning: CodeMeaning | null
}

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
  readonly isRepresented: boolean
}

export interface ReceiptNote extends NoteOnInvoice {
  readonly receipt: string
}

export interface ReceiptNotes {
  readonly notes: ReadonlyArray<ReceiptNote>
  readonly credited: ReadonlyArray<string>
}

/** Names a receipt for an operator: its number on the device, else its code. Null without both. */
export const receiptName = (number: number | null, code: string | null): string | null =>
  number !== null && number > 0 ? String(number) : code

export const counting = <Note extends NoteOnInvoice>(notes: ReadonlyArray<Note>): ReadonlyArray<Note> =>
  notes.filter(({ standing }) => standing !== "ended")

/**
 * Returns how many receipts of the invoice are too many. A note may be meant for a receipt that
 * only the portal shows.
 */
export const surplusOf = (proven: ReadonlyArray<string | null>, notes: ReadonlyArray<ReceiptNote>): number => {
  const names = new Set(proven)
  const shown = new Set(counting(notes).flatMap(({ receipt }) => (names.has(receipt) ? [] : [receipt])))
  return Math.max(0, proven.length + shown.size - 1)
}

export type StatedInvoice =
  | { readonly _tag: "AsSent" }
  /** Void, canceled or deleted. */
  | { readonly _tag: "Nothing" }
  | ({ readonly _tag: "Changed" } & FamilyDocument)
  /** Changed, and the new figures were not kept. */
  | { readonly _tag: "NotKept" }

/** Returns a text that changes with every fact from which a note is prepared, but for that note. */
export const basisOf = (
  { notes, ofReceipts, sent, stated, unplaced }: Family & { readonly ofReceipts: ReceiptNotes },
  noteId: string
): string => {
  const others = (all: ReadonlyArray<NoteOnInvoice>) => all.filter(({ id, made }) => made === "source" || id !== noteId)
  const facts = [sent, stated, unplaced, others(notes), others(ofReceipts.notes), ofReceipts.credited]
  return JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))
}

export interface Family {
  readonly sent: FamilyDocument
  readonly notes: ReadonlyArray<NoteOnInvoice>
  readonly unplaced: ReadonlyArray<string>
  readonly stated: StatedInvoice
}

/** Neutral invoice or credit note as the source states it: nothing computed, nothing guessed. */
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { Instant } from "../document/Instant.ts"
import type { Money } from "../document/Money.ts"
import type { Answer } from "../finding/Answer.ts"
import type { Finding, Path } from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { Meaning, StatedWord } from "./StatedWords.ts"

/** An invoice or credit note as the source states it. */
export interface SourceDocument {
  readonly _tag: "SourceDocument"
  readonly kind: DocumentKind
  /** The source's own stable identifier; the number if the source has no identifier. */
  readonly id: string
  readonly number: string
  /** Position in the export, from 0. */
  readonly order: number
  /** Day, or instant with offset, as the source states it. Left out if not readable. */
  readonly date?: CivilDate | Instant
  /** Due day. Compared with the document date, never used. */
  readonly due?: CivilDate
  /** Spelling of the export; the mapping book maps it to a code. */
  readonly currency?: string
  /**
   * Tax treatment of unit and line amounts. `untaxed`: the source states that the document has no
   * tax.
   */
  readonly taxMode: "inclusive" | "exclusive" | "untaxed" | "unstated"
  readonly buyer?: SourceBuyer
  readonly lines: ReadonlyArray<SourceLine>
  /** Amounts of the document that are not lines in the source. */
  readonly charges: ReadonlyArray<SourceCharge>
  /** Totals as the source states them, in the document's currency. */
  readonly totals: { readonly net?: Money; readonly tax?: Money; readonly total?: Money }
  /** Invoices that a credit note credits. `amount` includes tax. */
  readonly originals: ReadonlyArray<SourceOriginal>
  /**
   * Document of the same kind that this one replaces (an amended or corrected document). Held until
   * that one is credited in full.
   */
  readonly replaces?: { readonly by: "id" | "number"; readonly value: string }
  readonly reason?: string
  readonly reference?: string
  /** Spelling of the export; the mapping book maps it to a payment method. */
  readonly paymentMethod?: string
  /**
   * Time of the last change in the source, in milliseconds since the epoch. If a document is stated
   * several times, the latest statement counts.
   */
  readonly modified?: number
  /**
   * Fields with a known name (`StatedWords`) that no other property was read from. Compared, never
   * used. `where(["words", i])` is the place of each.
   */
  readonly words?: ReadonlyArray<SourceWord>
  /**
   * Amounts in unread columns. Compared with the total to be sent, never used. `where(["amounts",
   * i])` is the place of each.
   */
  readonly amounts?: ReadonlyArray<SourceAmount>
  /**
   * Faults found by the adapter in the document. An error refuses the document, after all other
   * checks.
   */
  readonly findings: ReadonlyArray<Finding>
  /**
   * Returns the place of a value in the export; for the empty path, the place of the document.
   * Computed on demand.
   */
  where(path: Path): Provenance
}

/** Statements of an adapter, with undefined for a field that the export does not state. */
export type StatedFields = {
  readonly [Field in keyof DocumentValues]: {} extends Pick<DocumentValues, Field>
    ? DocumentValues[Field] | undefined
    : DocumentValues[Field]
}
type DocumentValues = Omit<SourceDocument, "_tag" | "where">

/** A document of an adapter that finds the place of every value itself. */
export abstract class StatedDocument implements SourceDocument {
  readonly _tag = "SourceDocument"
  readonly kind: DocumentValues["kind"]
  readonly id: DocumentValues["id"]
  readonly number: DocumentValues["number"]
  readonly order: DocumentValues["order"]
  readonly taxMode: DocumentValues["taxMode"]
  readonly lines: DocumentValues["lines"]
  readonly charges: DocumentValues["charges"]
  readonly totals: DocumentValues["totals"]
  readonly originals: DocumentValues["originals"]
  readonly findings: DocumentValues["findings"]
  declare readonly date?: NonNullable<DocumentValues["date"]>
  declare readonly due?: NonNullable<DocumentValues["due"]>
  declare readonly currency?: NonNullable<DocumentValues["currency"]>
  declare readonly buyer?: NonNullable<DocumentValues["buyer"]>
  declare readonly replaces?: NonNullable<DocumentValues["replaces"]>
  declare readonly reason?: NonNullable<DocumentValues["reason"]>
  declare readonly reference?: NonNullable<DocumentValues["reference"]>
  declare readonly paymentMethod?: NonNullable<DocumentValues["paymentMethod"]>
  declare readonly modified?: NonNullable<DocumentValues["modified"]>
  declare readonly words?: NonNullable<DocumentValues["words"]>
  declare readonly amounts?: NonNullable<DocumentValues["amounts"]>

  constructor(stated: StatedFields) {
    // no loop over the fields: this runs for every document
    this.kind = stated.kind
    this.id = stated.id
    this.number = stated.number
    this.order = stated.order
    this.taxMode = stated.taxMode
    this.lines = stated.lines
    this.charges = stated.charges
    this.totals = stated.totals
    this.originals = stated.originals
    this.findings = stated.findings
    if (stated.date !== undefined) this.date = stated.date
    if (stated.due !== undefined) this.due = stated.due
    if (stated.currency !== undefined) this.currency = stated.currency
    if (stated.buyer !== undefined) this.buyer = stated.buyer
    if (stated.modified !== undefined) this.modified = stated.modified
    if (stated.reference !== undefined) this.reference = stated.reference
    if (stated.words !== undefined) this.words = stated.words
    if (stated.paymentMethod !== undefined) this.paymentMethod = stated.paymentMethod
    if (stated.replaces !== undefined) this.replaces = stated.replaces
    if (stated.reason !== undefined) this.reason = stated.reason
    if (stated.amounts !== undefined) this.amounts = stated.amounts
  }

  abstract where(path: Path): Provenance
}

/** The buyer as the source states it. */
export interface SourceBuyer {
  /** The source's own identifier of the buyer. Compared, never sent. */
  readonly id?: string
  readonly name?: string
  readonly tradeName?: string
  readonly tin?: string
  readonly vatNumber?: string
  readonly phone?: string
  readonly email?: string
  readonly address?: {
    readonly province?: string
    readonly street?: string
    readonly houseNo?: string
    readonly city?: string
  }
}

/** A line as the source states it; unstated values are left out. */
export interface SourceLine {
  readonly description?: string
  readonly quantity?: Money
  readonly unitPrice?: Money
  /** Amount after discount. */
  readonly lineAmount?: Money
  /** Discount. Percent as 15, not 0.15; an amount is for the whole line and positive. */
  readonly discount?: { readonly percent: Money } | { readonly amount: Money }
  /**
   * Spelling of each tax in the export; stated percents and amounts are compared, never trusted.
   */
  readonly taxes: ReadonlyArray<SourceTax>
  readonly productCode?: string
  /**
   * Ledger account of the line; a mapping book may give a blank tax code a meaning for an account.
   */
  readonly account?: string
  /**
   * Other stated figures: the line without tax, all its tax, and with tax. Compared, never used.
   */
  readonly totals?: { readonly net?: Money; readonly tax?: Money; readonly total?: Money }
}

/** A tax in the export's spelling, with the stated percent and amount. */
export interface SourceTax {
  readonly code: string
  readonly percent?: Money
  readonly amount?: Money
}

/** An amount of the document that is not an invoice line. */
export interface SourceCharge {
  readonly kind: "shipping" | "fee" | "adjustment" | "rounding" | "discount"
  readonly amount: Money
  readonly taxes: ReadonlyArray<SourceTax>
}

/** A document that a credit note credits. */
export interface SourceOriginal {
  readonly by: "id" | "number"
  readonly value: string
  /** Number stated next to an id. Compared, never used. */
  readonly number?: string
  readonly amount?: Money
  /** Other stated facts about the credited document. Compared, never used. */
  readonly date?: CivilDate
  readonly currency?: string
  readonly total?: Money
}

/** Value of a field that the document was not read from. */
export interface SourceWord extends StatedWord {
  /** Meaning by the export's own column map, if the map states one. */
  readonly means?: Meaning
  /** Answers that settle which of two statements counts. Any answer is enough. */
  readonly answers?: ReadonlyArray<Answer>
}

/** Amounts of the document in one unread column. */
export interface SourceAmount {
  readonly name: string
  /**
   * Value of each row, and the sum of the rows. If the column states totals, one of the values is
   * the document's total.
   */
  readonly values: ReadonlyArray<Money>
  /** Sign or code of money next to a value, if it contradicts the currency of the document. */
  readonly currency?: string
  /** Answers that settle whether the column states the total. Any answer is enough. */
  readonly answers?: ReadonlyArray<Answer>
  /**
   * Set for a column that is read as the amounts of several rows, on the word of a column map. The
   * rows state different amounts, or repeat one, which may be the document's. Left out for an
   * unread column.
   */
  readonly of?: "rows" | "repeated"
  /** Answers that read the column as a number that changes the total, such as a discount. */
  readonly changes?: ReadonlyArray<Answer>
}

/**
 * An item of the export that is not an issued sales document: a bill, a draft, a void. Counted and
 * reported.
 */
export interface Skipped {
  readonly _tag: "Skipped"
  /** Number of the item in the source, otherwise the id. */
  readonly key: string
  readonly reason: string
  readonly at: Provenance
  readonly document?: { readonly kind: DocumentKind; readonly id: string; readonly number: string }
  /** Time of the last change in the source, in milliseconds since the epoch. */
  readonly modified?: number
  /**
   * Document that could be sent but is left out: too old for the account, or another statement of
   * the document counts.
   */
  readonly of?: { readonly kind: DocumentKind; readonly id: string; readonly number: string }
  /**
   * Sales document that the source has voided or deleted. A document that was fiscalized before
   * needs a credit note.
   */
  readonly cancelled?: {
    readonly kind: DocumentKind
    readonly id: string
    readonly number: string
    /** As of a document that is not canceled: what replaces this one replaces that one as well. */
    readonly replaces?: NonNullable<SourceDocument["replaces"]>
  }
}

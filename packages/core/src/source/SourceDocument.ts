/** A neutral invoice or credit note as the source states it: nothing computed, nothing guessed. */
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
  /** The source's own stable identifier; its number where it has no other. */
  readonly id: string
  readonly number: string
  /** Its place in the export, counted from 0. */
  readonly order: number
  /** A day, or an instant with its offset, just as the source has it. Left out when it could not be read. */
  readonly date?: CivilDate | Instant
  /** Day on which it is to be paid. Compared with its date, never used. */
  readonly due?: CivilDate
  /** The export's spelling; the mapping book knows which code it is. */
  readonly currency?: string
  /** What unit and line amounts include. `untaxed`: the source says there is no tax on this document. */
  readonly taxMode: "inclusive" | "exclusive" | "untaxed" | "unstated"
  readonly buyer?: SourceBuyer
  readonly lines: ReadonlyArray<SourceLine>
  /** Amounts of the document that are no line in the source. */
  readonly charges: ReadonlyArray<SourceCharge>
  /** As the source states them, in the document's currency. */
  readonly totals: { readonly net?: Money; readonly tax?: Money; readonly total?: Money }
  /** What a credit note credits. `amount` is inclusive of tax. */
  readonly originals: ReadonlyArray<SourceOriginal>
  /** Why a credit note was given. */
  readonly reason?: string
  readonly reference?: string
  /** The export's spelling; the mapping book knows which method it is. */
  readonly paymentMethod?: string
  /** When the source last changed it, in milliseconds since the epoch: of several statements of one document the latest counts. */
  readonly modified?: number
  /** Fields that the vocabulary knows by name (`StatedWords`) and that nothing else here was read from. Compared, never used. `where(["words", i])` is the place of each. */
  readonly words?: ReadonlyArray<SourceWord>
  /** Amounts in columns that nothing reads. Compared with the total that would be sent, never used. `where(["amounts", i])` is the place of each. */
  readonly amounts?: ReadonlyArray<SourceAmount>
  /** What the adapter could not read in this document. An error among them refuses it, after everything else has been checked. */
  readonly findings: ReadonlyArray<Finding>
  /** Where a value stands in the export; the document itself for the empty path. Computed on demand. */
  where(path: Path): Provenance
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

/** A line as the source states it; what it does not state is left out. */
export interface SourceLine {
  readonly description?: string
  readonly quantity?: Money
  readonly unitPrice?: Money
  /** After discount. */
  readonly lineAmount?: Money
  /** Percent as 15, not 0.15; an amount is the whole line's and positive. */
  readonly discount?: { readonly percent: Money } | { readonly amount: Money }
  /** The export's spelling of each tax; what it says of percent and amount is compared, never trusted. */
  readonly taxes: ReadonlyArray<SourceTax>
  readonly productCode?: string
  /** The ledger account it is booked to; a mapping book may say what a blank tax code means for it. */
  readonly account?: string
  /** What the source states besides: the line without tax, all its tax, and with tax. Compared, never used. */
  readonly totals?: { readonly net?: Money; readonly tax?: Money; readonly total?: Money }
}

/** A tax in the export's spelling, and what the export says of it. */
export interface SourceTax {
  readonly code: string
  readonly percent?: Money
  readonly amount?: Money
}

/** An amount of the document that is no line. */
export interface SourceCharge {
  readonly kind: "shipping" | "fee" | "adjustment" | "rounding" | "discount"
  readonly amount: Money
  readonly taxes: ReadonlyArray<SourceTax>
}

/** A document that a credit note credits. */
export interface SourceOriginal {
  readonly by: "id" | "number"
  readonly value: string
  /** The number that is stated beside an id. Compared, never used. */
  readonly number?: string
  readonly amount?: Money
  /** Facts that are stated beside it, of the document that is credited. Compared, never used. */
  readonly date?: CivilDate
  readonly currency?: string
  readonly total?: Money
}

/** Value of a field beside those that the document was read from. */
export interface SourceWord extends StatedWord {
  /** Meaning by the export's own column map, where the map says it. */
  readonly means?: Meaning
  /** Any of these settles which of two statements counts. */
  readonly answers?: ReadonlyArray<Answer>
}

/** Amounts that the document states in one column that nothing reads. */
export interface SourceAmount {
  /** Name of the column. */
  readonly name: string
  /** Each value that a row states, and the sum of the rows. One of them is the document's total where the column states totals. */
  readonly values: ReadonlyArray<Money>
  /** Any of these settles whether the column states the total. */
  readonly answers?: ReadonlyArray<Answer>
}

/** Something in the export that is no issued sales document: a bill, a draft, a void. Counted and said. */
export interface Skipped {
  readonly _tag: "Skipped"
  /** How the source calls it: its number, else its id. */
  readonly key: string
  readonly reason: string
  readonly at: Provenance
  /** The sales document that is in this state; the export may state it elsewhere in another. */
  readonly document?: { readonly kind: DocumentKind; readonly id: string; readonly number: string }
  /** When the source last changed it, in milliseconds since the epoch. */
  readonly modified?: number
  /** The document that is left out although it could be sent: it is too old for the account, or another statement of it counts. */
  readonly of?: { readonly kind: DocumentKind; readonly id: string; readonly number: string }
  /** A sales document that the source has voided or deleted. If it was fiscalised before, it needs a credit note. */
  readonly cancelled?: { readonly kind: DocumentKind; readonly id: string; readonly number: string }
}

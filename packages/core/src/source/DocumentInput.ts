/** Invoices and credit notes as plain objects: what the accounting system says, nothing computed. */

/** An exact decimal in digits, as `"9.99"`. A JavaScript number has lost digits before anybody can look, and is refused. */
export type DecimalString = string

/** A line, as a program gives it. */
export interface LineInput {
  readonly description: string
  readonly quantity: DecimalString
  /** For one, inclusive of tax where `taxMode` is `inclusive`. */
  readonly unitPrice: DecimalString
  /** The source's own spelling; the mapping book knows which tax it is. */
  readonly taxCode: string
  /** What the source says the tax is; compared, never used. Percent as `"15"`, not `"0.15"`. */
  readonly tax?: { readonly percent?: DecimalString; readonly amount?: DecimalString }
  /** The HS code. */
  readonly productCode?: string
  /** Percent as `"10"`; an amount is the whole line's and positive. */
  readonly discount?: { readonly percent: DecimalString } | { readonly amount: DecimalString }
  /** The line's amount after discount, where the source has it; compared. */
  readonly amount?: DecimalString
  /** The ledger account it is booked to. */
  readonly account?: string
}

/** An amount that is no line, as a program gives it. */
export interface ChargeInput {
  readonly kind: "shipping" | "fee" | "adjustment" | "rounding" | "discount"
  readonly amount: DecimalString
  readonly taxCode?: string
}

/** The buyer, as a program gives it. */
export interface BuyerInput {
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

/** As the source states them, in the document's currency: held against what would be sent. */
export interface TotalsInput {
  readonly net?: DecimalString
  readonly tax?: DecimalString
  readonly total?: DecimalString
}

interface CommonInput {
  /** The source's own stable identifier: what makes a second run the same document. */
  readonly id: string
  /** The number printed on it. */
  readonly number: string
  /** A day (`"2026-03-31"`), or an instant with its offset (`"2026-03-31T14:05:00+02:00"`). */
  readonly date: string
  readonly currency: string
  /** What unit prices include. `untaxed`: the source says there is no tax on this document. */
  readonly taxMode: "inclusive" | "exclusive" | "untaxed"
  readonly buyer?: BuyerInput
  readonly lines: ReadonlyArray<LineInput>
  /** Amounts of the document that are no line. */
  readonly charges?: ReadonlyArray<ChargeInput>
  readonly totals?: TotalsInput
  readonly reference?: string
  /** The source's own spelling; the mapping book knows which method it is. */
  readonly paymentMethod?: string
  /** When the source last changed it, with an offset: of several statements of one document the latest counts. */
  readonly modified?: string
}

/** An invoice, as a program gives it. */
export interface InvoiceInput extends CommonInput {
  readonly kind: "invoice"
}

/** A credit note, as a program gives it. */
export interface CreditNoteInput extends CommonInput {
  readonly kind: "credit-note"
  /** The invoice it credits, by its id or its number. */
  readonly original?: { readonly id: string } | { readonly number: string }
  readonly reason?: string
}

/** A document that the source has voided or deleted: nothing of it is sent any more, and what was fiscalised before needs a credit note. */
export interface CancelledInput {
  readonly kind: "cancelled"
  /** What it was. */
  readonly of: "invoice" | "credit-note"
  readonly id: string
  readonly number: string
}

/** An invoice, a credit note or what was one, as a program gives it. */
export type DocumentInput = InvoiceInput | CreditNoteInput | CancelledInput

/** One run's documents. What can be read only once (a cursor) is taken as well. */
export type Documents = Iterable<DocumentInput> | AsyncIterable<DocumentInput>

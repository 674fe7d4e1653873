/**
 * Invoices and credit notes as plain objects, as the accounting system states them; nothing is
 * computed.
 */

/**
 * An exact decimal as text, such as `"9.99"`. A JavaScript number is refused: digits may already be
 * lost.
 */
export type DecimalString = string

/** A line, as a program passes it. */
export interface LineInput {
  readonly description: string
  readonly quantity: DecimalString
  /** Price of one unit, tax included if `taxMode` is `inclusive`. */
  readonly unitPrice: DecimalString
  /** Spelling of the source; the mapping book maps it to a tax. */
  readonly taxCode: string
  /** Tax as the source states it; compared, never used. Percent as `"15"`, not `"0.15"`. */
  readonly tax?: { readonly percent?: DecimalString; readonly amount?: DecimalString }
  /** HS code. */
  readonly productCode?: string
  /** Discount. Percent as `"10"`; an amount is for the whole line and positive. */
  readonly discount?:
    | { readonly percent: DecimalString; readonly amount?: never }
    | { readonly amount: DecimalString; readonly percent?: never }
  /** Line amount after discount, if the source states one; compared. */
  readonly amount?: DecimalString
  readonly account?: string
}

/** An amount other than an invoice line, as a program passes it. */
export interface ChargeInput {
  readonly kind: "shipping" | "fee" | "adjustment" | "rounding" | "discount"
  readonly amount: DecimalString
  readonly taxCode?: string
}

/** The buyer, as a program passes it. */
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

/**
 * Totals as the source states them, in the document's currency; compared with the amounts to be
 * sent.
 */
export interface TotalsInput {
  readonly net?: DecimalString
  readonly tax?: DecimalString
  readonly total?: DecimalString
}

interface CommonInput {
  /** The source's own stable identifier: a second run recognizes the document by this id. */
  readonly id: string
  readonly number: string
  /** Day (`"2026-03-31"`), or instant with offset (`"2026-03-31T14:05:00+02:00"`). */
  readonly date: string
  readonly currency: string
  readonly taxMode: "inclusive" | "exclusive" | "untaxed"
  readonly buyer?: BuyerInput
  readonly lines: ReadonlyArray<LineInput>
  /** Amounts of the document that are not invoice lines. */
  readonly charges?: ReadonlyArray<ChargeInput>
  readonly totals?: TotalsInput
  /**
   * Document of the same kind that this one replaces, by id or by number: not sent while that one
   * may have a receipt, until it is credited in full.
   */
  readonly replaces?: { readonly id: string } | { readonly number: string }
  readonly reference?: string
  /** Spelling of the source; the mapping book maps it to a payment method. */
  readonly paymentMethod?: string
  /**
   * Time of the last change in the source, with offset. If a document is stated several times, the
   * latest statement counts.
   */
  readonly modified?: string
}

/** An invoice, as a program passes it. */
export interface InvoiceInput extends CommonInput {
  readonly kind: "invoice"
}

/** A credit note, as a program passes it. */
export interface CreditNoteInput extends CommonInput {
  readonly kind: "credit-note"
  readonly original?: { readonly id: string } | { readonly number: string }
  readonly reason?: string
}

/**
 * A document that the source has voided or deleted: no part is sent any more. A document that was
 * fiscalized before needs a credit note.
 */
export interface CancelledInput {
  readonly kind: "cancelled"
  readonly of: "invoice" | "credit-note"
  readonly id: string
  readonly number: string
  /** As of an invoice. */
  readonly replaces?: InvoiceInput["replaces"]
}

/** An invoice, a credit note or a canceled document, as a program passes it. */
export type DocumentInput = InvoiceInput | CreditNoteInput | CancelledInput

/**
 * Documents of one run. A source that can be read only once (a cursor) is accepted too. The list is
 * named although it is iterable: so the compiler reports the field of a wrong document.
 */
export type Documents = ReadonlyArray<DocumentInput> | Iterable<DocumentInput> | AsyncIterable<DocumentInput>

/** The original of a credit note: an invoice of this store, or fiscalized elsewhere. */
import type { BuyerContact } from "../../document/BuyerContact.ts"
import type { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../document/Identifiers.ts"
import type { Instant } from "../../document/Instant.ts"
import type { LineItem } from "../../document/LineItem.ts"
import type { Money } from "../../document/Money.ts"

export type NamedBuyer = Pick<BuyerContact, "name" | "tin" | "vatNumber">

export interface CodeMeaning {
  readonly currency: string
  /** Each tax code with the device's tax and its percent as 15, not 0.15; null is exempt. */
  readonly taxes: ReadonlyArray<readonly [code: string, tax: number, percent: string | null]>
}

export interface OriginalFigures {
  readonly invoiceId: InvoiceId
  readonly number: DocumentNumber
  readonly date: Instant
  readonly currency: CurrencyCode
  readonly total: Money
  readonly taxCodes: ReadonlyArray<TaxCode>
}

/** An invoice that can be credited: one of our submissions, or registered by `originals import`. */
export interface Original extends OriginalFigures {
  /**
   * `open`: not yet fiscalized, but still possible. `void`: refused, Declined, Rejected, Expired or
   * Withdrawn.
   */
  readonly status: "fiscalised" | "open" | "void"
  /** Meaning of the codes when the invoice was planned. Absent if it was not kept. */
  readonly meaning?: CodeMeaning
  readonly buyer?: NamedBuyer | null
  readonly lines?: ReadonlyArray<LineItem>
  /** Credits in the original's currency: fiscalized and in flight, each counted once (RCPT035). */
  readonly credited: Money
  /**
   * Our credit notes within `credited`, so that a note planned before is not counted against
   * itself.
   */
  readonly credits: ReadonlyArray<Credit>
}

export interface Credit {
  readonly id: string
  readonly total: Money
  /**
   * `waiting`: another import may still replace the note. `sent`: its amount counts, because the
   * note is in flight or fiscalized, or waits again after a request that may have been processed.
   */
  readonly status: "waiting" | "sent"
  /** `here`: prepared by this program. */
  readonly made: "source" | "here"
}

/** An invoice fiscalized elsewhere (`originals import`). */
export interface RegisteredOriginal extends OriginalFigures {
  readonly account: string
  readonly taxpayer: string
  /** Amount credited elsewhere so far. */
  readonly credited: Money
}

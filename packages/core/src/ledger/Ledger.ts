/**
 * Read port of preflight to everything planned, sent and fiscalised so far. SqlStore implements the
 * port.
 */
import type { Effect, Option } from "effect"
import type { BuyerContact } from "../document/BuyerContact.ts"
import type { FiscalDocument } from "../document/FiscalDocument.ts"
import type { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { LineItem } from "../document/LineItem.ts"
import type { Money } from "../document/Money.ts"
import type { LaneMark } from "../dating/Mark.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * Document with a used number. A number is unique per taxpayer, in one key space for invoices and
 * credit notes (RCPT013).
 */
export interface NumberHolder {
  readonly number: DocumentNumber
  readonly account: string
  readonly kind: FiscalDocument["kind"]
  readonly id: string
}

/** Fields that distinguish buyers. */
export type NamedBuyer = Pick<BuyerContact, "name" | "tin" | "vatNumber">

/** An invoice that can be credited: one of our submissions, or registered by `originals import`. */
export interface Original {
  readonly invoiceId: InvoiceId
  readonly number: DocumentNumber
  /**
   * `open`: not yet fiscalised, but still possible. `void`: refused, Declined, Rejected, Expired or
   * Withdrawn.
   */
  readonly status: "fiscalised" | "open" | "void"
  readonly date: Instant
  readonly currency: CurrencyCode
  readonly total: Money
  readonly taxCodes: ReadonlyArray<TaxCode>
  /** Absent if only the figures are known. */
  readonly buyer?: NamedBuyer | null
  readonly lines?: ReadonlyArray<LineItem>
  /** Credits in the original's currency: fiscalised and in flight, each counted once (RCPT035). */
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
   * `waiting`: another import may still replace the note. `sent`: in flight or fiscalised, so its
   * amount counts.
   */
  readonly status: "waiting" | "sent"
}

export interface Ledger {
  /** Returns the documents with these numbers. Free numbers are absent. */
  holders(taxpayer: string, numbers: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<NumberHolder>, StoreError>
  /** Returns the account's invoice with this id, or the taxpayer's invoice with this number. */
  original(
    account: string,
    by: { readonly by: "id" | "number"; readonly value: string }
  ): Effect.Effect<Option.Option<Original>, StoreError>
  /** Returns the facts from which the mark of each document in the lane follows (dating/Mark). */
  mark(lane: string): Effect.Effect<LaneMark, StoreError>
  /**
   * Returns the latest settled receipt date in the lane, sent or not, from `from` until `until`
   * (both included).
   */
  latestReceiptDate(lane: string, from: Instant, until: Instant): Effect.Effect<Option.Option<Instant>, StoreError>
}

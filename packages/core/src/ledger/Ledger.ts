/** What preflight may ask of everything planned, sent and fiscalised so far. A read port; SqlStore implements it. */
import type { Effect, Option } from "effect"
import type { BuyerContact } from "../document/BuyerContact.ts"
import type { FiscalDocument } from "../document/FiscalDocument.ts"
import type { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { LineItem } from "../document/LineItem.ts"
import type { Money } from "../document/Money.ts"
import type { LaneMark } from "./Mark.ts"
import type { StoreError } from "./StoreError.ts"

/** A number is unique per taxpayer, invoices and credit notes in one key space (RCPT013). */
export interface NumberHolder {
  readonly number: DocumentNumber
  readonly account: string
  readonly kind: FiscalDocument["kind"]
  readonly id: string
}

/** What tells a buyer from another. */
export type NamedBuyer = Pick<BuyerContact, "name" | "tin" | "vatNumber">

/** An invoice that can be credited: one of our submissions, or one registered by `originals import`. */
export interface Original {
  readonly invoiceId: InvoiceId
  readonly number: DocumentNumber
  /** `open`: not yet fiscalised, but it may still be. `void`: refused, Declined, Rejected, Expired or Withdrawn. */
  readonly status: "fiscalised" | "open" | "void"
  readonly date: Instant
  readonly currency: CurrencyCode
  readonly total: Money
  readonly taxCodes: ReadonlyArray<TaxCode>
  /** Left out where only its figures are known. */
  readonly buyer?: NamedBuyer | null
  readonly lines?: ReadonlyArray<LineItem>
  /** Credits in the original's currency: fiscalised and in flight, each counted once (RCPT035). */
  readonly credited: Money
  /** The credit notes of ours that `credited` counts, so that one that is planned already is not held against itself. */
  readonly credits: ReadonlyArray<Credit>
}

export interface Credit {
  readonly id: string
  readonly total: Money
  /** `waiting`: another import may still replace it. `sent`: it is on its way or fiscalised, and takes what it takes. */
  readonly status: "waiting" | "sent"
}

export interface Ledger {
  /** Who holds each of the numbers; numbers nobody holds are absent. */
  holders(taxpayer: string, numbers: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<NumberHolder>, StoreError>
  /** The account's invoice with this id, else the taxpayer's with this number. */
  original(
    account: string,
    by: { readonly by: "id" | "number"; readonly value: string }
  ): Effect.Effect<Option.Option<Original>, StoreError>
  /** What the mark of every document of the lane follows from (ledger/Mark). */
  mark(lane: string): Effect.Effect<LaneMark, StoreError>
  /** The latest receipt date settled for anything in the lane, sent or not, from `from` until `until` (both included). */
  latestReceiptDate(lane: string, from: Instant, until: Instant): Effect.Effect<Option.Option<Instant>, StoreError>
}

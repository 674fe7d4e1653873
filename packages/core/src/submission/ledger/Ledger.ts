/**
 * Read port of preflight to everything planned, sent and fiscalized so far. SqlStore implements the
 * port.
 */
import type { Option } from "effect"
import type { CivilDate } from "../../document/CivilDate.ts"
import type { Original } from "./Original.ts"
import type { FiscalDocument } from "../../document/FiscalDocument.ts"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import type { Instant } from "../../document/Instant.ts"
import type { LaneMark } from "./Mark.ts"
import type { KnownSale, ReplacedSale, SaleKey } from "./SameSale.ts"
import type { StoreEffect } from "./StoreError.ts"

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

/** An original registered as fiscalized elsewhere. `total`: as `Money.formatAmount` writes it. */
export interface RegisteredSale {
  readonly id: string
  readonly number: DocumentNumber
  readonly day: CivilDate
  readonly currency: string
  readonly total: string
  readonly registeredOn: CivilDate | null
}

export interface Spelling {
  readonly kind: FiscalDocument["kind"]
  readonly id: string
  readonly of: NumberHolder
}

export interface Ledger {
  readonly holders: (taxpayer: string, numbers: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<NumberHolder>>
  readonly registered: (account: string, ids: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<RegisteredSale>>
  readonly besidePrepared: (
    account: string,
    numbers: ReadonlyArray<string>
  ) => StoreEffect<ReadonlyArray<{ readonly number: string; readonly notes: ReadonlyArray<string> }>>
  readonly alike: (taxpayer: string, folds: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<KnownSale>>
  readonly settledPairs: (keys: ReadonlyArray<SaleKey>) => StoreEffect<(document: SaleKey, other: SaleKey) => boolean>
  /**
   * Returns a function that tells if an open question of a document is about a sale that differs in
   * nothing but the spelling of its number.
   */
  readonly alikeInAll: (keys: ReadonlyArray<SaleKey>) => StoreEffect<(document: SaleKey) => boolean>
  /**
   * Returns why a document that replaces the stated one needs an operator: that one may have a
   * receipt. Null if it may be sent.
   */
  readonly replacement: (
    of: Pick<SaleKey, "account" | "kind"> & { readonly taxpayer: string },
    stated: ReplacedSale
  ) => StoreEffect<string | null>
  readonly spellings: (account: string) => StoreEffect<ReadonlyArray<Spelling>>
  /**
   * Returns the account's invoice with this id, the taxpayer's invoice with this number, or the
   * taxpayer's only invoice whose number has this fold.
   */
  readonly original: (
    account: string,
    by: { readonly by: "id" | "number" | "fold"; readonly value: string }
  ) => StoreEffect<Option.Option<Original>>
  readonly mark: (lane: string) => StoreEffect<LaneMark>
  /**
   * Returns the latest settled receipt date in the lane, sent or not, from `from` until `until`
   * (both included).
   */
  readonly latestReceiptDate: (lane: string, from: Instant, until: Instant) => StoreEffect<Option.Option<Instant>>
}

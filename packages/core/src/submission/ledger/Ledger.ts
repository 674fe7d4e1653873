/**
 * Read port of preflight to everything planned, sent and fiscalised so far. SqlStore implements the
 * port.
 */
import type { Effect, Option } from "effect"
import type { CivilDate } from "../../document/CivilDate.ts"
import type { Original } from "./Original.ts"
import type { FiscalDocument } from "../../document/FiscalDocument.ts"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import type { Instant } from "../../document/Instant.ts"
import type { LaneMark } from "./Mark.ts"
import type { KnownSale, Replaced, SaleKey } from "./SameSale.ts"
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

/** An original registered as fiscalised elsewhere. `total`: as `Money.formatAmount` writes it. */
export interface RegisteredSale {
  readonly id: string
  readonly number: DocumentNumber
  readonly day: CivilDate
  readonly currency: string
  readonly total: string
  /** Null for originals registered by earlier versions. */
  readonly registeredOn: CivilDate | null
}

/** Another spelling of a known document, by an operator's statement. */
export interface Spelling {
  readonly kind: FiscalDocument["kind"]
  readonly id: string
  readonly of: NumberHolder
}

export interface Ledger {
  /** Returns the documents with these numbers. Free numbers are absent. */
  holders(taxpayer: string, numbers: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<NumberHolder>, StoreError>
  /**
   * Returns the account's registered originals with these ids, except those that are documents of
   * the store.
   */
  registered(account: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<RegisteredSale>, StoreError>
  /** Returns the taxpayer's documents and registered originals whose numbers have these folds. */
  alike(taxpayer: string, folds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<KnownSale>, StoreError>
  /** Returns a function that tells if the relation of a document to another one is settled. */
  settledPairs(keys: ReadonlyArray<SaleKey>): Effect.Effect<(document: SaleKey, other: SaleKey) => boolean, StoreError>
  /**
   * Returns a function that tells if an open question of a document is about a sale that differs in
   * nothing but the spelling of its number.
   */
  alikeInAll(keys: ReadonlyArray<SaleKey>): Effect.Effect<(document: SaleKey) => boolean, StoreError>
  /**
   * Returns why a document that replaces the stated one needs an operator: that one may have a
   * receipt. Null if it may be sent.
   */
  replacement(
    of: Pick<SaleKey, "account" | "kind"> & { readonly taxpayer: string },
    stated: Replaced
  ): Effect.Effect<string | null, StoreError>
  /** Returns the other spellings of the account's documents. */
  spellings(account: string): Effect.Effect<ReadonlyArray<Spelling>, StoreError>
  /**
   * Returns the account's invoice with this id, the taxpayer's invoice with this number, or the
   * taxpayer's only invoice whose number has this fold.
   */
  original(
    account: string,
    by: { readonly by: "id" | "number" | "fold"; readonly value: string }
  ): Effect.Effect<Option.Option<Original>, StoreError>
  /** Returns the facts from which the mark of each document in the lane follows (submission/ledger/Mark). */
  mark(lane: string): Effect.Effect<LaneMark, StoreError>
  /**
   * Returns the latest settled receipt date in the lane, sent or not, from `from` until `until`
   * (both included).
   */
  latestReceiptDate(lane: string, from: Instant, until: Instant): Effect.Effect<Option.Option<Instant>, StoreError>
}

/**
 * Read port of preflight to everything planned, sent and fiscalised so far. SqlStore implements the
 * port.
 */
import type { Effect, Option } from "effect"
import type { Original } from "./Original.ts"
import type { FiscalDocument } from "../../document/FiscalDocument.ts"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import type { Instant } from "../../document/Instant.ts"
import type { LaneMark } from "./Mark.ts"
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

export interface Ledger {
  /** Returns the documents with these numbers. Free numbers are absent. */
  holders(taxpayer: string, numbers: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<NumberHolder>, StoreError>
  /** Returns the account's invoice with this id, or the taxpayer's invoice with this number. */
  original(
    account: string,
    by: { readonly by: "id" | "number"; readonly value: string }
  ): Effect.Effect<Option.Option<Original>, StoreError>
  /** Returns the facts from which the mark of each document in the lane follows (submission/ledger/Mark). */
  mark(lane: string): Effect.Effect<LaneMark, StoreError>
  /**
   * Returns the latest settled receipt date in the lane, sent or not, from `from` until `until`
   * (both included).
   */
  latestReceiptDate(lane: string, from: Instant, until: Instant): Effect.Effect<Option.Option<Instant>, StoreError>
}

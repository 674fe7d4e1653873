/**
 * Read port of preflight to everything planned, sent and fiscalised so far. SqlStore implements the
 * port.
 */
import type { Option } from "effect"
import type { Original } from "./Original.ts"
import type { FiscalDocument } from "../../document/FiscalDocument.ts"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import type { Instant } from "../../document/Instant.ts"
import type { LaneMark } from "./Mark.ts"
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

export interface Ledger {
  /** Returns the documents with these numbers. Free numbers are absent. */
  readonly holders: (taxpayer: string, numbers: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<NumberHolder>>
  /** Returns the account's invoice with this id, or the taxpayer's invoice with this number. */
  readonly original: (
    account: string,
    by: { readonly by: "id" | "number"; readonly value: string }
  ) => StoreEffect<Option.Option<Original>>
  /** Returns the facts from which the mark of each document in the lane follows (submission/ledger/Mark). */
  readonly mark: (lane: string) => StoreEffect<LaneMark>
  /**
   * Returns the latest settled receipt date in the lane, sent or not, from `from` until `until`
   * (both included).
   */
  readonly latestReceiptDate: (lane: string, from: Instant, until: Instant) => StoreEffect<Option.Option<Instant>>
}

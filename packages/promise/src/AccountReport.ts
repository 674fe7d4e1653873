/** Account of a period: the comparison of source, store, gateway and day reports as data. */
import type { DocumentInput } from "@fiscal-connector/core/adapter"
import type { ExportInput } from "./ExportInput.ts"
import type { Key } from "./Result.ts"
import type { SyncSource } from "./SourceInput.ts"

/** Period and source of a comparison. Days as `YYYY-MM-DD`, both inclusive. */
export interface ReconcileOptions<Options = never> {
  readonly from: string
  readonly to: string
  /**
   * Documents or an export of the period, or a live source, read now; nothing of it is recorded.
   * Default: the source is not compared.
   */
  readonly source?: DocumentInput.Documents | ExportInput<Options> | SyncSource
  readonly signal?: AbortSignal
}

/** Sum of documents of one kind. Amounts are decimal texts. */
export interface AccountSum {
  readonly documents: number
  readonly tax: string
  readonly total: string
}

/** A difference. `connector why CODE` explains its code. */
export interface AccountDifference {
  readonly id: string
  readonly code: string
  readonly grade: "proven" | "fits" | "possible" | "unexplained"
  readonly currency: string | null
  readonly amount: string | null
  readonly documents: ReadonlyArray<{ readonly account: string; readonly number: string }>
  readonly text: string
  /** Operator who examined it. Null if it counts. */
  readonly acknowledged: string | null
}

/** A document of the period, and its place in the account. */
export interface AccountDocument extends Key {
  readonly account: string
  readonly number: string
  readonly date: string
  readonly currency: string | null
  readonly total: string | null
  readonly receipts: ReadonlyArray<{
    readonly number: number | null
    readonly day: number | null
    readonly verificationCode: string | null
    readonly by: "proof" | "operator"
  }>
  readonly origin: "carried-in" | "issued" | "prepared" | "ahead"
  readonly fate:
    | "not-issued"
    | "represented"
    | "elsewhere"
    | "not-accepted"
    | "early"
    | "carried-out"
    | "fiscalised"
    | "claimed"
}

/** The account of a period. */
export interface AccountReport {
  /**
   * Exit code of `connector reconcile`: 2 for a difference that is not acknowledged, 3 if a part
   * was not compared or documents are open.
   */
  readonly exitCode: 0 | 2 | 3
  readonly legs: ReadonlyArray<{
    readonly name: string
    /** The compared part with counts. Null if nothing was compared. */
    readonly compared: string | null
    readonly notPossible: ReadonlyArray<{ readonly count: number; readonly because: string }>
  }>
  /** Rows of the chain of each currency. Null if the closings of the days are not known. */
  readonly chains: ReadonlyArray<{
    readonly currency: string
    readonly rows: ReadonlyArray<{
      readonly name: string
      readonly invoices: AccountSum
      readonly creditNotes: AccountSum
    }>
    /** Receipts of the store in days that were not compared. */
    readonly notCompared: string
    /** Receipts of other programs, once it is stated that they use the device. */
    readonly otherPrograms: string
    readonly dayReports: string
    /** Day reports less receipts: what no row explains. */
    readonly left: string
  }> | null
  readonly differences: ReadonlyArray<AccountDifference>
  readonly notes: ReadonlyArray<string>
  /** Returns every document of the period. */
  documents(): AsyncIterable<AccountDocument>
}

/**
 * Sends invoices and credit notes through a fiscal invoicing gateway exactly once, with a promise
 * API.
 */
import type { DocumentInput as Input } from "@fiscal-connector/core/adapter"
import type { ConnectOptions, StorePlace } from "./ConnectOptions.ts"
import type { FiscalConnector } from "./FiscalConnector.ts"
import type { Choice } from "./Problem.ts"
import type { Store } from "./Store.ts"

export type {
  AccountSettings,
  Clock,
  ConnectOptions,
  HttpDispatcher,
  HttpOptions,
  Logger,
  OpenedStore,
  StorePlace,
  TelemetryOptions,
  VirtualClock
} from "./ConnectOptions.ts"
/** Buyer of a document, as a program passes it. */
export type BuyerInput = Input.BuyerInput
/** An amount other than an invoice line, as a program passes it. */
export type ChargeInput = Input.ChargeInput
/** A credit note, as a program passes it. */
export type CreditNoteInput = Input.CreditNoteInput
/** An exact decimal as text, such as `"9.99"`. */
export type DecimalString = Input.DecimalString
/** An invoice or credit note, as a program passes it. */
export type DocumentInput = Input.DocumentInput
/** Documents in an array, an iterable or an async iterable. */
export type Documents = Input.Documents
/** An invoice, as a program passes it. */
export type InvoiceInput = Input.InvoiceInput
/** A line, as a program passes it. */
export type LineInput = Input.LineInput
/** Totals as the accounting system states them. */
export type TotalsInput = Input.TotalsInput
export type {
  AccountDifference,
  AccountDocument,
  AccountReport,
  AccountSum,
  ReconcileOptions
} from "./AccountReport.ts"
export type {
  ExportAdapter,
  ExportFile,
  ExportInput,
  ExportQuestions,
  Question,
  QuestionsOptions
} from "./ExportInput.ts"
export type { FiscalEvent } from "./FiscalEvent.ts"
export { type ErrorCode, type ErrorParticulars, FiscalConnectorError } from "./FiscalConnectorError.ts"
export type {
  CommonDecision,
  Creditable,
  CreditFigures,
  CreditOptions,
  LateBy,
  DecidedDocument,
  Decision,
  DecisionOptions,
  DeliveryHeaders,
  Diagnosis,
  Explanation,
  FiscalConnector,
  Concern,
  HealthReport,
  HoldCause,
  OriginalsReport,
  Plan,
  PlanOptions,
  RunOptions,
  RunReport,
  Selection,
  StatedCause,
  SubmitOptions,
  SubmitReport,
  SyncEnd,
  SyncOptions,
  SyncReport,
  SyncRun,
  WaitOptions,
  Webhooks
} from "./FiscalConnector.ts"
export type { LaneCode, LaneReport } from "./LaneReport.ts"
export type { BookEntry, Choice, ExportStatement, Problem } from "./Problem.ts"
export type {
  FiscalisedResult,
  Key,
  OtherResult,
  Proof,
  Result,
  Status,
  StoredResult,
  TaxTotal,
  Total
} from "./Result.ts"
export type { SourceInput, SourceOptions, SourceReport, SyncSource } from "./SourceInput.ts"
export type { Store } from "./Store.ts"

/**
 * Makes a connector for one account: reads configuration and mapping book and opens the store. Does
 * not call the gateway yet. Fails with FiscalConnectorError: `config_invalid`, `book_invalid`,
 * `store_unavailable`, `store_corrupt`, `store_unusable`.
 */
export const connect = async (options: ConnectOptions): Promise<FiscalConnector> =>
  // loaded on demand, so that importing this package is cheap for a job without work
  (await import("./internal/connect.ts")).connect(options)

/**
 * Opens a store for several connectors. The caller closes the store, after the connectors. Fails
 * like the store of `connect`.
 */
export const openStore = async (place: StorePlace): Promise<Store> =>
  (await import("./internal/openStore.ts")).openStore(place)

/**
 * Writes chosen answers into a mapping book: `choices` of problems with `settles: "book"`. Given a
 * file's text, returns the text with its comments; given an object, returns a changed copy. Pass
 * the result to a new connector.
 */
export const bookWith = async <Book extends string | object>(
  book: Book,
  choices: ReadonlyArray<Choice>
): Promise<Book> => (await import("./internal/bookWith.ts")).bookWith(book, choices)

/** Invoices and credit notes through a fiscal invoicing gateway, exactly once, for jobs that know promises. */
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
export type {
  BuyerInput,
  ChargeInput,
  CreditNoteInput,
  DecimalString,
  DocumentInput,
  Documents,
  InvoiceInput,
  LineInput,
  TotalsInput
} from "@fiscal-connector/core/source/DocumentInput"
export type { ExportAdapter, ExportFile, ExportInput } from "./ExportInput.ts"
export type { FiscalEvent } from "./FiscalEvent.ts"
export { type ErrorCode, FiscalConnectorError } from "./FiscalConnectorError.ts"
export type {
  CommonDecision,
  DecidedDocument,
  Decision,
  DecisionOptions,
  DeliveryHeaders,
  Diagnosis,
  Explanation,
  FiscalConnector,
  Concern,
  HealthReport,
  OriginalsReport,
  Plan,
  PlanOptions,
  RunOptions,
  RunReport,
  Selection,
  SubmitOptions,
  SubmitReport,
  SyncOptions,
  SyncReport,
  WaitOptions,
  Webhooks
} from "./FiscalConnector.ts"
export type { LaneReport } from "./LaneReport.ts"
export type { BookEntry, Choice, Problem } from "./Problem.ts"
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
 * Makes a connector for one account: reads configuration and mapping book and opens the store; the gateway is asked when something is planned or
 * sent. Fails with FiscalConnectorError: `config_invalid`, `book_invalid`, `store_unavailable`, `store_corrupt`, `store_unusable`.
 */
export const connect = async (options: ConnectOptions): Promise<FiscalConnector> =>
  // what it is made of is loaded here, so that importing this package costs a job that has nothing to do no time
  (await import("./internal/connect.ts")).connect(options)

/** Opens a store that several connectors share; it is closed by whoever opened it, after them. Fails as `connect` does for its store. */
export const openStore = async (place: StorePlace): Promise<Store> =>
  (await import("./internal/openStore.ts")).openStore(place)

/**
 * The mapping book with what was chosen written into it (`choices` of problems, those that `settles: "book"`): the text of its file, whose comments stay,
 * or the object, which is not changed itself. A connector takes it when it is made.
 */
export const bookWith = async <Book extends string | object>(
  book: Book,
  choices: ReadonlyArray<Choice>
): Promise<Book> => (await import("./internal/bookWith.ts")).bookWith(book, choices)

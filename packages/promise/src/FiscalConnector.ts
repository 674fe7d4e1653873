/** A connector of one account, and what its operations take and give. Every operation rejects with FiscalConnectorError, or an aborted signal's reason. */
import type { Documents } from "@fiscal-connector/core/source/DocumentInput"
import type { ExportInput } from "./ExportInput.ts"
import type { LaneReport } from "./LaneReport.ts"
import type { Problem } from "./Problem.ts"
import type { Key, Result, Status, StoredResult, TaxTotal, Total } from "./Result.ts"
import type { SourceInput, SourceOptions, SourceReport } from "./SourceInput.ts"

export interface PlanOptions {
  /** `historical`: documents from before the last close of a fiscal day, under the device's permission. Default `ordinary`. */
  readonly passage?: "ordinary" | "historical"
  /** Credit note number or id → invoice number or id, settled by hand. */
  readonly originals?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** What would be sent, settled before anything is: nothing was sent, and nothing written. Kept on disk until it, or its connector, is closed. */
export interface Plan extends AsyncDisposable {
  readonly documents: number
  readonly counts: Readonly<Partial<Record<Status, number>>>
  readonly totals: ReadonlyArray<Total>
  /** What was found, by cause; `examples` are up to five document numbers. */
  readonly causes: ReadonlyArray<
    Omit<Problem, "path" | "detail" | "choices"> & {
      readonly documents: number
      readonly examples: ReadonlyArray<string>
    }
  >
  /** Refused documents that would become late once later ones have gone; `first` are up to twenty numbers. */
  readonly wouldBecomeLate: { readonly count: number; readonly first: ReadonlyArray<string> }
  /** What belongs to no document. */
  readonly problems: ReadonlyArray<Problem>
  /** What a person is told before a historical batch is sent. */
  readonly warning: string | null
  /** What the documents come to by tax, as `connector plan` says it; what another book made of a document it knows is left out. */
  taxTotals(): Promise<ReadonlyArray<TaxTotal>>
  /** Every document in the order it came; read as it is asked for. */
  entries(): AsyncIterable<Result>
}

export interface SubmitOptions {
  /**
   * What one bad document does to the others. `send-rest`: the others are sent; once the bad one is corrected it is late where a later one of the
   * device was sent, and is held, or dated anew if the book says so. `stop`: while a refused document would become late nothing is sent, and the
   * call rejects with `would_become_late`. Default `send-rest`, for a job that runs every few minutes; `stop` for historical documents.
   */
  readonly whenLate?: "stop" | "send-rest"
  readonly signal?: AbortSignal
}

export interface SubmitReport {
  /** How many are planned and go now. */
  readonly planned: number
  /** Documents that differ from what was sent of them before; for a person. */
  readonly conflicts: ReadonlyArray<Key & { readonly because: string }>
}

export interface RunOptions {
  /** How long to wait for outcomes, back-offs and other workers while nothing moves. Default 120 000. */
  readonly patienceMs?: number
  /** Longest time for the whole run; what is left goes on with the next. Default none. */
  readonly maxDurationMs?: number
  readonly signal?: AbortSignal
}

export interface RunReport {
  readonly lanes: ReadonlyArray<LaneReport>
  /** What is still on its way. 0 when all is settled or waits for a person. Null where `maxDurationMs` ended the run. */
  readonly open: number | null
}

/** What a `sync` resulted in. */
export interface SyncReport extends RunReport {
  /** One for each document that was handed over, in their order: `results[i]` belongs to `documents[i]`. Of an export: one for each document read. */
  readonly results: ReadonlyArray<Result>
  /** What belongs to no document: rows of an export that became none, and guards that are off. */
  readonly problems: ReadonlyArray<Problem>
  /** Documents that differ from what was sent of them before; for a person. */
  readonly conflicts: ReadonlyArray<Key & { readonly because: string }>
  /** True only if everything that was handed over is fiscalised now, and nothing of it was changed or cancelled since. A job exits by it. */
  readonly ok: boolean
}

export interface SyncOptions extends PlanOptions, SubmitOptions, RunOptions {}

export interface WaitOptions {
  /** Default 120 000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** What a person says about a document whose state is open; never stronger than the gateway's evidence. */
export type Decision =
  | "not-processed"
  | "resend"
  | "acknowledged"
  | { readonly fiscalised: { readonly verificationCode?: string; readonly qrCodeUrl?: string } }
  | { readonly rejected: string; readonly nature?: "correctable" | "final" }
  | { readonly accepted: { readonly requestId: string } }

/** What registering invoices that were fiscalised elsewhere came to. */
export interface OriginalsReport {
  readonly registered: number
  /** Registered before, or one of our own documents. */
  readonly known: number
  /** Numbers that belong to another document of the taxpayer. */
  readonly taken: ReadonlyArray<string>
  /** Documents that are no invoice. */
  readonly passedOver: number
  /** Why an invoice could not be registered. */
  readonly problems: ReadonlyArray<Problem & { readonly number: string | null }>
}

export interface Explanation {
  readonly result: Result
  readonly attempts: ReadonlyArray<{
    readonly begunAt: Date
    readonly finishedAt: Date | null
    readonly receiptDate: string
    readonly repeats: "first" | "retry"
    readonly result: "accepted" | "declined" | "not-processed" | "unknown" | null
    readonly requestId: string | null
  }>
  readonly timeline: ReadonlyArray<{
    readonly at: Date
    readonly from: Status | null
    readonly status: Status
    readonly cause: string
    readonly text: string | null
  }>
  readonly conflicts: ReadonlyArray<{ readonly code: string; readonly detail: string; readonly settled: Date | null }>
}

/** One thing that will not become a receipt without an operator. */
export interface Concern {
  /** Stable; `connector why CODE` explains it. */
  readonly code: string
  /** What exactly: why documents are held, why a lane or an account is stopped; null where the code says it all. */
  readonly cause: string | null
  readonly account: string | null
  readonly lane: string | null
  /** How many documents are concerned. */
  readonly documents: number
  /** ISO 8601, UTC. */
  readonly since: string
  readonly text: string
  readonly consequence: string
  /** How long it stays. */
  readonly until: string
  /** Next steps as data. `settles`: the concern is gone after it, or stays until what `until` says; `shows`: it changes nothing. */
  readonly actions: ReadonlyArray<{
    readonly step: { readonly do: string } & Readonly<Record<string, unknown>>
    readonly effect: "settles" | "shows"
    readonly account: string | null
    /** The number of the document. */
    readonly document: string | null
  }>
}

export interface HealthReport {
  readonly at: Date
  /** What an operator must look at, worst first; nothing when all is well. */
  readonly concerns: ReadonlyArray<Concern>
  readonly counts: Readonly<Partial<Record<Status, number>>>
  /** Until the gateway no longer answers for the oldest awaited request; null when nothing is awaited. */
  readonly secondsToHorizon: number | null
}

export interface Diagnosis {
  readonly name: string
  readonly state: "fine" | "look" | "broken" | "not-asked"
  readonly said: string
  readonly problems: ReadonlyArray<Problem>
}

/** Headers as `node:http` has them, as a web `Request` has them, or as pairs. */
export type DeliveryHeaders =
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  | Iterable<readonly [name: string, value: string]>

export interface Webhooks {
  /** Takes a delivery, by the very bytes that came, with headers as Node or the web has them; gives the answer to send. Never rejects for what is in it. */
  receive(rawBody: Uint8Array, headers: DeliveryHeaders): Promise<{ readonly status: number; readonly body: string }>
  /** The headers the gateway would send with this body, for a host's own tests. */
  signForTest(body: string): Readonly<Record<string, string>>
}

/** How a decision is made. */
export interface DecisionOptions {
  /**
   * `recent`: decide although the last request may still reach the gateway and make a second receipt; kept with the document. Default: such a
   * decision is rejected.
   */
  readonly although?: "recent"
  /** Who decides, for the record of decisions (`connector audit`). Default `a program`. */
  readonly by?: string
}

/** Documents of the account that are decided about together; each condition that is given has to be met. Give one at least. */
export interface Selection {
  readonly status?: Status
  /** Of held documents: why they are held (`late`, `historical`, `original` …), as a concern's `cause` has it. */
  readonly cause?: string
  /** Numbers or ids. */
  readonly numbers?: ReadonlyArray<string>
  /** Documents of the import with this id. */
  readonly importId?: number
}

/** A decision that needs nothing stated of each document. */
export type CommonDecision = "fiscalised" | "not-processed" | "resend" | "acknowledged" | "withdrawn"

/** What a decision about one of many documents resulted in. */
export interface DecidedDocument {
  readonly result: Result
  /** Why the decision was refused for this document; null where it was recorded. */
  readonly refused: string | null
}

export interface FiscalConnector extends AsyncDisposable {
  /**
   * Settles what would be sent of documents, or of an export. Rejects with `export_ambiguous` where an export can be read in more than one way: its
   * `problems` are all open questions, each with `choices`; and with `export_unreadable` where it cannot be read.
   */
  plan<Options>(documents: Documents | ExportInput<Options>, options?: PlanOptions): Promise<Plan>
  /** Writes the plan into the store; from here on `run` sends it, now or after a crash. */
  submit(plan: Plan, options?: SubmitOptions): Promise<SubmitReport>
  /** Sends and looks for outcomes until nothing more happens by itself. After a crash, run again. */
  run(options?: RunOptions): Promise<RunReport>
  /**
   * Reads a source live and sends what is new: one run. The first run is a plan. Rejects with `source_login_ended`, `source_limited`,
   * `source_unreachable` or `source_refused`, and nothing was taken then: the next run begins where this one began.
   */
  sync(source: SourceInput, options?: SourceOptions): Promise<SourceReport>
  /** Plans, submits and runs; the report has one result for each document, in their order. Calling it again sends nothing twice. */
  sync<Options>(documents: Documents | ExportInput<Options>, options?: SyncOptions): Promise<SyncReport>
  /**
   * Every stored document of the account as it stands, in the order of the last change, from behind a cursor on: for writing back to where the
   * documents came from. Each change is told at least once, however often a reader crashes; the last minute's are told again.
   */
  results(options?: { readonly after?: string | undefined; readonly signal?: AbortSignal }): AsyncIterable<StoredResult>
  /** Invoices that were fiscalised elsewhere, so that credit notes can name them; nothing is sent. They are taken on your word. */
  registerOriginals<Options>(documents: Documents | ExportInput<Options>): Promise<OriginalsReport>
  get(key: Key): Promise<Result | undefined>
  /** Waits for `fiscalised`, `rejected`, `declined` or `withdrawn`; looks at the store alone. Rejects with `pending`. */
  waitFor(key: Key, options?: WaitOptions): Promise<Result>
  /** The fiscal PDF. Rejects with `not_found` where there is none. */
  pdf(key: Key): Promise<Uint8Array>
  explain(key: Key): Promise<Explanation | undefined>
  /**
   * Rejects with `decision_refused` where it contradicts the evidence or does not fit the state; and, `retryable` after `retryAfterMs`, where it lets
   * the document be sent again while its last request may still reach the gateway.
   */
  resolve(key: Key, decision: Decision, because: string, options?: DecisionOptions): Promise<Result>
  /** Never to be sent, or no longer waited for. Rejects like `resolve`. */
  withdraw(key: Key, because: string, options?: DecisionOptions): Promise<Result>
  /** Returns the documents that the decision would be about; changes nothing. Rejects with `not_found` where a number is unknown. */
  select(selection: Selection, decision: CommonDecision): Promise<ReadonlyArray<Result>>
  /**
   * Decides about every document that `select` returns, each on its own: one that is refused stops no other. `expected`: how many were looked at;
   * rejects with `decision_refused` where they are others now, and nothing is changed.
   */
  resolveAll(
    selection: Selection,
    decision: CommonDecision,
    because: string,
    options: DecisionOptions & { readonly expected: number }
  ): Promise<ReadonlyArray<DecidedDocument>>
  /** Records that what `health` lists of a closed fiscal day (`DAY_DIFFERS`, `DAY_MISSING`) was looked at. Rejects with `decision_refused`. */
  acknowledgeDay(day: number, because: string, options?: Pick<DecisionOptions, "by">): Promise<void>
  health(): Promise<HealthReport>
  /** Looks at everything an account needs before it can send; changes nothing. */
  doctor(): Promise<ReadonlyArray<Diagnosis>>
  readonly webhooks: Webhooks
  /** Closes the connector and its plans, as `await using` does; what is under way is finished and written down. */
  close(): Promise<void>
}

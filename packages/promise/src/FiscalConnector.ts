/**
 * Connector of one account, with the inputs and results of its operations. Every operation rejects
 * with FiscalConnectorError, or with an aborted signal's reason.
 */
import type { DocumentInput } from "@fiscal-connector/core/adapter"
import type { AccountReport, ReconcileOptions } from "./AccountReport.ts"
import type { ExportInput, ExportQuestions, QuestionsOptions } from "./ExportInput.ts"
import type { LaneCode, LaneReport } from "./LaneReport.ts"
import type { Problem } from "./Problem.ts"
import type { Key, Result, Status, StoredResult, TaxTotal, Total } from "./Result.ts"
import type { SourceInput, SourceOptions, SourceReport } from "./SourceInput.ts"

export interface PlanOptions {
  /**
   * `historical`: documents from before the last close of a fiscal day, with the device's
   * permission. Default `ordinary`.
   */
  readonly timing?: "ordinary" | "historical"
  /** Credit note number or id → invoice number or id, settled by an operator. */
  readonly originals?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * Result of planning, before anything is sent or stored. A plan occupies disk space until the plan
 * or its connector is closed.
 */
export interface Plan extends AsyncDisposable {
  readonly documents: number
  readonly counts: Readonly<Partial<Record<Status, number>>>
  readonly totals: ReadonlyArray<Total>
  /** Findings by cause; `examples` are up to five document numbers. */
  readonly causes: ReadonlyArray<
    Omit<Problem, "path" | "detail" | "choices"> & {
      readonly documents: number
      readonly examples: ReadonlyArray<string>
    }
  >
  /**
   * Refused documents that would become late if later documents were sent; `first` are up to twenty
   * numbers.
   */
  readonly wouldBecomeLate: { readonly count: number; readonly first: ReadonlyArray<string> }
  /** Problems that belong to no document. */
  readonly problems: ReadonlyArray<Problem>
  /** Warning to show an operator before a historical batch is sent. */
  readonly warning: string | null
  /**
   * Returns the documents' amounts by tax, as `connector plan` shows them. Omits amounts of known
   * documents that another book translated.
   */
  taxTotals(): Promise<ReadonlyArray<TaxTotal>>
  /**
   * Returns every document in input order, read on demand.
   *
   * `during`: the promise of a run of the submitted plan. The results then arrive while the run
   * sends, a page of 200 documents at a time, each page when no document of it is on its way any
   * more or the run is over. Rejects with the error of the run, at the end.
   */
  entries(options?: { readonly during?: Promise<unknown> }): AsyncIterable<Result>
}

export interface SubmitOptions {
  /**
   * Effect of a refused document on the other documents. `send-rest`: the others are sent. A
   * corrected document is late if a later document of the device was sent; the document is then
   * held, or gets a new date if the book allows. Nothing is sent, and the call rejects with
   * `would_become_late`, if more than 20 of one cause, or a tenth of the plan and ten documents,
   * would become late. `stop`: the same for any document.
   *
   * Default `send-rest`, for a job that runs every few minutes; `stop` for historical documents.
   */
  readonly whenLate?: "stop" | "send-rest"
  readonly signal?: AbortSignal
}

export interface SubmitReport {
  /** Number of documents planned and ready to send. */
  readonly planned: number
  /** Documents that differ from the version already sent; an operator has to decide. */
  readonly conflicts: ReadonlyArray<Key & { readonly because: string }>
}

export interface RunOptions {
  /**
   * Maximum wait without progress for outcomes, back-offs and other workers, in milliseconds.
   * Default 180 000.
   */
  readonly patienceMs?: number
  /**
   * Maximum time of the whole run, in milliseconds. Remaining work continues in the next run.
   * Default none.
   */
  readonly maxDurationMs?: number
  readonly signal?: AbortSignal
}

export interface RunReport {
  readonly lanes: ReadonlyArray<LaneReport>
  /**
   * Number of documents in progress. 0 if all are settled or wait for an operator. Null if
   * `maxDurationMs` ended the run.
   */
  readonly open: number | null
}

/** Result of a sync without the results of its documents. */
export interface SyncEnd extends RunReport {
  /**
   * Problems that belong to no document: rows of an export that did not become documents, and
   * disabled guards.
   */
  readonly problems: ReadonlyArray<Problem>
  /** Documents that differ from the version already sent; an operator has to decide. */
  readonly conflicts: ReadonlyArray<Key & { readonly because: string }>
  /**
   * True only if every input document is done, and no problem is an error. Done: fiscalized,
   * unchanged and not canceled since; or not to be sent for a reason that its result states (a
   * duplicate, skipped, withdrawn, fiscalized elsewhere). Use the value for the exit code of a job.
   */
  readonly ok: boolean
}

/** Result of `sync`. */
export interface SyncReport extends SyncEnd {
  /**
   * One result for each input document, in input order: `results[i]` belongs to `documents[i]`. For
   * an export, one result for each document read.
   */
  readonly results: ReadonlyArray<Result>
  /**
   * Iterates over `results`, for programs written when `sync` returned only the list.
   *
   * @deprecated Use `results`.
   */
  [Symbol.iterator](): Iterator<Result>
}

/** A sync whose results are read one by one. The first read starts it. */
export interface SyncRun extends AsyncIterable<Result> {
  /**
   * Reads the results that were not read yet, and returns the rest of the report. Rejects with the
   * error of the sync, and with `closed` after a loop that was left early.
   */
  report(): Promise<SyncEnd>
}

export interface SyncOptions extends PlanOptions, SubmitOptions, RunOptions {}

export interface WaitOptions {
  /** Maximum wait, in milliseconds. Default 120 000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * An operator's statement about a document in an open state. The gateway's evidence takes
 * precedence.
 */
export type Decision =
  | "not-processed"
  | "resend"
  | "same"
  | "acknowledged"
  | { readonly fiscalised: { readonly verificationCode?: string; readonly qrCodeUrl?: string } }
  | { readonly rejected: string; readonly nature?: "correctable" | "final" }
  | { readonly accepted: { readonly requestId: string } }

/** Result of registering invoices that were fiscalized elsewhere. */
export interface OriginalsReport {
  readonly registered: number
  /** Number of invoices registered before. */
  readonly known: number
  /** Registered invoices for which documents of the store are held. */
  readonly held: ReadonlyArray<string>
  /** Numbers registered before with another day, currency or total. */
  readonly differing: ReadonlyArray<string>
  /** Numbers that have a receipt of this store: a conflict of each document. */
  readonly fiscalisedHere: ReadonlyArray<string>
  /** Numbers that belong to another document of the taxpayer. */
  readonly taken: ReadonlyArray<string>
  /** Number of documents that are not invoices. */
  readonly passedOver: number
  /** Reasons why an invoice was not registered. */
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

/** An item that cannot become a receipt without an operator. */
export interface Concern {
  /** Stable code; `connector why CODE` explains it. */
  readonly code: string
  /**
   * Exact cause: why documents are held, or why a lane or account is stopped; null if the code says
   * everything.
   */
  readonly cause: HoldCause | LaneCode | StatedCause | null
  readonly account: string | null
  readonly lane: string | null
  /** Number of affected documents. */
  readonly documents: number
  /** Start, as ISO 8601 in UTC. */
  readonly since: string
  readonly text: string
  readonly consequence: string
  /** Condition that ends the concern. */
  readonly until: string
  /**
   * Next steps as data. `settles`: the step ends the concern, immediately or under the condition in
   * `until`. `shows`: the step only displays information.
   */
  readonly actions: ReadonlyArray<{
    readonly step: { readonly do: string } & Readonly<Record<string, unknown>>
    readonly effect: "settles" | "shows"
    readonly account: string | null
    readonly document: string | null
  }>
}

export interface HealthReport {
  readonly at: Date
  /** Items that need an operator, worst first; empty if all is well. */
  readonly concerns: ReadonlyArray<Concern>
  readonly counts: Readonly<Partial<Record<Status, number>>>
  /**
   * Time until the gateway no longer answers for the oldest awaited request; null if no request is
   * awaited.
   */
  readonly secondsToHorizon: number | null
}

export interface Diagnosis {
  readonly name: string
  readonly state: "fine" | "look" | "broken" | "not-asked"
  readonly said: string
  readonly problems: ReadonlyArray<Problem>
  /** Observations of the gateway by numbered assumption. Only of the check `assumptions`. */
  readonly assumptions?: ReadonlyArray<{
    readonly id: string
    readonly is: "agrees" | "contradicts" | "not-seen" | "no-evidence"
    readonly saw: string
    /** Setting that would fit, to be decided by you. */
    readonly setting: string | null
  }>
}

/** Headers as of `node:http`, of a web `Request`, or as pairs. */
export type DeliveryHeaders =
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  | Iterable<readonly [name: string, value: string]>

export interface Webhooks {
  /**
   * Processes a delivery and returns the response to send. Pass the unmodified bytes of the body.
   * Invalid content results in an error response, not in a rejection.
   */
  receive(rawBody: Uint8Array, headers: DeliveryHeaders): Promise<{ readonly status: number; readonly body: string }>
  /** Returns the headers that the gateway would send with this body, for a host's own tests. */
  signForTest(body: string): Readonly<Record<string, string>>
}

/** Reason why a document is held (docs/decide.md). */
export type HoldCause =
  | "late"
  | "historical"
  | "outdated"
  | "original"
  | "credited"
  | "contradicted"
  | "operator"
  | "before-start"
  | "older-copy"
  | "rejection-unconfirmed"
  | "duplicate"
  | "replaces"

/** Cause that the gateway states (`DEV01`): any text. */
export type StatedCause = string & {}

/** Options of a decision. */
export interface DecisionOptions {
  /**
   * `recent`: decides although the last request may still reach the gateway and create a second
   * receipt. The choice is recorded with the document. Default: such a decision is rejected.
   */
  readonly although?: "recent"
  /** Name of the decider in the record of decisions (`connector audit`). Default `a program`. */
  readonly by?: string
}

/**
 * Selection of documents of the account for a common decision. A document must match every given
 * condition. At least one condition is required.
 */
export interface Selection {
  readonly status?: Status
  /**
   * Reason for holding documents (`late`, `historical`, `original` …), or the code with which they
   * failed (`DEV01`), as in a concern's `cause`.
   */
  readonly cause?: HoldCause | StatedCause
  /** Numbers or ids. */
  readonly numbers?: ReadonlyArray<string>
  /** Id of the import that contains the documents. */
  readonly importId?: number
  /**
   * Accepted documents of which the gateway says this text, for `rejected` and `resend`. Each
   * document is asked for once more; the decision applies only to those of which the gateway still
   * says it. No document is selected if one with this text ever had a receipt. The same holds for
   * Accepted documents with a `cause`.
   */
  readonly text?: string
}

/**
 * A decision without a separate statement for each document. `rejected`: the failure that the
 * gateway states is final, as the portal shows.
 */
export type CommonDecision =
  | "fiscalised"
  | "not-processed"
  | "resend"
  | "same"
  | "rejected"
  | "acknowledged"
  | "withdrawn"

/** Result of a common decision for one document. */
export interface DecidedDocument {
  readonly result: Result
  /** Reason why the decision was refused for this document; null if the decision was recorded. */
  readonly refused: string | null
}

/** Choice of the operator about a prepared credit note. */
export interface CreditOptions {
  /** True: everything that is left, whatever the source states. Default: the difference. */
  readonly full?: boolean
  /** Number of the note. Default: the invoice's number with `-C1`, `-C2` and so on. */
  readonly number?: string
  /**
   * Credits one of several receipts: its number on the device, or its code. `portal`: the gateway
   * has not stated the receipt, and an operator has seen it in the portal. Default: the invoice.
   */
  readonly receipt?: { readonly name: string; readonly seen: "here" | "portal" }
}

/** Amounts in the invoice's currency, as `117.81`. `total` is with tax. */
export interface CreditFigures {
  readonly net: string
  readonly tax: string
  readonly total: string
}

/** Balance of an invoice, and the credit note that is prepared for it. */
export interface Creditable {
  /** Null if it is not known. `stated`: what the source states now, null if that is not known. */
  readonly balance: {
    readonly fiscalised: CreditFigures
    readonly credited: CreditFigures
    readonly stated: CreditFigures | null
  } | null
  /** Null if there is nothing to credit, or no note can be prepared: `because` states why. */
  readonly credit:
    | (CreditFigures & {
        readonly number: string
        readonly of: "everything" | "difference"
        /** Findings of the device's rules. With an error among them the note is not sent. */
        readonly problems: ReadonlyArray<Problem>
      })
    | null
  readonly because: string | null
  readonly fix: string | null
  /** Documents that the note makes late, because it is dated today; null if none. */
  readonly late: LateBy | null
}

/** Documents that become late by a decision: those that are known, and every later one. */
export interface LateBy {
  /** Held documents of the device, and refused documents of the account. */
  readonly documents: number
  /** Day of the new receipts, `YYYY-MM-DD`: documents of earlier days become late. */
  readonly before: string
  /** The same as text, with the way to avoid it. */
  readonly text: string
}

export interface FiscalConnector extends AsyncDisposable {
  /**
   * Plans documents, or an export, without sending. Rejects with `export_ambiguous` if an export
   * has several possible readings: `problems` then lists all open questions, each with `choices`.
   * Rejects with `export_unreadable` if an export is unreadable.
   */
  plan<Options>(documents: DocumentInput.Documents | ExportInput<Options>, options?: PlanOptions): Promise<Plan>
  /**
   * Asks the open questions about an export by the gateway's device, in the same conversation as
   * the command and the page. Sends and stores nothing. Use an adapter of tables (`CsvFormat`) to
   * be asked about unknown columns. Rejects with `export_unreadable`, also if the answers lead
   * there.
   */
  questions<Options>(documents: ExportInput<Options>, options?: QuestionsOptions): Promise<ExportQuestions<Options>>
  /**
   * Writes the plan to the store. From now on `run` sends the plan, immediately or after a crash.
   */
  submit(plan: Plan, options?: SubmitOptions): Promise<SubmitReport>
  /**
   * Sends documents and polls outcomes until all work is done, waits for an operator, or makes no
   * progress for `patienceMs`. Run again after a crash.
   */
  run(options?: RunOptions): Promise<RunReport>
  /**
   * Reads a source live once and sends its new documents. The first run is only a plan. Rejects
   * with `source_login_ended`, `source_limited`, `source_unreachable` or `source_refused`. Then
   * nothing was taken, and the next run begins where this run began.
   */
  sync(source: SourceInput, options?: SourceOptions): Promise<SourceReport>
  /**
   * Plans, submits and runs. The report has one result for each document, in input order. A
   * repeated call sends nothing twice.
   */
  sync<Options>(documents: DocumentInput.Documents | ExportInput<Options>, options?: SyncOptions): Promise<SyncReport>
  /** The same; named last, so that the compiler reports the field of a wrong document. */
  sync(documents: DocumentInput.Documents, options?: SyncOptions): Promise<SyncReport>
  /**
   * The same with the results one by one, so that memory does not grow with the documents:
   * `for await (const result of run)`, then `await run.report()`. All documents are read and stored
   * before the first is sent. The results arrive in input order while the rest is sent, as from
   * `entries` of a plan.
   *
   * A `break` ends the sending: the request in progress is finished and recorded, the other
   * documents stay in the store, and the next `run` or `sync` sends them. If the sending fails, the
   * loop gets the results so far and then throws the error.
   */
  syncEach<Options>(documents: DocumentInput.Documents | ExportInput<Options>, options?: SyncOptions): SyncRun
  /**
   * Returns the current state of every stored document of the account after a cursor, in the order
   * of the last change, for writing back to the source system. Delivers each change at least once,
   * even if a reader crashes repeatedly; repeats changes of the last minute.
   *
   * `after`: the `cursor` of the last result that was written back, or a day (`"2026-03-01"`, in
   * the time zone of the mapping book). Rejects with `cursor_unknown` if the store does not have
   * the cursor's change: an older copy was put back. A cursor of an earlier version, a number
   * alone, is accepted within the end of the history.
   */
  results(options?: { readonly after?: string | undefined; readonly signal?: AbortSignal }): AsyncIterable<StoredResult>
  /**
   * Registers invoices that were fiscalized elsewhere, so that credit notes can refer to them.
   * Sends nothing. The connector trusts the caller's data.
   */
  registerOriginals<Options>(documents: DocumentInput.Documents | ExportInput<Options>): Promise<OriginalsReport>
  /**
   * Compares source, store, gateway and day reports of a period, and sums one account. Sends
   * nothing. Rejects with `config_invalid` for an impossible period, or if the store never sent for
   * the account.
   */
  reconcile<Options>(options: ReconcileOptions<Options>): Promise<AccountReport>
  get(key: Key): Promise<Result | undefined>
  /**
   * Waits for `fiscalised`, `rejected`, `declined` or `withdrawn`. Reads only the store. Rejects
   * with `pending` after the timeout.
   */
  waitFor(key: Key, options?: WaitOptions): Promise<Result>
  /** Returns the fiscal PDF. Rejects with `not_found` if no PDF exists. */
  pdf(key: Key): Promise<Uint8Array>
  explain(key: Key): Promise<Explanation | undefined>
  /**
   * Dismisses refused documents of the account with a reason, by their numbers or by a code as in
   * a concern's `cause`: `health` and a source's `ok` no longer mention them while they are
   * unchanged. Returns their numbers.
   */
  dismiss(
    selection: { readonly cause?: string; readonly numbers?: ReadonlyArray<string> },
    because: string,
    options?: Pick<DecisionOptions, "by">
  ): Promise<ReadonlyArray<string>>
  /**
   * Records a decision about a document. Rejects with `decision_refused` if the decision
   * contradicts the evidence or does not fit the state. If the decision would allow a new request
   * while the last request may still reach the gateway, the error is `retryable` after
   * `retryAfterMs`.
   */
  resolve(key: Key, decision: Decision, because: string, options?: DecisionOptions): Promise<Result>
  /** Marks a document as never to be sent, or as no longer awaited. Rejects like `resolve`. */
  withdraw(key: Key, because: string, options?: DecisionOptions): Promise<Result>
  /**
   * Returns the documents that the decision would apply to, and changes nothing. Documents that may
   * have a receipt, or that an operator holds, are decided about by their `numbers` only. Rejects
   * with `not_found` if a number is unknown.
   */
  select(selection: Selection, decision: CommonDecision): Promise<ReadonlyArray<Result>>
  /**
   * Returns what becomes late by the decision, because it dates documents today; null if nothing
   * does. Changes nothing. For a page that shows a decision before it is recorded.
   */
  becomesLate(selection: Selection, decision: CommonDecision): Promise<LateBy | null>
  /**
   * Applies the decision to every document that `select` returns, each separately: a refused
   * document does not stop the others. `expected` is the number of documents that the operator has
   * reviewed; for `rejected` or `resend` of Accepted documents, the number that the operator saw as
   * failed in the gateway's portal, and never the length of what `select` returns. If the number
   * differs now, rejects with `decision_refused` and changes nothing.
   */
  resolveAll(
    selection: Selection,
    decision: CommonDecision,
    because: string,
    options: DecisionOptions & { readonly expected: number }
  ): Promise<ReadonlyArray<DecidedDocument>>
  /**
   * Returns the balance of a fiscalized invoice, and the credit note that is prepared for it: the
   * figures that were sent, less its notes, compared with what the source states now. Sends and
   * stores nothing. Rejects with `not_found`.
   */
  creditable(key: Key, options?: CreditOptions): Promise<Creditable>
  /**
   * Sends the prepared credit note and waits for its outcome. `because` is printed on the receipt
   * (RCPT034); `total` is the total that the operator has seen, as `117.81`. Rejects with
   * `decision_refused`, and sends nothing, if no note is prepared or its total is another now.
   */
  credit(
    key: Key,
    options: CreditOptions & {
      readonly because: string
      readonly total: string
      readonly by?: string
      /** As in `run`. */
      readonly patienceMs?: number
    }
  ): Promise<Result>
  /**
   * Records which receipt of an invoice the gateway's portal shows as credited, after a note for
   * one of several receipts: until then every later note on the invoice is held. Rejects with
   * `not_found` and `decision_refused`.
   */
  creditedReceipt(key: Key, receipt: string, because: string, options?: Pick<DecisionOptions, "by">): Promise<void>
  /**
   * Records that an operator has reviewed the concerns of a closed fiscal day (`DAY_DIFFERS`,
   * `DAY_MISSING`). Rejects with `decision_refused`.
   */
  acknowledgeDay(day: number, because: string, options?: Pick<DecisionOptions, "by">): Promise<void>
  health(): Promise<HealthReport>
  /** Checks everything that an account needs for sending, and changes nothing. */
  doctor(): Promise<ReadonlyArray<Diagnosis>>
  readonly webhooks: Webhooks
  /**
   * Closes the connector and its plans, like `await using`. Work in progress is finished and
   * recorded.
   */
  close(): Promise<void>
}

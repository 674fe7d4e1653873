/**
 * An accounting system that is read live, in place of documents: input and report of `sync({ source
 * })`.
 */
import type { LaneReport } from "./LaneReport.ts"
import type { Problem } from "./Problem.ts"
import type { Key, Status } from "./Result.ts"

/**
 * One company of an accounting system: `XeroLikeCompany.source`, or a source of your own. The
 * connector alone opens it.
 */
export interface SyncSource {
  /** Your own name of the source. Another name begins at the first document again. */
  readonly name: string
  /** Identifier of the company in the source. */
  readonly tenant: string
  /** Opens the source; an Effect. */
  readonly open: unknown
}

/** A source, and what is settled about it before the first run. */
export interface SourceInput {
  readonly source: SyncSource
  /**
   * First day, as `"2026-03-01"`, whose documents are sent. Earlier documents are counted and never
   * sent.
   */
  readonly goLive: string
  /**
   * `send`: every run after the first sends. `plan`: every run only reports what it would send. The
   * first run is a plan in both cases.
   *
   * @default "send"
   */
  readonly consent?: "plan" | "send"
  /**
   * Time before the last change at which each run begins, at least five minutes. @default 300_000
   */
  readonly overlapMs?: number
  /** Longest difference between the source's clock and this machine's. @default 300_000 */
  readonly clockSkewMs?: number
  /**
   * Age up to which documents are compared one by one, once a day. @default 604_800_000 (7 days)
   */
  readonly sweepMs?: number
  /**
   * Time without a new document after which `health` reports `SOURCE_SILENT`. @default 604_800_000
   * (7 days)
   */
  readonly quietAfterMs?: number
}

export interface SourceOptions {
  /**
   * Effect of refused documents that would become late once the others were sent. `send-rest`: the
   * others are sent, unless more than 20 of one cause, or a tenth of the plan and ten documents,
   * would become late. `stop`: nothing is sent. Then the call rejects with `would_become_late`.
   *
   * @default "send-rest"
   */
  readonly whenLate?: "stop" | "send-rest"
  readonly signal?: AbortSignal
}

/**
 * Result of one run of a source. Every record that was read is counted once, and nothing is left
 * out.
 */
export interface SourceReport {
  readonly source: string
  readonly tenant: string
  /**
   * `first-plan`: nothing was sent, the next run sends. `plan`: nothing was sent. `quiet`: nothing
   * new. `sent`: everything new was accepted.
   */
  readonly mode: "first-plan" | "plan" | "quiet" | "sent"
  readonly read: number
  readonly new: number
  /** Documents that differ from their former state, or that the source does not have any more. */
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  /** Number of skipped records by reason: drafts, bills, documents before `goLive`. */
  readonly skipped: Readonly<Record<string, number>>
  /** Issued documents on both sides of the first day. */
  readonly goLive: { readonly day: string; readonly before: number; readonly after: number }
  /**
   * Documents that cannot be sent, also those for which the source does not answer. They are
   * requested again in every run.
   */
  readonly refusedDocuments: ReadonlyArray<
    { readonly kind: Key["kind"] | null; readonly id: string; readonly number: string } & {
      /** As in `Result`. */
      readonly replaces: string | null
      readonly problems: ReadonlyArray<Problem>
    }
  >
  /** Number of refused documents that would become late if the others were sent. Only in a plan. */
  readonly wouldBecomeLate: number
  /** Documents that the source does not have any more. */
  readonly gone: ReadonlyArray<{ readonly kind: Key["kind"] | null; readonly id: string; readonly number: string }>
  /**
   * Documents of the source that are open, or that it changed or canceled after they were sent,
   * whenever that was.
   */
  readonly standing: ReadonlyArray<
    Key & {
      readonly number: string
      readonly status: Status
      readonly changed: string | null
      readonly cancelled: string | null
      readonly replaces: string | null
      readonly since: Date | null
    }
  >
  /** Number of requests to the source. */
  readonly calls: number
  /** Number of new and changed documents by status, after sending. */
  readonly statuses: Readonly<Partial<Record<Status, number>>>
  readonly lanes: ReadonlyArray<LaneReport>
  /** Number of documents on their way. 0: everything is settled, or waits for an operator. */
  readonly open: number
  /** Guards that are off, as for a store without a `witnessFile`. */
  readonly problems: ReadonlyArray<Problem>
  /**
   * True if nothing of the source is refused, open or needs an operator, in this or an earlier
   * run. A plan is ok if it refuses nothing. A job exits by `ok`.
   */
  readonly ok: boolean
}

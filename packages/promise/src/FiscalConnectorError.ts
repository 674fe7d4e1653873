/**
 * The only error class of this package. A problem of a single document is part of the document's
 * result and is never thrown.
 */
import type { Problem } from "./Problem.ts"

export type ErrorCode =
  /** Invalid configuration, or invalid options of this package. */
  | "config_invalid"
  | "book_invalid"
  /** Key, secret, application or station not accepted by the gateway. */
  | "credentials_refused"
  | "gateway_unreachable"
  /** Too many requests; `retryAfterMs` if the gateway stated a time. */
  | "gateway_limited"
  /** Request refused by the gateway, or an answer outside the gateway's specification. */
  | "gateway_refused"
  /** Account without a device, or with a blocked or unsubscribed device. */
  | "device_refuses"
  /** Device or taxpayer reported by the gateway differs from the one known to the store. */
  | "device_changed"
  /** Live device without `allowLive`. */
  | "live_not_allowed"
  /**
   * Live device that this store has never sent to; `firstUse` is the code that an operator passes
   * to `connect`.
   */
  | "first_use"
  /** Clock of this machine differs from the gateway's. */
  | "clock_wrong"
  /** Store that is an older copy of the store last used. */
  | "store_older"
  | "store_unavailable"
  | "store_corrupt"
  /**
   * Store of another program or a newer version, or moved, or not durable enough for a live device.
   */
  | "store_unusable"
  /** Export unreadable for the adapter. */
  | "export_unreadable"
  /** Export with several possible readings; an operator has to choose. */
  | "export_ambiguous"
  /** Mapping that the documents need is missing at the gateway. */
  | "mappings_differ"
  /**
   * Refused documents would become late if the others were sent; `problems` has the reasons.
   * `whenLate: "send-rest"` sends the others.
   */
  | "would_become_late"
  | "historical_refused"
  /** A source that is read live does not accept its login any more: an operator logs in again. */
  | "source_login_ended"
  /** The source wants fewer requests; nothing is asked before `retryAfterMs`. */
  | "source_limited"
  | "source_unreachable"
  /**
   * The source gave something that is not taken: another company's data, half an answer, a clock
   * that differs. `problems` has the code.
   */
  | "source_refused"
  /** Timeout without an outcome. */
  | "pending"
  /** Document not in the store, or document without a PDF. */
  | "not_found"
  /**
   * Cursor of `results` of another history of the store, or beyond its end: an older copy of the
   * store was put back. Read again from a day.
   */
  | "cursor_unknown"
  /** Decision that contradicts the evidence or does not fit the state. */
  | "decision_refused"
  /** Connector or plan already closed. */
  | "closed"
  /** Defect of this package; `cause` has the details. */
  | "internal"

export interface ErrorParticulars {
  readonly retryable?: boolean
  readonly retryAfterMs?: number | undefined
  readonly problems?: ReadonlyArray<Problem>
  readonly firstUse?: string | undefined
  readonly cause?: unknown
}

class ThrownError extends Error {
  override readonly name = "FiscalConnectorError"
  readonly code: ErrorCode
  /** True if the same call may succeed later without any action. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  /** All blockers, each with a fix. */
  readonly problems: ReadonlyArray<Problem>
  /**
   * Code of a `first_use` error. Pass the code to `connect({ firstUse })` after an operator has
   * checked that no other store has sent to the device.
   */
  readonly firstUse: string | undefined

  constructor(code: ErrorCode, message: string, particulars: ErrorParticulars = {}) {
    super(message, particulars.cause === undefined ? {} : { cause: particulars.cause })
    this.code = code
    this.retryable = particulars.retryable ?? false
    this.retryAfterMs = particulars.retryAfterMs
    this.problems = particulars.problems ?? []
    this.firstUse = particulars.firstUse
  }
}

/** The error of this package; `code` determines if `firstUse` is present. */
export type FiscalConnectorError = ThrownError &
  (
    | { readonly code: "first_use"; readonly firstUse: string }
    | { readonly code: Exclude<ErrorCode, "first_use">; readonly firstUse: string | undefined }
  )

export const FiscalConnectorError = ThrownError as unknown as {
  new (code: ErrorCode, message: string, particulars?: ErrorParticulars): FiscalConnectorError
  readonly prototype: FiscalConnectorError
}

/** The one error of this package. What concerns a single document is its result and never thrown. */
import type { Problem } from "./Problem.ts"

export type ErrorCode =
  /** The configuration, or the options given here. */
  | "config_invalid"
  | "book_invalid"
  /** The gateway does not accept key, secret, application or station. */
  | "credentials_refused"
  | "gateway_unreachable"
  /** Too many requests; `retryAfterMs` where the gateway said it. */
  | "gateway_limited"
  /** The gateway refused a question, or answered something that is none of its answers. */
  | "gateway_refused"
  /** The account has no device, or one that is blocked or not subscribed. */
  | "device_refuses"
  /** The gateway names another device than the account has fed. */
  | "device_changed"
  /** A live device, and `allowLive` was not given. */
  | "live_not_allowed"
  /** A live device that this store has never fed; `firstUse` is the code that a person gives to `connect`. */
  | "first_use"
  /** This machine's clock differs from the gateway's. */
  | "clock_wrong"
  /** The store is an older copy of the one that was used. */
  | "store_older"
  | "store_unavailable"
  | "store_corrupt"
  /** Another program's, a newer version's, moved elsewhere, or not durable enough for a live device. */
  | "store_unusable"
  /** The adapter could not read the export. */
  | "export_unreadable"
  /** The export can be read in more than one way, and only a person knows. */
  | "export_ambiguous"
  /** The gateway does not map what the documents need. */
  | "mappings_differ"
  /** Refused documents would become late if the others went: `problems` say why they are refused. `whenLate: "send-rest"` sends the others. */
  | "would_become_late"
  | "historical_refused"
  /** A source that is read live does not accept its login any more: an operator logs in again. */
  | "source_login_ended"
  /** The source wants fewer requests; nothing is asked before `retryAfterMs`. */
  | "source_limited"
  | "source_unreachable"
  /** The source gave something that is not taken: another company's data, half an answer, a clock that differs. `problems` has the code. */
  | "source_refused"
  /** The deadline passed and there is no outcome yet. */
  | "pending"
  /** The store has no such document, or there is no PDF of it. */
  | "not_found"
  /** A person's decision that contradicts the evidence or does not fit the state. */
  | "decision_refused"
  /** The connector, or its plan, has been closed. */
  | "closed"
  /** A mistake of ours; `cause` has what is known. */
  | "internal"

export interface ErrorParticulars {
  readonly retryable?: boolean
  readonly retryAfterMs?: number | undefined
  readonly problems?: ReadonlyArray<Problem>
  readonly firstUse?: string | undefined
  readonly cause?: unknown
}

export class FiscalConnectorError extends Error {
  override readonly name = "FiscalConnectorError"
  readonly code: ErrorCode
  /** Whether the same call may succeed later without anybody doing anything. */
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  /** Everything that stands in the way, each with what to do about it. */
  readonly problems: ReadonlyArray<Problem>
  /** Of `first_use`: the code for `connect({ firstUse })`, once a person has made sure that no other store fed the device. */
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

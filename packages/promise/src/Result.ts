import type { Key } from "./Key.ts"
import type { Problem } from "./Problem.ts"

export type { Key }

/**
 * State of a document.
 *
 * - `skipped`: left out on purpose; `because` has the reason.
 * - `duplicate`: another input document states the same document and counts.
 * - `elsewhere`: registered as fiscalized elsewhere, so it is not sent.
 * - `refused`: not accepted by the connector, nothing stored; `problems` has the reasons.
 * - `held`: not sendable as it is.
 * - `planned`, `sending`, `accepted`: in progress.
 * - `fiscalised`: finished, with proof.
 * - `rejected`, `declined`: refused by the gateway.
 * - `unknown`: processing is uncertain; never sent again automatically.
 * - `expired`: the gateway no longer answers for the request.
 * - `withdrawn`: canceled by an operator.
 */
export type Status =
  | "skipped"
  | "duplicate"
  | "elsewhere"
  | "refused"
  | "held"
  | "planned"
  | "sending"
  | "accepted"
  | "fiscalised"
  | "rejected"
  | "expired"
  | "declined"
  | "unknown"
  | "withdrawn"

/** Data of the device's receipt. Null if the gateway did not state a value. */
export interface Proof {
  readonly verificationCode: string | null
  readonly qrCodeUrl: string | null
  readonly fiscalDay: number | null
  readonly deviceId: number | null
  /** Number assigned by the authority, not by the seller. */
  readonly fiscalNumber: number | null
}

interface Common extends Key {
  readonly number: string
  /** Reason for the status as text, if the status needs one. */
  readonly because: string | null
  /**
   * Total as sent or as planned: a decimal text, inclusive of tax, positive for credit notes as
   * well. Null if the document could not be built.
   */
  readonly total: string | null
  readonly currency: string | null
  /** Receipt date as ISO 8601 with an offset; null until settled. */
  readonly receiptDate: string | null
  readonly requestId: string | null
  /**
   * Difference between the source's current statement and the sent document, as text. Stored until
   * the source states the sent version again, or `resolve` records `acknowledged`. Null if equal.
   */
  readonly changed: string | null
  /**
   * Reason why the source canceled the document after it was planned or sent; stored like
   * `changed`. The document needs a credit note, or `withdraw`.
   */
  readonly cancelled: string | null
  /** Number or id of the document that this one replaces, as the source states it. */
  readonly replaces: string | null
  /**
   * Errors and warnings of this document. The store does not keep them: a later `get` returns none.
   */
  readonly problems: ReadonlyArray<Problem>
}

/** Fiscalized, with proof. */
export interface FiscalisedResult extends Common {
  readonly status: "fiscalised"
  readonly verificationCode: string | null
  readonly qrCodeUrl: string | null
  readonly proof: Proof
}

/** Not fiscalized, or not yet: see `status`, and `because` or `problems` for the reason. */
export interface OtherResult extends Common {
  readonly status: Exclude<Status, "fiscalised">
  readonly verificationCode: null
  readonly qrCodeUrl: null
  readonly proof: null
}

/** Result of one document; `status` determines the fields. */
export type Result = FiscalisedResult | OtherResult

/** A result with its position in the order of changes. */
export type StoredResult = Result & {
  /** Position for `results({ after })` to continue after this result. */
  readonly cursor: string
}

/** Documents of one kind, status and currency. Amounts are exact decimal texts. */
export interface Total {
  readonly status: Status
  readonly kind: Key["kind"]
  readonly currency: string
  readonly documents: number
  readonly total: string
}

/**
 * Documents of one kind, status and currency by one tax, as stated by each document. Amounts are
 * exact decimal texts.
 */
export interface TaxTotal {
  readonly status: Status
  readonly kind: Key["kind"]
  readonly currency: string
  /** Account's code of the tax, as in the mapping book. */
  readonly taxCode: string
  /** Percent as text, `"15.5"`; null for exempt, which differs from `"0"`. */
  readonly percent: string | null
  readonly documents: number
  /** Amount without the tax. */
  readonly net: string
  readonly tax: string
}

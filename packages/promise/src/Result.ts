/** What became of a document, in words that a caller switches on. */
import type { Key } from "./Key.ts"
import type { Problem } from "./Problem.ts"

export type { Key }

/**
 * `skipped`: left out on purpose, `because` says why. `duplicate`: another of the documents handed over states the same one, and that one counts.
 * `refused`: our own no, nothing was stored, `problems` say why. `held`: must not go as it is. `planned`, `sending`, `accepted`: on its way.
 * `fiscalised`: done, with its proof. `rejected`, `declined`: the gateway's no. `unknown`: nobody knows whether it was processed, and it is not sent
 * again by itself. `expired`: the gateway no longer says. `withdrawn`: a person's no.
 */
export type Status =
  | "skipped"
  | "duplicate"
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

/** What the device made of it. Null where the gateway did not say. */
export interface Proof {
  readonly verificationCode: string | null
  readonly qrCodeUrl: string | null
  readonly fiscalDay: number | null
  readonly deviceId: number | null
  /** The authority's number, not the seller's. */
  readonly fiscalNumber: number | null
}

interface Common extends Key {
  readonly number: string
  /** Why it is in this status, where that needs a word; for people. */
  readonly because: string | null
  /** As sent, or as it would be: a decimal text, inclusive of tax, positive for credit notes, too. Null where it could not be shaped. */
  readonly total: string | null
  readonly currency: string | null
  /** ISO 8601 with an offset; null until it is settled. */
  readonly receiptDate: string | null
  readonly requestId: string | null
  /**
   * The source states something else than what was sent; the text says in what. Kept by the store, until the source states again what was sent, or
   * `resolve` settles it as `acknowledged`. Null where nothing differs.
   */
  readonly changed: string | null
  /** The source has cancelled it since it was planned or sent; kept like `changed`. It needs a credit note, or `withdraw`. */
  readonly cancelled: string | null
  /** Errors and warnings of this document. A stored document's are those of the run that planned it, so a later `get` has none. */
  readonly problems: ReadonlyArray<Problem>
}

/** Fiscalised: the proof is there. */
export interface FiscalisedResult extends Common {
  readonly status: "fiscalised"
  readonly verificationCode: string | null
  readonly qrCodeUrl: string | null
  readonly proof: Proof
}

/** Not fiscalised, or not yet: `status` says which, and `because` or `problems` say why. */
export interface OtherResult extends Common {
  readonly status: Exclude<Status, "fiscalised">
  readonly verificationCode: null
  readonly qrCodeUrl: null
  readonly proof: null
}

/** One document and what became of it; `status` tells which fields are there. */
export type Result = FiscalisedResult | OtherResult

/** A result with its place in the order of results. */
export type StoredResult = Result & {
  /** Give it to `results({ after })` to go on behind this one. */
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

/** Documents of one kind, status and currency, by one tax, as each document states its own. Amounts are exact decimal texts. */
export interface TaxTotal {
  readonly status: Status
  readonly kind: Key["kind"]
  readonly currency: string
  /** The account's code of the tax, as the mapping book has it. */
  readonly taxCode: string
  /** `"15.5"`; null for exempt, which is not `"0"`. */
  readonly percent: string | null
  readonly documents: number
  /** Without the tax. */
  readonly net: string
  readonly tax: string
}

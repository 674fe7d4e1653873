/**
 * Plain JSON. Lines of `--json`, results and events of the promise package and texts of hosts are
 * made of it.
 */
import { DateTime } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import * as Instant from "../document/Instant.ts"
import * as Money from "../document/Money.ts"
import type { State, Submission } from "./Submission.ts"

/** Outcome of a document. Times are ISO 8601, amounts exact decimal texts. */
export interface OutcomeRecord {
  readonly account: string
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
  readonly state: State
  readonly since: string
  readonly receiptDate: string | null
  readonly currency: string
  /** Total with tax, positive for credit notes as well. */
  readonly total: string
  readonly requestId: string | null
  readonly verificationCode: string | null
  readonly qrCodeUrl: string | null
  readonly because: string | null
  readonly changed: string | null
  readonly cancelled: string | null
  readonly replaces: string | null
}

export const textOf = ({ hold, rejection, text }: Pick<Submission, "hold" | "rejection" | "text">): string | null =>
  hold?.text ?? rejection?.error ?? text

export const of = (submission: Submission): OutcomeRecord => {
  const {
    account,
    cancelled,
    changed,
    currency,
    id,
    kind,
    number,
    proof,
    receiptDate,
    replaces,
    requestId,
    since,
    state,
    total
  } = submission
  return {
    account,
    kind,
    id,
    number,
    state,
    since: DateTime.formatIso(since),
    receiptDate: receiptDate === null ? null : Instant.format(receiptDate),
    currency,
    total: Money.formatAmount(total),
    requestId,
    verificationCode: proof?.verificationCode ?? null,
    qrCodeUrl: proof?.qrCodeUrl ?? null,
    because: textOf(submission),
    changed,
    cancelled,
    replaces
  }
}

/**
 * `good`: done. `bad`: the document does not become a receipt without a change. `waiting`: an
 * operator must decide.
 */
export type StateTone = "good" | "bad" | "waiting"

const tones: Readonly<Record<string, StateTone>> = {
  Fiscalised: "good",
  Refused: "bad",
  Declined: "bad",
  Rejected: "bad",
  Held: "waiting",
  Unknown: "waiting",
  Expired: "waiting"
}

/**
 * Returns the tone of a submission's state, or of `Refused`. Undefined for states in flight, and
 * for states that ended without a result.
 */
export const toneOf = (state: string): StateTone | undefined => tones[state]

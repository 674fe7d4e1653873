/** A guard before an attempt, as a row of the table (`Guards`). */
import type { LaneWait, OwnStop } from "../../submission/Lane.ts"
import type { AttemptOptions } from "../../submission/Attempt.ts"
import type { HoldCause } from "../../submission/PlannedDocument.ts"
import type { Override } from "../../submission/Revisit.ts"
import type { SqlEffect } from "../database/Transaction.ts"
import type { Integer } from "../rows/Rows.ts"
import type { SettledText } from "../rows/SettledSql.ts"
import type { HeadRow, LaneContext, Step } from "./QueueHead.ts"

/** Evidence on an earlier attempt. */
export interface EarlierAttempt {
  readonly request_id: string | null
  /** Knowledge of the attempt (submission/ledger/Settled). */
  readonly settled: SettledText
  /** 1 if an earlier version took the gateway's text for a rejection, without a rule's code. */
  readonly by_text: Integer
  /** 1 if the gateway's refusal of a later request may be the answer to this attempt. */
  readonly is_refuted: Integer
  /** Time when the request id became known, or was last mentioned as pending. */
  readonly known_at: Integer | null
  /** Revision for which the rejection was queried once more. */
  readonly confirmed: Integer | null
  /** End of the quiet period. Null if the attempt does not count. */
  readonly quiet_until: Integer | null
}

/** The document that is next in its lane, with the facts that guards ask for. */
export interface Candidate extends LaneContext {
  readonly row: HeadRow
  /** Undefined if the caller does not send for the document's account. */
  readonly account: AttemptOptions["accounts"][number] | undefined
  readonly override: Override | null
  /** Earlier attempts that may have been processed. */
  readonly attempts: ReadonlyArray<EarlierAttempt>
}

interface Hold {
  readonly _tag: "Hold"
  readonly cause: HoldCause
  readonly because: string
}

/** Null: the guard does not object. A number: the receipt date of the attempt, in seconds. */
export type Answer = Step | Hold | number | null

export const hold = (cause: HoldCause, because: string): Hold => ({ _tag: "Hold", cause, because })

/** Consequence of a guard that objects. */
export type Objection =
  | `holds ${HoldCause}`
  | `waits for ${LaneWait["for"]}`
  | `stops ${OwnStop["cause"]}`
  | "asks the gateway"

/** A row of the table. A test removes each row, and finds the attempt that it prevents. */
export interface Guard {
  readonly name: string
  /** Text for the documentation. */
  readonly law: string
  readonly objects: ReadonlyArray<Objection>
  /**
   * Cause that an operator's decision to send names to go past this row. `considered`: the question
   * reads the decision. `ignored`: the question does not depend on it.
   */
  readonly despite: HoldCause | "considered" | "ignored"
  /** Highest number of queries of the question; everything else is read with the candidate. */
  readonly queries: number
  readonly question: (candidate: Candidate) => Answer | SqlEffect<Answer>
}

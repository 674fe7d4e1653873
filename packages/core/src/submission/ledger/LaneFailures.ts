/**
 * The cause of each failure, and whether the failures say something about the lane instead of a
 * document. Pure. The facts come from the store.
 */
import { Duration } from "effect"
import * as Patience from "./Patience.ts"
import { authorityCodes, deviceCodes, mask, ruleCodes } from "./StatedFailure.ts"

/**
 * Returns the cause that a failure names: a code of the authority, else the masked words
 * (submission/ledger/StatedFailure).
 */
export const causeOf = (error: string, requestId: string | null = null): string =>
  ruleCodes(error)[0] ?? deviceCodes(error)[0] ?? mask(error, requestId)

export const hasCode = (error: string): boolean => authorityCodes(error).length > 0

/** True if the cause is a receipt rule of the device: the document's fault, never the lane's. */
export const isReceiptRule = (cause: string): boolean => ruleCodes(cause).length > 0

export interface LaneFailure {
  /** Number of the attempt: a later attempt has a greater number. */
  readonly attempt: number
  readonly cause: string
  /** Time of acceptance, in milliseconds since the epoch. */
  readonly acceptedAt: number
}

export interface SameCause {
  readonly cause: string
  readonly count: number
  /** Acceptance of the oldest of them, in milliseconds since the epoch. */
  readonly from: number
}

/**
 * Returns the row that the newest failure belongs to. Failures of receipt rules neither count nor
 * end a row. Null if there is none. `standing`: the failures that no receipt of a later document
 * has followed, newest first.
 */
export const inARow = (standing: ReadonlyArray<LaneFailure>): SameCause | null => {
  const open = standing.filter(({ cause }) => !isReceiptRule(cause))
  const [newest] = open
  if (newest === undefined) return null
  const other = open.findIndex(({ cause }) => cause !== newest.cause)
  const row = other === -1 ? open : open.slice(0, other)
  return { cause: newest.cause, count: row.length, from: Math.min(...row.map(({ acceptedAt }) => acceptedAt)) }
}

export type FailurePace = "free" | "one-by-one" | "stopped"

/** Returns the pace. `quiet`: the quiet period of the lane's accounts. */
export const paceOf = (row: SameCause | null, now: number, quiet: Duration.Duration): FailurePace => {
  if (row === null || row.count < Patience.sameCause.is) return "free"
  return row.count >= Patience.sameFailure.is && row.from + Duration.toMillis(quiet) < now ? "stopped" : "one-by-one"
}

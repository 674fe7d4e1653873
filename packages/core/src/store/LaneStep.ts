/** One step of a lane in one transaction: the answer to its last attempt is written, the next one is begun. */
import { Effect } from "effect"
import type { LaneLease } from "../submission/Lane.ts"
import type { AttemptOptions, FinishedAttempt } from "../submission/Attempt.ts"
import type { Ahead, SqlReturn, Transaction } from "./database/Transaction.ts"
import * as Finish from "./evidence/Finish.ts"
import { begin } from "./lanes/Begin.ts"
import { readTurn, type Step, type Turn } from "./lanes/HeadOfLine.ts"
import type { KnownOfLane } from "./lanes/KnownAttempts.ts"

/** All that a step reads, as it stood before it wrote anything. */
interface Look extends Turn {
  /** The attempt that was answered; undefined where none was. */
  readonly answered: Finish.AnsweredRow | undefined
}

/** Sends all that the step reads, in the order in which it locks. */
export const look =
  (lease: LaneLease, finished: FinishedAttempt | undefined): Ahead<Look> =>
  (reading) =>
    Effect.zipWith(
      finished === undefined ? Effect.succeed(Effect.succeed([])) : Finish.read(reading, finished),
      readTurn(reading, lease),
      (rows, turn) => Effect.zipWith(rows, turn, ([answered], turn) => ({ ...turn, answered }))
    )

/** Takes the step; `Next` when a portion of the line had to be held and more is behind it. */
export const take = Effect.fnUntraced(function* (
  transaction: Transaction,
  lease: LaneLease,
  options: AttemptOptions,
  finished: FinishedAttempt | undefined,
  known: KnownOfLane,
  { answered, head, lane }: Look
): SqlReturn<Step> {
  const turn = { lane, head }
  if (finished === undefined) return yield* begin(transaction, lease, options, known, turn, "nothing")
  const { wentOn } = yield* Finish.finish(transaction, finished, answered)
  return yield* begin(transaction, lease, options, known, turn, wentOn === lease.lane ? "one-accepted" : "anything")
})

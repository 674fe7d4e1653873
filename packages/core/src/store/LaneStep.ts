/**
 * One step of a lane in one transaction: writes the answer to its last attempt and begins the next
 * attempt.
 */
import { Effect } from "effect"
import type { LaneLease } from "../submission/Lane.ts"
import type { AttemptOperations, AttemptOptions, FinishedAttempt } from "../submission/Attempt.ts"
import type { Ahead, Database, SqlReturn, Transaction } from "./database/Transaction.ts"
import * as Finish from "./evidence/Finish.ts"
import { begin } from "./lanes/Begin.ts"
import { readTurn, type LaneStep, type HeadTurn } from "./lanes/QueueHead.ts"
import type { KnownAttempts, KnownOfLane } from "./lanes/KnownAttempts.ts"

interface LaneFacts extends HeadTurn {
  readonly answered: Finish.AnsweredRow | undefined
}

const look =
  (lease: LaneLease, finished: FinishedAttempt | undefined): Ahead<LaneFacts> =>
  (reading) =>
    Effect.zipWith(
      finished === undefined ? Effect.succeed(Effect.succeed([])) : Finish.read(reading, finished),
      readTurn(reading, lease),
      (rows, turn) => Effect.zipWith(rows, turn, ([answered], turn) => ({ ...turn, answered }))
    )

const take = Effect.fnUntraced(function* (
  transaction: Transaction,
  lease: LaneLease,
  options: AttemptOptions,
  finished: FinishedAttempt | undefined,
  known: KnownOfLane,
  { answered, head, lane }: LaneFacts
): SqlReturn<LaneStep> {
  const turn = { lane, head }
  if (finished === undefined) return yield* begin(transaction, lease, options, known, turn, "nothing")
  const { wentOn: continuedLane } = yield* Finish.finish(transaction, finished, answered)
  return yield* begin(
    transaction,
    lease,
    options,
    known,
    turn,
    continuedLane === lease.lane ? "one-accepted" : "anything"
  )
})

export const make = ({ record, writeReading }: Database, known: KnownAttempts) =>
  ({
    beginAttempt: Effect.fnUntraced(function* (lease, options, finished) {
      const touches = [lease.lane, ...options.accounts.map(({ account }) => account)]
      let first = finished
      while (true) {
        const answer = first
        const own = known.of(lease.lane)
        const step = yield* writeReading("begin an attempt", touches, look(lease, answer), (transaction, look) =>
          take(transaction, lease, options, answer, own, look)
        )
        if (step._tag === "Begun") known.begun(step.newest, step.accepted)
        if (step._tag !== "Next") return step
        first = undefined
      }
    }),
    finishAttempt: record("finish an attempt", Finish.finishAlone)
  }) satisfies Partial<AttemptOperations>

/**
 * Wakes subscribers: in this process after the commit, in others if the database supports
 * notifications.
 */
import { Effect, PubSub, Queue, type Scope } from "effect"
import type { Cause, Change } from "../../submission/Submission.ts"

export const channel = "fiscal_connector_planned"

const ofTheRun: ReadonlySet<Cause | "planned"> = new Set([
  "attempt-begun",
  "accepted",
  "declined",
  "unknown-outcome",
  "held",
  "horizon"
])

/**
 * True if a document may be sent after these changes that could not be sent before, for
 * example because its blocker is gone.
 */
export const frees = (changes: ReadonlyArray<Change>): boolean => changes.some(({ cause }) => !ofTheRun.has(cause))

export type Elsewhere = (wake: Effect.Effect<void>) => Effect.Effect<never>

export const planned = (
  hub: PubSub.PubSub<Change>,
  elsewhere: Elsewhere
): Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const wakes = yield* Queue.sliding<void>(1)
    const wake = Effect.asVoid(Queue.offer(wakes, undefined))
    const changes = yield* PubSub.subscribe(hub)
    const own = Effect.flatMap(PubSub.takeAll(changes), (taken) => (frees(taken) ? wake : Effect.void))
    yield* Effect.forkScoped(Effect.forever(own))
    yield* Effect.forkScoped(elsewhere(wake))
    return wakes
  })

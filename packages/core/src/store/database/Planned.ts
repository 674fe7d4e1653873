/** Telling whoever waits for work that there may be some: within this process after the commit, and to others where the database carries it. */
import { Effect, PubSub, Queue, type Scope } from "effect"
import type { Cause, Change } from "../../submission/Submission.ts"

/** The channel of PostgreSQL's LISTEN and NOTIFY; the payload is the schema. */
export const channel = "fiscal_connector_planned"

/** What a lane's own run does frees nothing for others. */
const ofTheRun: ReadonlySet<Cause | "planned"> = new Set([
  "attempt-begun",
  "accepted",
  "declined",
  "unknown-outcome",
  "held",
  "horizon"
])

/** Whether something can be sent after these changes that could not before, if only because what it waited for is over. */
export const frees = (changes: ReadonlyArray<Change>): boolean => changes.some(({ cause }) => !ofTheRun.has(cause))

/** Says it to `wake` for as long as the scope is open; `elsewhere` for what other processes do. */
export type Elsewhere = (wake: Effect.Effect<void>) => Effect.Effect<never>

/** At most one wake-up waits to be taken, however much happens. */
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

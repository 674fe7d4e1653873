/** Nudges: unauthenticated hints to poll /status, rate-limited. */
import { Clock, Duration, Effect, type Scope } from "effect"
import type { RequestId } from "../document/Identifiers.ts"

export type NudgedLook = (account: string, requestIds: ReadonlyArray<RequestId>) => Effect.Effect<unknown, unknown>

export interface Nudges {
  nudge(account: string, requestIds: ReadonlyArray<RequestId>): Effect.Effect<void>
}

/** A nudge in between gets its look at the end of this time. */
const pause = Duration.seconds(10)

/** Ten calls of /status. Anyone can send nudges, so their ids need a limit. */
const mostIds = 1000

interface NudgedAccount {
  nextLook: number
  state: "idle" | "waiting"
  readonly ids: Set<RequestId>
}

/**
 * Makes the nudges. Looks run in the background of the delivery's answer and end with the scope. A
 * look that fails is logged only, because polling continues anyway.
 */
export const make = (look: NudgedLook): Effect.Effect<Nudges, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const accounts = new Map<string, NudgedAccount>()
    const lookAt = (name: string, account: NudgedAccount) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        account.nextLook = now + Duration.toMillis(pause)
        account.state = "idle"
        const ids = [...account.ids]
        account.ids.clear()
        yield* look(name, ids)
      }).pipe(
        Effect.catchCause((cause) => Effect.logWarning(`a look at /status of ${name} after a nudge failed`, cause))
      )
    return {
      nudge: Effect.fnUntraced(function* (name, requestIds) {
        const account = accounts.get(name) ?? { nextLook: 0, state: "idle", ids: new Set() }
        accounts.set(name, account)
        for (const id of requestIds) if (account.ids.size < mostIds) account.ids.add(id)
        if (account.state === "waiting") return
        account.state = "waiting"
        const wait = Math.max(0, account.nextLook - (yield* Clock.currentTimeMillis))
        yield* Effect.forkIn(Effect.delay(lookAt(name, account), wait), scope)
      })
    }
  })

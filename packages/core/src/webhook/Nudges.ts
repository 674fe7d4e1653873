/** Nudges: word, of whatever origin, that it is worth looking at /status. They are heard at a measured pace. */
import { Clock, Duration, Effect, type Scope } from "effect"
import type { RequestId } from "../document/Identifiers.ts"

/** Looks at what the gateway says of the account's requests, those of the nudges first. */
export type Look = (account: string, requestIds: ReadonlyArray<RequestId>) => Effect.Effect<unknown, unknown>

export interface Nudges {
  nudge(account: string, requestIds: ReadonlyArray<RequestId>): Effect.Effect<void>
}

/** At most one look per account begins in this time; a nudge in between has its look at the end of it. */
const pause = Duration.seconds(10)

/** Anybody can send these, so what they name is remembered up to here: ten calls of /status. */
const mostIds = 1000

interface Account {
  nextLook: number
  state: "idle" | "waiting"
  readonly ids: Set<RequestId>
}

/** Looks run beside the answer to the delivery, and end with the scope; one that fails is logged, since polling goes on anyway. */
export const make = (look: Look): Effect.Effect<Nudges, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const accounts = new Map<string, Account>()
    const lookAt = (name: string, account: Account) =>
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
      nudge: (name, requestIds) =>
        Effect.gen(function* () {
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

/** What this page is sending now, for each account, and why it ended last: a click never does something that no screen shows. */
import { finding as stopFinding, type AccountStopped } from "@fiscal-connector/core/account/StopReason"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import * as Words from "../text/Words.ts"
import { Effect, Fiber, type Scope } from "effect"

/** Why the sending for an account ended. `paused`: by a click. `stopped`: nothing may be sent, for these reasons. */
export type GoingEnd =
  | { readonly _tag: "Over" }
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Stopped"; readonly reasons: ReadonlyArray<Pick<Finding, "message" | "detail" | "fix">> }

interface Run {
  readonly accounts: ReadonlyArray<string>
  readonly fiber: Fiber.Fiber<unknown>
  isPausing: boolean
}

/** The reasons of stopped accounts, as findings. */
export const stopped = (accounts: ReadonlyArray<AccountStopped>): GoingEnd =>
  accounts.length === 0
    ? { _tag: "Over" }
    : { _tag: "Stopped", reasons: accounts.flatMap(({ reasons }) => reasons.map(stopFinding)) }

/** Something else is the matter. */
export const because = (message: string): GoingEnd => ({
  _tag: "Stopped",
  reasons: [{ message, detail: undefined, fix: Words.standstill.sendingText }]
})

export const make = (scope: Scope.Scope) => {
  const runs = new Set<Run>()
  const ends = new Map<string, GoingEnd>()
  const consents = new Set<string>()
  let revision = 0
  const runsOf = (account: string) => [...runs].filter(({ accounts }) => accounts.includes(account))
  return {
    /** Another number whenever something begins or ends. */
    revision: (): number => revision,
    /** Sends in the background, and keeps why it ended. */
    begin: <R>(
      accounts: ReadonlyArray<string>,
      sending: Effect.Effect<GoingEnd, never, R>
    ): Effect.Effect<void, never, R> =>
      Effect.gen(function* () {
        let own: Run | undefined
        for (const account of accounts) ends.delete(account)
        const fiber = yield* Effect.forkIn(
          sending.pipe(
            Effect.tap((end) => Effect.sync(() => accounts.forEach((account) => ends.set(account, end)))),
            Effect.onInterrupt(() =>
              Effect.sync(() => accounts.forEach((account) => ends.set(account, { _tag: "Paused" })))
            ),
            Effect.ensuring(
              Effect.sync(() => {
                if (own !== undefined) runs.delete(own)
                revision += 1
              })
            )
          ),
          scope,
          { startImmediately: false }
        )
        own = { accounts, fiber, isPausing: false }
        runs.add(own)
        revision += 1
      }),
    /** Ends after the request that is under way; what is planned stays planned. */
    pause: (account: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        for (const run of runsOf(account)) run.isPausing = true
        revision += 1
        return Effect.asVoid(
          Effect.forkIn(
            Effect.forEach(runsOf(account), ({ fiber }) => Fiber.interrupt(fiber), { concurrency: "unbounded" }),
            scope
          )
        )
      }),
    stateOf: (account: string): "idle" | "going" | "pausing" => {
      const found = runsOf(account)
      return found.length === 0 ? "idle" : found.some(({ isPausing }) => isPausing) ? "pausing" : "going"
    },
    /** Null: nothing was sent for it by this run of the page, or it is being sent. */
    endOf: (account: string): GoingEnd | null => ends.get(account) ?? null,
    /** The operator has consented to send to this live device, in this run of the page. */
    consent: (lane: string): void => void consents.add(lane),
    hasConsent: (lane: string): boolean => consents.has(lane)
  }
}

export type Going = ReturnType<typeof make>

/**
 * Tracks the page's sending per account and the reason of its last end, so that every click has a
 * visible effect.
 */
import { finding as stopFinding, type AccountStopped } from "@fiscal-connector/core/account/StopReason"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import * as Texts from "../text/Texts.ts"
import { Effect, Fiber, type Scope } from "effect"

/**
 * Reason why the sending for an account ended. `Paused`: by a click. `Stopped`: nothing may be
 * sent, for the listed reasons.
 */
export type GoingEnd =
  | { readonly _tag: "Over" }
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Stopped"; readonly reasons: ReadonlyArray<Pick<Finding, "message" | "detail" | "fix">> }

interface GoingRun {
  readonly accounts: ReadonlyArray<string>
  readonly fiber: Fiber.Fiber<unknown>
  isPausing: boolean
}

/** Returns the reasons of stopped accounts as findings. */
export const stopped = (accounts: ReadonlyArray<AccountStopped>): GoingEnd =>
  accounts.length === 0
    ? { _tag: "Over" }
    : { _tag: "Stopped", reasons: accounts.flatMap(({ reasons }) => reasons.map(stopFinding)) }

/** Returns an end with another reason. */
export const because = (message: string): GoingEnd => ({
  _tag: "Stopped",
  reasons: [{ message, detail: undefined, fix: Texts.standstill.sendingText }]
})

export const make = (scope: Scope.Scope) => {
  const runs = new Set<GoingRun>()
  const ends = new Map<string, GoingEnd>()
  const consents = new Set<string>()
  let revision = 0
  const runsOf = (account: string) => [...runs].filter(({ accounts }) => accounts.includes(account))
  return {
    /** Returns a number that changes whenever sending starts or ends. */
    revision: (): number => revision,
    /** Sends in the background and keeps the reason of the end. */
    begin: <R>(
      accounts: ReadonlyArray<string>,
      sending: Effect.Effect<GoingEnd, never, R>
    ): Effect.Effect<void, never, R> =>
      Effect.gen(function* () {
        let own: GoingRun | undefined
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
    /** Ends after the current request. Planned documents stay planned. */
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
    /** Null if this run of the page sent nothing for the account, or is still sending. */
    endOf: (account: string): GoingEnd | null => ends.get(account) ?? null,
    /** Records the operator's consent to send to this live device, for this run of the page. */
    consent: (lane: string): void => void consents.add(lane),
    hasConsent: (lane: string): boolean => consents.has(lane)
  }
}

export type Going = ReturnType<typeof make>

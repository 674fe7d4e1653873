/**
 * Tracks the page's sending per account and the reason of its last end, so that every click has a
 * visible effect.
 */
import { StopReason } from "@fiscal-connector/core/session"
import type { Finding } from "@fiscal-connector/core/adapter"
import * as Texts from "../text/Texts.ts"
import { Effect, Fiber, type Scope } from "effect"

export type GoingEnd =
  | { readonly _tag: "Over" }
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Stopped"; readonly reasons: ReadonlyArray<Pick<Finding.Finding, "message" | "detail" | "fix">> }

interface GoingRun {
  readonly accounts: ReadonlyArray<string>
  readonly fiber: Fiber.Fiber<unknown>
  isPausing: boolean
}

export const stopped = (accounts: ReadonlyArray<StopReason.AccountStopped>): GoingEnd =>
  accounts.length === 0
    ? { _tag: "Over" }
    : { _tag: "Stopped", reasons: accounts.flatMap(({ reasons }) => reasons.map(StopReason.finding)) }

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
  const ended = (accounts: ReadonlyArray<string>, end: GoingEnd) =>
    Effect.sync(() => accounts.forEach((account) => ends.set(account, end)))
  return {
    revision: (): number => revision,
    /** Has figures loaded again after a change that the documents of the store do not have. */
    changed: (): void => void (revision += 1),
    begin: <R>(
      accounts: ReadonlyArray<string>,
      sending: Effect.Effect<GoingEnd, never, R>
    ): Effect.Effect<void, never, R> =>
      Effect.gen(function* () {
        let own: GoingRun | undefined
        for (const account of accounts) ends.delete(account)
        const fiber = yield* Effect.forkIn(
          sending.pipe(
            Effect.tap((end) => ended(accounts, end)),
            Effect.onInterrupt(() => ended(accounts, { _tag: "Paused" })),
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

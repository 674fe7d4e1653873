import { Duration, Effect, Option } from "effect"
import * as Finding from "../finding/Finding.ts"
import * as DualClock from "../gateway/contract/DualClock.ts"
import type * as ServerClock from "../gateway/exchange/ServerClock.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { AccountFinding } from "./AccountFinding.ts"
import type { PollingAccount } from "./AccountSettings.ts"
import * as KeyOrigin from "./KeyOrigin.ts"

/**
 * For this process. Returns the milliseconds by which the database's clock is ahead of this
 * machine's; null if the store uses this machine's clock. `asked`: the time before the gateway was
 * asked.
 */
export const compare = (
  store: Pick<SubmissionStoreOperations, "compareClocks">,
  account: string,
  gateway: ServerClock.ClockSample,
  { tick, time }: DualClock.DualClock
): Effect.Effect<number | null, StoreError> =>
  store.compareClocks(account, gateway._tag === "Told" ? { time: time - gateway.aheadMillis, tick } : null)

/**
 * Asks the gateway for its time, so that what an operator decides now is permitted by the earliest
 * clock. Without an answer, the other clocks decide.
 */
export const ask = (
  store: Pick<SubmissionStoreOperations, "compareClocks" | "pinOf">,
  { account, gateway, origin }: PollingAccount
): Effect.Effect<void, StoreError> =>
  Effect.gen(function* () {
    // the key is in every request
    if (KeyOrigin.change(Option.getOrNull(yield* store.pinOf(account)), origin) !== undefined) return
    const asked = yield* DualClock.now
    yield* Effect.ignore(Effect.timeoutOption(gateway.subscription, "10 seconds"))
    const reading = yield* gateway.clock
    if (Option.isSome(reading)) yield* compare(store, account, reading.value, asked)
  })

const difference = (millis: number, whose: string): string => {
  const seconds = Math.round(Math.abs(millis) / 1000)
  return `${seconds} s ${millis > 0 ? "ahead of" : "behind"} ${whose}`
}

export const describe = (aheadMillis: number, gateway: ServerClock.ClockSample): string | null => {
  const differences = [
    [aheadMillis, "this machine's"] as const,
    ...(gateway._tag === "Told" ? [[aheadMillis + gateway.aheadMillis, "the gateway's"] as const] : [])
  ].filter(([millis]) => Math.abs(millis) >= 1000)
  return differences.length === 0 ? null : differences.map(([millis, whose]) => difference(millis, whose)).join(" and ")
}

/**
 * Null unless the database's clock differs by more than is allowed. Nothing is stopped: a time that
 * permits something ends by the earliest clock, and receipt dates do not use the database's clock.
 * `aheadMillis`: as `compare` returns it.
 */
export const warning = (
  aheadMillis: number | null,
  gateway: ServerClock.ClockSample,
  allowed: Duration.Duration
): Finding.Finding | null => {
  if (aheadMillis === null) return null
  const ofGateway = gateway._tag === "Told" ? aheadMillis + gateway.aheadMillis : 0
  if (Math.max(Math.abs(aheadMillis), Math.abs(ofGateway)) <= Duration.toMillis(allowed)) return null
  return {
    ...Finding.make(AccountFinding.CLOCK_WRONG, {
      message: `the clock of the store's database is ${describe(aheadMillis, gateway)}; ${Duration.format(allowed)} are allowed`,
      fix: "Set the clock of the database server, and use a time service."
    }),
    severity: "warning",
    consequence: "Nothing is stopped. Quiet periods end by the earliest clock, so documents wait longer."
  }
}

/** Comparison of the clock of the store's database with this machine's and the gateway's. */
import { Duration, type Effect } from "effect"
import * as Finding from "../finding/Finding.ts"
import type { DualClock } from "../gateway/contract/DualClock.ts"
import type * as ServerClock from "../gateway/exchange/ServerClock.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { AccountFinding } from "./AccountFinding.ts"

/**
 * Records the gateway's time in the store, for this process. Returns the milliseconds by which the
 * database's clock is ahead of this machine's; null if the store uses this machine's clock.
 *
 * `asked`: the time before the gateway was asked.
 */
export const compare = (
  store: Pick<SubmissionStoreOperations, "compareClocks">,
  account: string,
  gateway: ServerClock.Reading,
  { tick, time }: DualClock
): Effect.Effect<number | null, StoreError> =>
  store.compareClocks(account, gateway._tag === "Told" ? { time: time - gateway.aheadMillis, tick } : null)

const difference = (millis: number, whose: string): string => {
  const seconds = Math.round(Math.abs(millis) / 1000)
  return `${seconds} s ${millis > 0 ? "ahead of" : "behind"} ${whose}`
}

/** Describes the database's clock. Null if it agrees with both others to the second. */
export const describe = (aheadMillis: number, gateway: ServerClock.Reading): string | null => {
  const differences = [
    [aheadMillis, "this machine's"] as const,
    ...(gateway._tag === "Told" ? [[aheadMillis + gateway.aheadMillis, "the gateway's"] as const] : [])
  ].filter(([millis]) => Math.abs(millis) >= 1000)
  return differences.length === 0 ? null : differences.map(([millis, whose]) => difference(millis, whose)).join(" and ")
}

/**
 * Returns a warning if the database's clock differs by more than is allowed, else null. Nothing is
 * stopped: a time that permits something ends by the earliest clock, and receipt dates do not use
 * the database's clock.
 *
 * `aheadMillis`: milliseconds by which the database's clock is ahead of this machine's. Null if the
 * store uses this machine's clock.
 */
export const warning = (
  aheadMillis: number | null,
  gateway: ServerClock.Reading,
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

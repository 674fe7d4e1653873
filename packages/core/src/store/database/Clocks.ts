/**
 * Time by every known clock: the store's, this machine's, and the gateways'. Any may have been set
 * wrong since the store recorded a time.
 */
import type { DualClock } from "../../gateway/contract/DualClock.ts"

/** Times in milliseconds since the epoch. */
export interface StoreClocks {
  /** Time for leases, polls and records, shared by all users of the store. */
  readonly now: number
  /**
   * Time for receipt dates: this machine's clock, which the permission to send has compared with
   * the gateway's.
   */
  readonly hostNow: number
  /**
   * Earliest time by any known clock. A period that permits something at its end (a quiet period,
   * the gateway's answers) is over only by this time.
   */
  readonly earliest: number
  /** Latest time by any known clock. The start of such a period is recorded by this time. */
  readonly latest: number
}

export type GatewayTimes = Map<string, DualClock>

export const gatewaysAt = (heard: GatewayTimes, tick: bigint): ReadonlyArray<number> =>
  [...heard.values()].map((at) => Math.floor(at.time) + Number((tick - at.tick) / 1_000_000n))

export const of = (now: number, hostNow: number, gateways: ReadonlyArray<number>): StoreClocks => ({
  now,
  hostNow,
  earliest: Math.min(now, hostNow, ...gateways),
  latest: Math.max(now, hostNow, ...gateways)
})

/**
 * As `overAt`, for people. Differences below a second are left out: they vary with each reading of
 * the database's clock.
 */
export const shownAt = ({ earliest, hostNow }: Pick<StoreClocks, "earliest" | "hostNow">, end: number): number | null =>
  end > earliest ? end + Math.floor((hostNow - earliest) / 1000) * 1000 : null

/**
 * Returns the time of this machine's clock at which a period that ends at `end` is over by every
 * clock. Null if it is over.
 */
export const overAt = ({ earliest, hostNow }: Pick<StoreClocks, "earliest" | "hostNow">, end: number): number | null =>
  end > earliest ? hostNow + end - earliest : null

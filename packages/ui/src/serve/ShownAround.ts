import { Lane } from "@fiscal-connector/core/store"
import type { Around as Shown } from "../page/part/Layout.ts"

export interface CountedAround extends Shown {
  accounts: Array<Shown["accounts"][number]>
  open: number
  /** Time of the last look at the store, in milliseconds since the epoch. */
  at: number
  standing: string
}

export const make = (): CountedAround => ({ accounts: [], open: 0, at: 0, standing: "" })

export const know = (around: CountedAround, account: string, lane: string, environment: string): void => {
  const shown = { account, device: Lane.deviceOf(lane), environment }
  around.accounts = [...around.accounts.filter((one) => one.account !== account), shown]
}

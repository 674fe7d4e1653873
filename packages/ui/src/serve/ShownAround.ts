/** Holds known facts about accounts and open items for the frame of every page. */
import type { Around as Shown } from "../page/part/Layout.ts"

export interface Around extends Shown {
  accounts: Array<Shown["accounts"][number]>
  open: number
  worst: ReadonlyArray<string>
  /** Time of the last look at the store, in milliseconds since the epoch. */
  at: number
  /** State of the store at the last look. */
  standing: string
}

export const make = (): Around => ({ accounts: [], open: 0, worst: [], at: 0, standing: "" })

export const know = (around: Around, account: string, lane: string, environment: string): void => {
  const device = lane.split("/").at(-1) ?? lane
  around.accounts = [...around.accounts.filter((one) => one.account !== account), { account, device, environment }]
}

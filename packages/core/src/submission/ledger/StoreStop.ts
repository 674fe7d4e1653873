/**
 * Stop of a store. `older`: the store is an older copy, and only an operator clears the stop.
 * `unproven`: the database is another one than before, and no process has proven that it is
 * complete. `behind`: the device has receipts that the store lacks; an operator clears the stop.
 */
export interface StoreStop {
  readonly is: "older" | "unproven" | "behind"
  readonly text: string
  readonly lane: string | null
  /** Store time in milliseconds. */
  readonly since: number
}

const states: Readonly<Record<StoreStop["is"], string>> = {
  older: "this store is an older copy",
  unproven: "this store may be an older copy",
  behind: "this store may be an older copy"
}

export const sentence = ({ is, text }: Pick<StoreStop, "text" | "is">): string => `${states[is]}: ${text}`

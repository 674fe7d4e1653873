/** Stop of a whole store, as its one row records it. */

/**
 * Stop of a store. `older`: the store is an older copy, and only an operator clears the stop.
 * `unproven`: the database is another one than before, and no process has proven that it is
 * complete.
 */
export interface StoreStop {
  readonly is: "older" | "unproven"
  /** Missing attempt or acceptance, or the change of the database. */
  readonly because: string
  /** Store time in milliseconds. */
  readonly since: number
}

const states: Readonly<Record<StoreStop["is"], string>> = {
  older: "this store is an older copy",
  unproven: "this store may be an older copy"
}

/** Returns the sentence with which everything refuses a stopped store. */
export const sentence = ({ because, is }: Pick<StoreStop, "because" | "is">): string => `${states[is]}: ${because}`

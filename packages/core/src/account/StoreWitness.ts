/**
 * Record, outside a store, of the store's progress. Recognizes an older copy, or another store in
 * its place. Cannot help if store and record are restored together.
 */
import type { Effect } from "effect"
import { compare, merge, type WitnessedMarks } from "../submission/ledger/NewestAttempt.ts"

/** Progress of one store when it was last seen. */
export interface WitnessedStore extends WitnessedMarks {
  /** Lanes that the store had permission for. */
  readonly lanes: ReadonlyArray<string>
}

/**
 * Merges new figures into the known ones. Figures never decrease, except if an operator has
 * accepted an older copy in the meantime.
 */
export const merged = (known: WitnessedStore | undefined, reported: WitnessedStore): WitnessedStore => {
  if (known === undefined) return reported
  const lanes = [...new Set([...known.lanes, ...reported.lanes])].toSorted()
  const comparison = compare(known.accepted, reported.accepted)
  if (comparison === "lost") return { ...known, lanes }
  const attempts = comparison === "later" ? reported.attempts : Math.max(known.attempts, reported.attempts)
  return { ...reported, ...merge(known, reported), attempts, lanes }
}

/** Storage for the progress of all stores. */
export interface StoreWitness {
  /** Reads all records. Empty if no record exists, or if the records cannot be read. */
  readonly read: Effect.Effect<ReadonlyArray<WitnessedStore>>
  /**
   * Merges the figures of a store into the known ones (`merged`). `unwritten`: the figures could
   * not be written.
   */
  write(store: WitnessedStore): Effect.Effect<"written" | "unwritten">
}

/**
 * What is kept outside a store about how far it has come, so that an older copy of it, or another in its place, is told from the one that was
 * used. It cannot tell where both are restored together.
 */
import type { Effect } from "effect"
import { compare, merge, type WitnessedMarks } from "../ledger/NewestAttempt.ts"

/** How far one store had come when it was last seen. */
export interface WitnessedStore extends WitnessedMarks {
  /** The lanes it had permission for. */
  readonly lanes: ReadonlyArray<string>
}

/** Merges new figures into the known ones. Figures never decrease, except where an operator has accepted an older copy since. */
export const merged = (known: WitnessedStore | undefined, told: WitnessedStore): WitnessedStore => {
  if (known === undefined) return told
  const lanes = [...new Set([...known.lanes, ...told.lanes])].toSorted()
  const comparison = compare(known.accepted, told.accepted)
  if (comparison === "lost") return { ...known, lanes }
  const attempts = comparison === "later" ? told.attempts : Math.max(known.attempts, told.attempts)
  return { ...told, ...merge(known, told), attempts, lanes }
}

/** Remembers beside the stores how far each has come, so that an older copy is told. */
export interface StoreWitness {
  /** All that is known; empty where nothing is, or it cannot be read. */
  readonly read: Effect.Effect<ReadonlyArray<WitnessedStore>>
  /** Merges the figures of a store into the known ones (`merged`). `unwritten`: they could not be written. */
  write(store: WitnessedStore): Effect.Effect<"written" | "unwritten">
}

/**
 * What is kept outside a store about how far it has come, so that an older copy of it, or another in its place, is told from the one that was
 * used. It cannot tell where both are restored together.
 */
import type { Effect } from "effect"
import { type NewestAttempt, newest } from "../ledger/NewestAttempt.ts"

/** How far one store had come when it was last seen. */
export interface WitnessedStore {
  readonly id: string
  /** The number of its last attempt, as the store said then. */
  readonly attempts: number
  /** The lanes it had permission for. */
  readonly lanes: ReadonlyArray<string>
  /** ISO 8601, UTC. */
  readonly at: string
  /** Newest attempt of each lane. */
  readonly newest: ReadonlyArray<NewestAttempt>
}

/**
 * Merges new figures into the known ones. Figures never decrease, except after an operator has accepted an older copy (`acceptedAt`, milliseconds).
 */
export const merged = (
  known: WitnessedStore | undefined,
  told: WitnessedStore,
  acceptedAt: number | null
): WitnessedStore => {
  if (known === undefined) return told
  const isAccepted = acceptedAt !== null && acceptedAt >= Date.parse(known.at)
  return {
    ...told,
    attempts: isAccepted ? told.attempts : Math.max(known.attempts, told.attempts),
    lanes: [...new Set([...known.lanes, ...told.lanes])].toSorted(),
    newest: newest(known.newest, told.newest, acceptedAt)
  }
}

/** Remembers beside the stores how far each has come, so that an older copy is told. */
export interface StoreWitness {
  /** All that is known; empty where nothing is, or it cannot be read. */
  readonly read: Effect.Effect<ReadonlyArray<WitnessedStore>>
  /** Merges the figures of a store into the known ones (`merged`). `unwritten`: they could not be written. */
  write(store: WitnessedStore, acceptedAt: number | null): Effect.Effect<"written" | "unwritten">
}

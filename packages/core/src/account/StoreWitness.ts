/**
 * What is kept outside a store about how far it has come, so that an older copy of it, or another in its place, is told from the one that was
 * used. It cannot tell where both are restored together.
 */
import type { Effect } from "effect"

/** How far one store had come when it was last seen. */
export interface WitnessedStore {
  readonly id: string
  /** The number of its last attempt, as the store said then. */
  readonly attempts: number
  /** The lanes it had permission for. */
  readonly lanes: ReadonlyArray<string>
  /** ISO 8601, UTC. */
  readonly at: string
}

/** Remembers beside the stores how far each has come, so that an older copy is told. */
export interface StoreWitness {
  /** All that is known; empty where nothing is, or it cannot be read. */
  readonly read: Effect.Effect<ReadonlyArray<WitnessedStore>>
  /** Says how far the store has come. `unwritten`: it could not be kept. */
  write(store: WitnessedStore): Effect.Effect<"written" | "unwritten">
}

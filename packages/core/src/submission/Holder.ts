/** Holders of lanes, and the detection of dead holders. */
import type { Effect } from "effect"

/**
 * A worker: a unique name, and a test if the worker of a name is gone (node/PgHolder,
 * node/SqliteHolder).
 */
export interface Holder {
  readonly name: string
  /**
   * Returns true only if the worker is certainly gone. A mistake sends nothing twice: fencing stops
   * the other worker, and its request in flight is Unknown until the answer arrives.
   */
  readonly presumedDead: (name: string) => Effect.Effect<boolean>
}

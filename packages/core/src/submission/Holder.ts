/** Who holds lanes, and how the others know that it is gone. */
import type { Effect } from "effect"

/** A worker: a name that no other has, and how to tell that the worker of a name is gone (node/PgHolder, node/SqliteHolder). */
export interface Holder {
  readonly name: string
  /** True only where it is certain. A mistake sends nothing twice: fencing stops the other, and what it had in flight is Unknown until it answers. */
  readonly presumedDead: (name: string) => Effect.Effect<boolean>
}

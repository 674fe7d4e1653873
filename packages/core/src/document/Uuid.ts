/** Random ids from one source, so that a simulation can draw the ids from its seed. */
import { Context } from "effect"
import { randomUUID } from "node:crypto"

/** Makes a random UUID (version 4). Default: the system's secure random generator. */
export const Uuid = Context.Reference<() => string>("@fiscal-connector/core/unstable/document/Uuid", {
  defaultValue: () => randomUUID
})

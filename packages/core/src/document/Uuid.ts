/** Random ids: one place, so that a simulation can draw them from its seed. */
import { Context } from "effect"
import { randomUUID } from "node:crypto"

/** Makes a random UUID (version 4). Default: from the system's secure random numbers. */
export const Uuid = Context.Reference<() => string>("@fiscal-connector/core/unstable/document/Uuid", {
  defaultValue: () => randomUUID
})

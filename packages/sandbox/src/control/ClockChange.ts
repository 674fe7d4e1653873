import * as Schema from "effect/Schema"
import { Instant } from "../SandboxConfig.ts"

/** Reading of the clock. `now` is an ISO 8601 instant in UTC. */
export const ClockReading = Schema.Struct({ now: Schema.String }).annotate({ identifier: "ClockReading" })
export type ClockReading = typeof ClockReading.Type

/**
 * Change of the clock, applied in this order: `mode` stops or runs the clock; `set` sets an ISO
 * 8601 instant; `advanceMillis` moves the clock forward, or back if negative.
 */
export const ClockChange = Schema.Struct({
  mode: Schema.optionalKey(Schema.Literals(["running", "standing"])),
  set: Schema.optionalKey(Instant),
  advanceMillis: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "ClockChange" })
export type ClockChange = typeof ClockChange.Type

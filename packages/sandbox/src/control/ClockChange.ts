/**
 * The sandbox's clock as its control shows and moves it.
 */
import * as Schema from "effect/Schema"
import { Instant } from "../SandboxConfig.ts"

/** `now` is an ISO 8601 instant in UTC. */
export const ClockReading = Schema.Struct({ now: Schema.String }).annotate({ identifier: "ClockReading" })
export type ClockReading = typeof ClockReading.Type

/**
 * In this order: `mode` stops the clock or lets it run; `set` puts it to an ISO 8601 instant; `advanceMillis` moves it on, or back
 * when negative.
 */
export const ClockChange = Schema.Struct({
  mode: Schema.optionalKey(Schema.Literals(["running", "standing"])),
  set: Schema.optionalKey(Instant),
  advanceMillis: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "ClockChange" })
export type ClockChange = typeof ClockChange.Type

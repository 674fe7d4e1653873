/** Input and results of closing and repairing fiscal days by control. */
import * as Schema from "effect/Schema"

/** Choice of a device; without `deviceId`, the first device of the configuration. */
export const DeviceChoice = Schema.Struct({ deviceId: Schema.optionalKey(Schema.Int) }).annotate({
  identifier: "DeviceChoice"
})
export type DeviceChoice = typeof DeviceChoice.Type

/**
 * Result of a close; instants are ISO 8601 in UTC. The full report is at
 * `/reports/z-report/{fiscalDay}`.
 */
export const ClosedDay = Schema.Struct({
  deviceId: Schema.Int,
  fiscalDay: Schema.Int,
  result: Schema.Literals(["closed", "failed"]),
  message: Schema.String,
  openedAt: Schema.String,
  closedAt: Schema.String
}).annotate({ identifier: "ClosedDay" })
export type ClosedDay = typeof ClosedDay.Type

/** Request ids of the red receipts that no longer stop the close. */
export const RepairedDay = Schema.Struct({
  deviceId: Schema.Int,
  fiscalDay: Schema.Int,
  repaired: Schema.Array(Schema.String)
}).annotate({ identifier: "RepairedDay" })
export type RepairedDay = typeof RepairedDay.Type

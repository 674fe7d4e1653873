import * as Schema from "effect/Schema"

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

export const RepairedDay = Schema.Struct({
  deviceId: Schema.Int,
  fiscalDay: Schema.Int,
  repaired: Schema.Array(Schema.String)
}).annotate({ identifier: "RepairedDay" })
export type RepairedDay = typeof RepairedDay.Type

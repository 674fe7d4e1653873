/**
 * A call that reached the gateway's operations.
 */
import * as Schema from "effect/Schema"

/**
 * - `at`: milliseconds since 1970 on the sandbox's clock.
 * - `status`: of the answer; `dropped` when a fault cut the connection, `unanswered` while the call is served, and for good when the
 *   client gave it up.
 * - `version`: X-App-Version as sent (AUTH-8). `documents`: ids and numbers the call is about.
 * - `ids`: how many request ids a status call asked for; null for any other call.
 */
export const Call = Schema.Struct({
  at: Schema.Int,
  operation: Schema.String,
  method: Schema.String,
  path: Schema.String,
  status: Schema.mutableKey(Schema.Union([Schema.Int, Schema.Literals(["dropped", "unanswered"])])),
  account: Schema.NullOr(Schema.String),
  station: Schema.NullOr(Schema.String),
  version: Schema.NullOr(Schema.String),
  documents: Schema.Array(Schema.String),
  ids: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "Call" })
export type Call = typeof Call.Type

import * as Schema from "effect/Schema"

/**
 * Fields of a call.
 * - `at`: milliseconds since 1970 on the sandbox's clock.
 * - `status`: status of the answer; `dropped` if a fault cut the connection; `unanswered` while the
 *   call is being served, and permanently if the client gave up.
 * - `version`: X-App-Version as sent (AUTH-8). `documents`: ids and numbers of the call's
 *   documents.
 * - `ids`: number of request ids in a status call; null for any other call.
 */
export const GatewayCall = Schema.Struct({
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
export type GatewayCall = typeof GatewayCall.Type

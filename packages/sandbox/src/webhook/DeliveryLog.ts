import * as Schema from "effect/Schema"

/** Reason for a delivery: an outcome, or a test delivery of a registration (HOOK-5). */
export const Purpose = Schema.Literals(["outcomes", "test"])
export type Purpose = typeof Purpose.Type

/** Form of a delivery: correct, with one byte more than was signed, or signed with another key. */
export const Dress = Schema.Literals(["as-it-should-be", "corrupted", "badly-signed"])
export type Dress = typeof Dress.Type

/**
 * One try of one delivery.
 * - `at`: milliseconds since 1970 on the sandbox's clock.
 * - `delivery`: number shared by all tries of one delivery. `attempt` counts from 1.
 * - `answer`: HTTP status; `lost` if a fault dropped the delivery, `unreachable`, or `no-answer`
 *   within five seconds (HOOK-4).
 * - `problem`: reason why the try failed; null if the try succeeded.
 * - `next`: time of the next try, on the sandbox's clock; null if there is no next try.
 */
export const DeliveryAttempt = Schema.Struct({
  at: Schema.Int,
  delivery: Schema.Int,
  attempt: Schema.Int,
  account: Schema.String,
  url: Schema.String,
  purpose: Purpose,
  dress: Dress,
  requestIds: Schema.Array(Schema.String),
  documents: Schema.Array(Schema.String),
  answer: Schema.Union([Schema.Int, Schema.Literals(["lost", "unreachable", "no-answer"])]),
  problem: Schema.NullOr(Schema.String),
  next: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "DeliveryAttempt" })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/**
 * Registered webhook. `disabled`: no delivery succeeded for 24 hours; remains disabled until
 * registered again. `waiting`: number of outstanding deliveries.
 */
export const Registration = Schema.Struct({
  account: Schema.String,
  url: Schema.String,
  state: Schema.Literals(["enabled", "disabled"]),
  waiting: Schema.Int
}).annotate({ identifier: "WebhookRegistration" })
export type Registration = typeof Registration.Type

/**
 * Result of one delivery of the test series: the content sent, the answer a receiver must give, and
 * the actual answer.
 */
export const TestResult = Schema.Struct({
  sent: Schema.String,
  expected: Schema.String,
  answer: DeliveryAttempt.fields.answer,
  passed: Schema.Boolean,
  problem: Schema.NullOr(Schema.String)
}).annotate({ identifier: "WebhookTestResult" })
export type TestResult = typeof TestResult.Type

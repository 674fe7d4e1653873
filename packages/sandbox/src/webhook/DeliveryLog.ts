/**
 * What was delivered, and what came back: the log of deliveries and the registrations, as controls show them.
 */
import * as Schema from "effect/Schema"

/** Why something is sent: an outcome, or one of the test deliveries of a registration (HOOK-5). */
export const Purpose = Schema.Literals(["outcomes", "test"])
export type Purpose = typeof Purpose.Type

/** How it was sent: as it should be, with a byte more than was signed, or signed with another key. */
export const Dress = Schema.Literals(["as-it-should-be", "corrupted", "badly-signed"])
export type Dress = typeof Dress.Type

/**
 * One try of one delivery.
 * - `at`: milliseconds since 1970 on the sandbox's clock. `delivery`: the same for all tries of one delivery; `attempt` counts from 1.
 * - `answer`: the status; `lost` when a fault let it not arrive, `unreachable`, or `no-answer` within five seconds (HOOK-4).
 * - `problem`: why it counts as not delivered; null where it was.
 * - `next`: when it is tried again, on the sandbox's clock; null when it is not.
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

/** `disabled`: nothing got through for 24 hours; it stays so until it is registered anew. `waiting`: deliveries still to be made. */
export const Registration = Schema.Struct({
  account: Schema.String,
  url: Schema.String,
  state: Schema.Literals(["enabled", "disabled"]),
  waiting: Schema.Int
}).annotate({ identifier: "WebhookRegistration" })
export type Registration = typeof Registration.Type

/** One delivery of the test series: what it was, what a receiver must answer, and what it did. */
export const TestResult = Schema.Struct({
  sent: Schema.String,
  expected: Schema.String,
  answer: DeliveryAttempt.fields.answer,
  passed: Schema.Boolean,
  problem: Schema.NullOr(Schema.String)
}).annotate({ identifier: "WebhookTestResult" })
export type TestResult = typeof TestResult.Type

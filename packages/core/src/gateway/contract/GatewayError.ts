/** Failures of the gateway's operations: one error, with the cases in `reason`. */
import { type Option, Schema } from "effect"
import { ExchangeFacts } from "./ExchangeFacts.ts"

const id = (name: string) => `@fiscal-connector/core/gateway/${name}`

/** 404. For a device: no device is attached to the account (docs/gateway.md#resources). */
export class NotFound extends Schema.TaggedError<NotFound>(id("NotFound"))("NotFound", {
  what: Schema.Literals(["device", "subscription", "mapping", "z-report", "pdf", "operation"])
}) {}

/**
 * 401 or 403: the gateway does not accept the key, the secret, the application or the station
 * (AUTH-5).
 */
export class CredentialsRefused extends Schema.TaggedError<CredentialsRefused>(id("CredentialsRefused"))(
  "CredentialsRefused",
  { status: Schema.Literals([401, 403]), text: Schema.String }
) {}

/**
 * 400, 413, 415 or 422: the gateway declined what was sent, with its text (bounded). Nothing was
 * processed. Status 200 means that an update of a mapping was answered with false (OP-9).
 */
export class Declined extends Schema.TaggedError<Declined>(id("Declined"))("Declined", {
  status: Schema.Literals([200, 400, 413, 415, 422]),
  text: Schema.String
}) {}

/** 405 or 411: another server than the gateway answers at this address. Nothing was processed. */
export class Misdirected extends Schema.TaggedError<Misdirected>(id("Misdirected"))("Misdirected", {
  status: Schema.Literals([405, 411])
}) {}

/** 429: too many requests. `retryAfter` is the gateway's hint. Nothing was processed. */
export class Limited extends Schema.TaggedError<Limited>(id("Limited"))("Limited", {
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/**
 * A read that was cut, timed out, or was answered with 3xx, 408, 409, 425, 5xx or another unknown
 * status.
 */
export class Unavailable extends Schema.TaggedError<Unavailable>(id("Unavailable"))("Unavailable", {
  status: Schema.optionalKey(Schema.Int),
  text: Schema.String,
  retryAfter: Schema.optionalKey(Schema.Duration)
}) {}

/**
 * The request certainly never reached the gateway: name not resolved, no connection, TLS failure,
 * or our own abort before the hand-over.
 */
export class NotSent extends Schema.TaggedError<NotSent>(id("NotSent"))("NotSent", {
  cause: Schema.Literals(["name-not-resolved", "not-connected", "tls-failure", "aborted-before-sending"]),
  text: Schema.String
}) {}

/**
 * The request may have been processed (docs/architecture.md#answer). Never resent without evidence.
 */
export class UnknownOutcome extends Schema.TaggedError<UnknownOutcome>(id("UnknownOutcome"))("UnknownOutcome", {
  status: Schema.optionalKey(Schema.Int),
  text: Schema.String
}) {}

/** An answer to a read that differs from the contract (docs/gateway.md). `excerpt` is bounded. */
export class MalformedAnswer extends Schema.TaggedError<MalformedAnswer>(id("MalformedAnswer"))("MalformedAnswer", {
  text: Schema.String,
  excerpt: Schema.String
}) {}

/** Cases of a GatewayError. */
export const GatewayErrorReason = Schema.Union([
  NotFound,
  CredentialsRefused,
  Declined,
  Misdirected,
  Limited,
  Unavailable,
  NotSent,
  UnknownOutcome,
  MalformedAnswer
])
export type GatewayErrorReason = typeof GatewayErrorReason.Type

/** Returns the same reason with changed texts. */
export const withTexts = (reason: GatewayErrorReason, change: (text: string) => string): GatewayErrorReason => {
  switch (reason._tag) {
    case "CredentialsRefused":
      return new CredentialsRefused({ ...reason, text: change(reason.text) })
    case "Declined":
      return new Declined({ ...reason, text: change(reason.text) })
    case "Unavailable":
      return new Unavailable({ ...reason, text: change(reason.text) })
    case "NotSent":
      return new NotSent({ ...reason, text: change(reason.text) })
    case "UnknownOutcome":
      return new UnknownOutcome({ ...reason, text: change(reason.text) })
    case "MalformedAnswer":
      return new MalformedAnswer({ text: change(reason.text), excerpt: change(reason.excerpt) })
    case "NotFound":
    case "Misdirected":
    case "Limited":
      return reason
  }
}

/**
 * Error of an operation. `operation` is the operation's name in the contract
 * (docs/gateway.md#operations). `exchanged` is left out if nothing was tried; else it contains how
 * far the request got, the answer's status, the transport's error code and the time taken. No field
 * contains secrets or document contents.
 */
export class GatewayError extends Schema.TaggedError<GatewayError>(id("GatewayError"))("GatewayError", {
  operation: Schema.String,
  reason: GatewayErrorReason,
  exchanged: Schema.optionalKey(ExchangeFacts)
}) {
  override get message() {
    return `${this.operation}: ${describe(this.reason)}`
  }
}

/** Returns the value as a GatewayError by its tag and fields, whichever copy of core made it. */
export const gatewayErrorOf: (value: unknown) => Option.Option<GatewayError> = Schema.decodeUnknownOption(GatewayError)

const describe = (reason: GatewayErrorReason): string => {
  switch (reason._tag) {
    case "NotFound":
      return reason.what === "operation"
        ? "nothing is found at this address (404); check the base URL and the paths, and that a device is attached"
        : `the gateway knows no such ${reason.what} (404)`
    case "CredentialsRefused":
      return `the gateway does not accept the credentials (${reason.status}): ${reason.text}`
    case "Declined":
      return `declined (${reason.status}): ${reason.text}`
    case "Misdirected":
      return `this address does not take the operation (${reason.status}); check the base URL`
    case "Limited":
      return "too many requests (429)"
    case "Unavailable":
      return reason.status === undefined ? reason.text : `${reason.text} (${reason.status})`
    case "NotSent":
      return `not sent: ${reason.text}`
    case "UnknownOutcome":
      return `outcome unknown: ${reason.status === undefined ? "" : `${reason.status}, `}${reason.text}`
    case "MalformedAnswer":
      return `malformed answer: ${reason.text}`
  }
}

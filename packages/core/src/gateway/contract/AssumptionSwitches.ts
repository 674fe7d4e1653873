/**
 * The part of an account's configuration that adapts to a gateway which differs from our
 * assumptions (docs/gateway.md#assumptions). Each switch has the id of its assumption.
 */
import { DateTime, Duration, Effect, Option, Schema } from "effect"

const choice = <const Values extends readonly [string, ...Array<string>]>(values: Values, description: string) =>
  Schema.Literals(values).pipe(
    Schema.annotate({ description }),
    Schema.withDecodingDefaultKey(Effect.succeed(values[0]))
  )

/** At least a tenth of a second. */
const seconds = (standard: number, description: string) =>
  Schema.Finite.check(Schema.isBetween({ minimum: 0.1, maximum: 3600 })).pipe(
    Schema.annotate({ description }),
    Schema.withDecodingDefaultKey(Effect.succeed(standard))
  )

const Zone = Schema.String.annotate({
  description: "the zone of date-times without an offset; account is the mapping book's zone"
}).check(
  Schema.makeFilter(
    (text) =>
      text === "account" ||
      Option.isSome(DateTime.zoneFromString(text)) ||
      'expected "account", an offset such as +02:00, or an IANA zone'
  )
)

const HeaderName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9-]{1,100}$/, { message: "expected the name of a header" })
)

const SettlesAfter = Schema.String.annotate({
  description:
    "after how long the same failure in every look at /status is a result: a duration, never, or any for every failure at once"
}).check(
  Schema.makeFilter(
    (text) => (text !== "" && text.length <= 500) || 'expected a duration such as "20 hours", "never", or "any"'
  )
)

/** Schema of the switches. The first value of each choice is the default. */
export const AssumptionSwitches = Schema.Struct({
  "AUTH-1": choice(["bodies", "every-request"], "requests that are signed when the account has a secret"),
  "AUTH-2": choice(["utf-8", "base64"], "how the secret's text becomes the HMAC key"),
  "AUTH-7": choice(["https", "http-too"], "whether plain http is taken beyond loopback; keys then travel in the clear"),
  "HOOK-1": choice(["array", "array-or-item"], "the body of a delivery"),
  "HOOK-3": HeaderName.pipe(
    Schema.annotate({ description: "the header that carries a delivery's signature" }),
    Schema.withDecodingDefaultKey(Effect.succeed("X-Api-Signature"))
  ),
  "HOOK-4": seconds(5, "within how many seconds a delivery must be answered"),
  "STAT-1": choice(["pending", "rejected"], "what Success false without an Error means"),
  "STAT-2": choice(["correctable", "final"], "what a failure is that does not say whether it is actionable"),
  "STAT-6": choice(["unquoted", "verbatim"], "whether a pair of quotes round a request id is taken off"),
  "STAT-7": seconds(6, "after how many seconds the status of a submission is first looked at"),
  "STAT-8": choice(["digit", "any"], "whether a request id has a digit in it at least"),
  "STAT-9": SettlesAfter.pipe(Schema.withDecodingDefaultKey(Effect.succeed("20 hours"))),
  "STAT-11": choice(["expected", "none"], "whether a success comes with a verification code or a receipt number"),
  "OP-9": choice(["refusal", "done"], "what an update answered with false means"),
  "TIME-1": Zone.pipe(Schema.withDecodingDefaultKey(Effect.succeed("account"))),
  "ZREP-1": Schema.Literals([1, 0]).pipe(
    Schema.annotate({ description: "the number of the first page of Z-reports" }),
    Schema.withDecodingDefaultKey(Effect.succeed(1 as const))
  ),
  "DOC-7": choice(
    ["0", "0.01", "0.02"],
    "by how much a stated tax may differ from the device's, in the document's currency"
  ),
  "DOC-10": choice(
    ["unknown", "deduplicates"],
    "what the gateway does with a document it has seen when IsRetry is true"
  ),
  "DOC-10b": choice(["retry", "first"], "what the attempt after an actionable rejection is, for IsRetry"),
  "DOC-19": choice(["any", "same"], "whether a prepared credit note may have another tax mode than its original"),
  "ORD-1": choice(["accepted", "outcome"], "what a lane waits for before it sends the next document"),
  "HIST-1": choice(["permitted", "refused"], "whether AllowCsvUpload also permits back-dated submissions"),
  "SUB-1": choice(["warn", "stop"], "consequence of a subscription state that we have not seen"),
  "SUB-1b": choice(["warn", "stop"], "what a subscription leads to that the gateway does not have (404)"),
  "LIM-1": choice(
    ["not-processed", "unknown"],
    "what a submission is that was refused (400, 401, 403, 404, 405, 411, 413, 415, 422, 429)"
  )
}).annotate({ description: "differences of the gateway from the assumptions, by assumption" })
/** Every switch, with defaults. */
export interface AssumptionSwitches extends Schema.Schema.Type<typeof AssumptionSwitches> {}

/**
 * Returns the meaning of the switch STAT-9, or null for a value of an earlier version, which
 * decides
 * nothing any more.
 */
export const settlesAfter = (text: string): Duration.Duration | "never" | "any" | null => {
  if (text === "never" || text === "any") return text
  if (!/^\d+ (?:minute|hour|day)s?$/.test(text)) return null
  return Option.getOrNull(Duration.fromInput(text as Duration.Input))
}

/** Defaults of all switches. */
export const defaults: AssumptionSwitches = Schema.decodeSync(AssumptionSwitches)({})

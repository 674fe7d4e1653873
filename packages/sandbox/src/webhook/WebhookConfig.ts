/**
 * Where an account's outcomes are delivered: one address per account (HOOK-6).
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const addressProblem = (text: string): string | undefined => {
  const url = URL.parse(text)
  return url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== ""
    ? "expected an address such as http://127.0.0.1:4020/webhooks/shop"
    : undefined
}

/**
 * - `url`: where to; http or https.
 * - `secret`: signs the deliveries; by default the account's own, the first where it has several. Without any they go unsigned.
 * - `itemsPerDelivery`: the most outcomes one delivery carries, 1 by default.
 * - `firstPauseMillis`: how long after a failed first try the second comes, 10 000 by default; each further pause is three times as long.
 */
export const WebhookConfig = Schema.Struct({
  url: Schema.String.check(Schema.makeFilter((text) => addressProblem(text))),
  secret: Schema.optionalKey(Schema.RedactedFromValue(Schema.NonEmptyString, { label: "secret" })),
  itemsPerDelivery: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(1))
  ),
  firstPauseMillis: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_600_000 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(10_000))
  )
}).annotate({ identifier: "WebhookConfig" })
export type WebhookConfig = typeof WebhookConfig.Type

/** Address to which an account's outcomes are delivered; one address per account (HOOK-6). */
import * as Schema from "effect/Schema"
import { byDefault } from "../Default.ts"

const addressProblem = (text: string): string | undefined => {
  const url = URL.parse(text)
  return url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== ""
    ? "expected an address such as http://127.0.0.1:4020/webhooks/shop"
    : undefined
}

/**
 * Configuration of a webhook.
 * - `url`: address of the receiver; http or https.
 * - `secret`: signs the deliveries. Default: the account's own secret, or its first of several.
 *   Without any secret, deliveries are unsigned.
 * - `itemsPerDelivery`: maximum number of outcomes in one delivery, 1 by default.
 * - `firstPauseMillis`: pause between a failed first try and the second, 10 000 by default. Each
 *   further pause is three times as long.
 */
export const WebhookConfig = Schema.Struct({
  url: Schema.String.check(Schema.makeFilter((text) => addressProblem(text))),
  secret: Schema.optionalKey(Schema.RedactedFromValue(Schema.NonEmptyString, { label: "secret" })),
  itemsPerDelivery: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).pipe(byDefault(1)),
  firstPauseMillis: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_600_000 })).pipe(byDefault(10_000))
}).annotate({ identifier: "WebhookConfig" })
export type WebhookConfig = typeof WebhookConfig.Type

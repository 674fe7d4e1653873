import * as Schema from "effect/Schema"
import { WebhookConfig } from "./webhook/WebhookConfig.ts"
import { byDefault } from "./Default.ts"

const text = (standard: string) => Schema.String.pipe(byDefault(standard))
const Secret = Schema.RedactedFromValue(Schema.NonEmptyString, { label: "secret" })

/**
 * Configuration of an account.
 * - `key`: the X-Api-Key. `name`: the account's name in controls; by default its position,
 *   `account-1`.
 * - `secret`: with a secret, signatures are required; several secrets are accepted during a
 *   rotation (AUTH-6).
 * - `application`, `station`: exact values required; by default, any non-empty value (AUTH-4).
 * - `device`: DeviceId of a device of this sandbox. Default: no device is attached to the account.
 * - `webhook`: address for deliveries of the account's outcomes. Default: no deliveries.
 * - `userId` and the fields after it: the answer of `/profile`.
 */
export const AccountConfig = Schema.Struct({
  key: Schema.RedactedFromValue(Schema.NonEmptyString, { label: "key" }),
  name: Schema.optionalKey(Schema.NonEmptyString),
  secret: Schema.optionalKey(Schema.Union([Secret, Schema.Array(Secret)])),
  application: Schema.optionalKey(Schema.NonEmptyString),
  station: Schema.optionalKey(Schema.NonEmptyString),
  device: Schema.optionalKey(Schema.Int),
  webhook: Schema.optionalKey(WebhookConfig),
  userId: Schema.optionalKey(Schema.Int),
  fullName: text("Sandbox Trading"),
  username: text("sandbox"),
  email: text("sandbox@example.com"),
  fiscalProvider: text("00000000-0000-4000-8000-000000000001"),
  taxMappings: Schema.Array(
    Schema.Struct({
      taxCode: Schema.NonEmptyString,
      taxName: Schema.optionalKey(Schema.String),
      destinationTaxId: Schema.Int
    })
  ).pipe(byDefault([])),
  currencyMappings: Schema.Array(
    Schema.Struct({ sourceCurrency: Schema.NonEmptyString, destinationCurrency: Schema.NonEmptyString })
  ).pipe(byDefault([]))
})
export type AccountConfig = typeof AccountConfig.Type

/** Returns the account's name in controls, for its position (from 0) in the configuration. */
export const nameOf = (config: AccountConfig, position: number): string => config.name ?? `account-${position + 1}`

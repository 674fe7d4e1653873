/**
 * One set of credentials of the sandbox and what belongs to it.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { WebhookConfig } from "./webhook/WebhookConfig.ts"

const text = (standard: string) => Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(standard)))
const Secret = Schema.RedactedFromValue(Schema.NonEmptyString, { label: "secret" })

/**
 * - `key`: the X-Api-Key. `name`: how controls speak of the account; by default its position, `account-1`.
 * - `secret`: signatures are required when it is given; several are taken during a rotation (AUTH-6).
 * - `application`, `station`: required to be exactly this; when absent, any that is not empty (AUTH-4).
 * - `device`: DeviceId of a device of this sandbox; absent, no device is attached to the account.
 * - `webhook`: where its outcomes are delivered; absent, nowhere.
 * - `userId` and the fields after it are what `/profile` answers with.
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
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  currencyMappings: Schema.Array(
    Schema.Struct({ sourceCurrency: Schema.NonEmptyString, destinationCurrency: Schema.NonEmptyString })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})
export type AccountConfig = typeof AccountConfig.Type

/** How controls speak of the account at a position (from 0) of the configuration. */
export const nameOf = (config: AccountConfig, position: number): string => config.name ?? `account-${position + 1}`

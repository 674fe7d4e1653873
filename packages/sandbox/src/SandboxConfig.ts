/**
 * Configuration of a sandbox. Plain JSON, every field optional: `{}` is one account with one
 * device.
 */
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { AccountConfig, nameOf } from "./AccountConfig.ts"
import { DeviceConfig } from "./DeviceConfig.ts"
import { FaultSpec } from "./fault/Fault.ts"
import { byDefault } from "./Default.ts"

/**
 * Handling of `IsRetry: true` for a document of the account that was accepted before (DOC-10).
 * `ignored` makes a second receipt; `same-id` answers with the first request id; `new-id` answers
 * with a new request id that leads to the same receipt. A document whose processing failed is
 * always processed again.
 */
export const RetryPolicy = Schema.Literals(["ignored", "same-id", "new-id"])
export type RetryPolicy = typeof RetryPolicy.Type

/**
 * Answer of `/status` for an unknown id (STAT-9). `omit` leaves the id out; `error-item` answers
 * with Success false and "Request not found", also for a recently accepted request (the first half
 * of its processing).
 */
export const UnknownIds = Schema.Literals(["omit", "error-item"])
export type UnknownIds = typeof UnknownIds.Type

const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))
/** Milliseconds, up to a day. */
export const Delay = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400_000 }))
/** ISO 8601 instant, such as `2026-01-31T08:00:00Z`. */
export const Instant = Schema.String.check(
  Schema.makeFilter((text) => !Number.isNaN(Date.parse(text)) || "expected an ISO 8601 instant")
)

/**
 * Account of a sandbox whose configuration does not name an account. The values are easy to type
 * into a client.
 */
export const defaultAccount: typeof AccountConfig.Encoded = {
  key: "sandbox-key",
  secret: "sandbox-secret",
  application: "sandbox-application",
  station: "sandbox-station",
  device: 1001
}

const Fields = Schema.Struct({
  host: Schema.String.pipe(byDefault("127.0.0.1")),
  port: Port.pipe(byDefault(0)),
  pathPrefix: Schema.String.check(
    Schema.isPattern(/^(\/[A-Za-z0-9._~-]+)*$/, { message: "expected a path such as /api" })
  ).pipe(byDefault("")),
  accounts: Schema.Array(AccountConfig).pipe(byDefault([defaultAccount])),
  devices: Schema.Array(DeviceConfig).pipe(byDefault([{ deviceId: 1001 }])),
  processingDelayMillis: Delay.pipe(byDefault(2000)),
  isRetry: RetryPolicy.pipe(byDefault("ignored")),
  unknownIds: UnknownIds.pipe(byDefault("omit")),
  repeats: Schema.Literals(["accept", "fail", "decline"]).pipe(byDefault("accept")),
  credits: Schema.Literals(["first", "last"]).pipe(byDefault("first")),
  unknownItem: Schema.Struct({ error: Schema.Json, actionable: Schema.NullOr(Schema.Boolean) }).pipe(
    byDefault({ error: "Request not found", actionable: true })
  ),
  dates: Schema.Literals(["with-offset", "offset-optional"]).pipe(byDefault("with-offset")),
  taxNames: Schema.Literals(["required", "optional"]).pipe(byDefault("required")),
  addresses: Schema.Literals(["whole", "parts-optional"]).pipe(byDefault("whole")),
  deliveries: Schema.Literals(["by-themselves", "on-demand"]).pipe(byDefault("by-themselves")),
  faults: Schema.Array(FaultSpec).pipe(byDefault([])),
  startAt: Schema.optionalKey(Instant),
  stateFile: Schema.optionalKey(Schema.NonEmptyString)
})

const distinct = (
  list: "accounts" | "devices",
  field: string,
  values: (config: typeof Fields.Type) => ReadonlyArray<unknown>
) =>
  Schema.makeFilter((config: typeof Fields.Type) => {
    const all = values(config)
    const second = all.findIndex((value, index) => all.indexOf(value) < index)
    return second === -1 ? undefined : { path: [list, second, field], issue: `another of the ${list} has the same` }
  })

/**
 * Configuration of a sandbox.
 * - `port`: 0 (default) takes a free port. `host`: the loopback address by default.
 * - `pathPrefix`: prefix such as `/api` before every path (AUTH-7).
 * - `processingDelayMillis`: time from acceptance to the outcome, 2000 by default (STAT-7).
 * - `unknownIds`: `omit` (default) leaves unknown ids out of a status answer; `error-item` answers
 *   "Request not found" for each (STAT-9).
 * - `repeats`: a document that arrives again with the same total, while an earlier request is
 *   pending or has a receipt. `accept` (default) leaves it to `isRetry`; `fail` fails its
 *   processing with "Duplicate invoice number"; `decline` answers 400.
 * - `credits`: of several receipts of one invoice, the `first` (default) or the `last` with enough
 *   left is the one that a credit note credits (DOC-20).
 * - `unknownItem`: `error` and `actionable` of these items; `{id}` is the id that was asked for.
 * - `dates`: `with-offset` (default), as documented; `offset-optional` also accepts a Date without
 *   an offset, in the device's zone (DOC-17).
 * - `taxNames`: `required` (default), as documented; `optional` also accepts a tax mapping without
 *   TaxName (DOC-18).
 * - `addresses`: `whole` (default): all four parts or none; `parts-optional` also accepts an
 *   address with empty parts (DOC-11).
 * - `deliveries`: `by-themselves` (default): as outcomes become known; `on-demand`: only when
 *   `Webhooks.deliver` is called, for tests.
 * - `startAt`: starting time of the sandbox's clock, which then runs. Default: the clock of the
 *   machine. Applies to a new state file only.
 * - `stateFile`: file that keeps mappings, submissions, receipts and Z-reports between runs.
 *   Default: nothing is kept. The mappings of an account's configuration apply to a new state file
 *   only.
 */
export const SandboxConfig = Fields.check(
  Schema.makeFilter((config) => {
    const devices = new Set(config.devices.map((device) => device.deviceId))
    const lost = config.accounts.findIndex((account) => account.device !== undefined && !devices.has(account.device))
    return lost === -1 || { path: ["accounts", lost, "device"], issue: "no device of this sandbox has that DeviceId" }
  }),
  distinct("devices", "deviceId", (config) => config.devices.map((device) => device.deviceId)),
  distinct("accounts", "key", (config) => config.accounts.map((account) => Redacted.value(account.key))),
  distinct("accounts", "name", (config) => config.accounts.map(nameOf))
)
export type SandboxConfig = typeof SandboxConfig.Type

/**
 * Configuration as a caller writes it: every field optional, secrets as plain text, decimals as
 * strings or numbers.
 */
export type Input = typeof SandboxConfig.Encoded

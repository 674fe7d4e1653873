/**
 * Reads one account of a configuration file: settings, environment overrides, secrets, and all
 * findings.
 */
import { Duration, Effect, type FileSystem, Option, type Path, Redacted, Result, Schema } from "effect"
import * as Finding from "../finding/Finding.ts"
import {
  type GatewayConfig,
  type GatewaySecrets,
  type SettledConfig,
  withDefaults
} from "../gateway/contract/GatewayConfig.ts"
import type { AccountSettings, SendingPolicy } from "../account/AccountSettings.ts"
import type { WebhookAccount } from "../sending/WebhookDelivery.ts"
import { ownFields, secretPlaces } from "./ConfigEntry.ts"
import { settlesAfter } from "../gateway/contract/AssumptionSwitches.ts"
import { allMisshapen, ConfigFinding, misshapen } from "./ConfigFinding.ts"
import * as ConfigSecret from "./ConfigSecret.ts"
import * as ConfigVariables from "./ConfigVariables.ts"

/** A usable account. */
export interface AccountConfig {
  readonly name: string
  /** Argument of `Gateway.make`, already checked. */
  readonly gateway: GatewayConfig
  /** Same settings with all defaults filled in. */
  readonly settled: SettledConfig
  readonly policy: SendingPolicy & Pick<AccountSettings, "creditNumbers">
  /**
   * Descriptions of files that every user of the machine can write and that decide where the key is
   * sent. If there are any, nothing is sent to a live device.
   */
  readonly exposed: ReadonlyArray<string>
}

/**
 * Returns the account's settings for reading webhook deliveries. Without a secret, deliveries are
 * only hints to poll.
 */
export const webhookOf = ({ name, settled }: AccountConfig): WebhookAccount => ({
  account: name,
  apiKey: settled.apiKey,
  secrets: settled.secret === undefined ? [] : [settled.secret, ...(settled.formerSecrets ?? [])],
  assumptions: settled.assumptions
})

/** An account of the file, usable or not. */
export interface AccountReading {
  readonly name: string
  readonly secrets: Omit<ConfigSecret.AccountSecrets, "findings">
  readonly baseUrl: string | null
  readonly config: AccountConfig | null
  readonly findings: ReadonlyArray<Finding.Finding>
}

type AccountFields = { readonly [name: string]: unknown }

const decodeFields = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
const decodeOwn = Schema.decodeUnknownResult(Schema.Struct(ownFields), { errors: "all" })

/** Settings that users may mistake for the place of a secret. */
const secretsInside = new Set(["apiKey", "key", "apiSecret", "secret", "formerSecrets"])

/** Replacement for a missing key, so that the other settings are still checked. */
const noKey = Redacted.make("none")

/** Reads one entry of the file. */
export const read = Effect.fnUntraced(function* (
  name: string,
  entry: unknown,
  surroundings: ConfigSecret.Surroundings
): Effect.fn.Return<AccountReading, never, FileSystem.FileSystem | Path.Path> {
  const root = ["accounts", name]
  const decoded = decodeFields(entry)
  if (Option.isNone(decoded)) {
    const findings = [misshapen(root, "expected an object with the account's settings")]
    return { name, secrets: { apiKey: null, secret: null, formerSecrets: [] }, baseUrl: null, config: null, findings }
  }
  const fields = decoded.value
  const { findings: ofSecrets, ...secrets } = yield* ConfigSecret.readAll(name, fields, surroundings, root)
  const own = decodeOwn(entry)
  const overrides = ConfigVariables.overrides(name, surroundings.environment)
  const gateway = gatewayConfig(name, fields, overrides, secrets)
  const settled = withDefaults(gateway)
  const findings = [
    ...(Result.isFailure(own) ? allMisshapen(root, own.failure) : []),
    ...Object.keys(fields)
      .filter((field) => secretsInside.has(field))
      .map((field) => {
        const path = [...root, field]
        return Finding.make(ConfigFinding.CONFIG_SECRET_INSIDE, { path, message: `${path.join(".")} is a secret` })
      }),
    ...ofSecrets,
    ...(Result.isFailure(settled)
      ? settled.failure.problems.map((problem) => ofSetting(problem, root, overrides, secrets))
      : []),
    ...(Result.isSuccess(settled) && resendsBlindly(fields, settled.success)
      ? [Finding.make(ConfigFinding.CONFIG_RESEND_UNSAFE, { path: [...root, "unknown"] })]
      : []),
    ...(Result.isSuccess(settled) && settlesAfter(settled.success.assumptions["STAT-9"]) === null
      ? [Finding.make(ConfigFinding.CONFIG_STAT9_OUTDATED, { path: [...root, "assumptions", "STAT-9"] })]
      : [])
  ]
  const baseUrl = Result.isSuccess(settled) ? settled.success.baseUrl : null
  if (Result.isFailure(own) || Result.isFailure(settled) || findings.some(Finding.refuses)) {
    return { name, secrets, baseUrl, config: null, findings }
  }
  const stated = Object.fromEntries(
    Object.entries(own.success).filter(([field]) => !Object.hasOwn(secretPlaces, field))
  )
  const policy = { firstLook: Duration.seconds(settled.success.assumptions["STAT-7"]), ...stated }
  return {
    name,
    secrets,
    baseUrl,
    config: { name, gateway, settled: settled.success, policy, exposed: surroundings.exposed },
    findings
  }
})

const gatewayConfig = (
  name: string,
  fields: AccountFields,
  overrides: ReadonlyArray<ConfigVariables.VariableOverride>,
  { apiKey, formerSecrets, secret }: AccountReading["secrets"]
): GatewayConfig => {
  const isSetting = (field: string) => !Object.hasOwn(ownFields, field) && !secretsInside.has(field)
  const settings: AccountFields = {
    ...Object.fromEntries(Object.entries(fields).filter(([field]) => isSetting(field))),
    ...Object.fromEntries(overrides.map(({ field, value }) => [field, value]))
  }
  const secrets: GatewaySecrets = {
    apiKey: apiKey?.value ?? noKey,
    secret: secret?.value,
    formerSecrets: formerSecrets.map(({ value }) => value)
  }
  return { ...settings, account: name, ...secrets } as GatewayConfig
}

const resendsBlindly = (fields: AccountFields, { assumptions }: SettledConfig): boolean =>
  fields["unknown"] === "resend-flagged" && assumptions["DOC-10"] !== "deduplicates"

const ofSetting = (
  { message, path }: { readonly path: string; readonly message: string },
  root: Finding.Path,
  overrides: ReadonlyArray<ConfigVariables.VariableOverride>,
  secrets: AccountReading["secrets"]
) => {
  const keys = path.split(".")
  const secret = secretAt(keys, secrets)
  if (secret) {
    const text = `${ConfigSecret.describe(secret.origin)}: ${message}`
    return Finding.make(ConfigFinding.CONFIG_SECRET_UNUSABLE, { path: root, message: text })
  }
  const override = overrides.find(({ field }) => field === keys[0])
  return override === undefined
    ? misshapen([...root, ...keys], message)
    : Finding.make(ConfigFinding.CONFIG_SHAPE, { path: root, message: `${override.variable}: ${message}` })
}

const secretAt = ([field, index]: ReadonlyArray<string>, secrets: AccountReading["secrets"]) => {
  switch (field) {
    case "apiKey":
      return secrets.apiKey
    case "secret":
      return secrets.secret
    case "formerSecrets":
      return secrets.formerSecrets[Number(index)]
    default:
      return undefined
  }
}

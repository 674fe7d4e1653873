/** One account of a configuration file: its settings with the environment's over them, its secrets, and everything wrong with it. */
import { Effect, type FileSystem, Option, type Path, Redacted, Result, Schema, SchemaIssue } from "effect"
import * as Finding from "../finding/Finding.ts"
import { type GatewayConfig, type SettledConfig, settle } from "../gateway/GatewayConfig.ts"
import type { SubmittingAccount } from "../submission/SubmittingAccount.ts"
import { ownFields } from "./ConfigEntry.ts"
import { ConfigFinding } from "./ConfigFinding.ts"
import * as ConfigSecret from "./ConfigSecret.ts"
import { type Environment, overridable, variable } from "./ConfigVariables.ts"

/** An account that can be used. */
export interface AccountConfig {
  readonly name: string
  /** What `Gateway.make` takes; it has been checked. */
  readonly gateway: GatewayConfig
  /** The same with every default filled in. */
  readonly settled: SettledConfig
  /** What the engine is told of the account. */
  readonly engine: Pick<SubmittingAccount, "unknown" | "credentials" | "pace">
}

/** An account of the file, usable or not. */
export interface AccountReading {
  readonly name: string
  readonly secrets: Omit<ConfigSecret.AccountSecrets, "findings">
  /** Null where one of the findings is an error. */
  readonly config: AccountConfig | null
  /** Everything wrong with it; paths begin at the root of the file. */
  readonly findings: ReadonlyArray<Finding.Finding>
}

type Fields = { readonly [name: string]: unknown }

const decodeFields = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))
const decodeOwn = Schema.decodeUnknownResult(Schema.Struct(ownFields), { errors: "all" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What a person may take for the place of a secret. */
const secretsInside = ["apiKey", "key", "apiSecret", "secret", "formerSecrets"]

/** Stands in for a key that is missing, so that the other settings are checked all the same. */
const noKey = Redacted.make("none")

const misshapen = (path: Finding.Path, message: string) =>
  Finding.make(ConfigFinding.CONFIG_SHAPE, { path, message: `${path.join(".")}: ${message}` })

/** Reads one entry of the file, which stands in `folder`. */
export const read = Effect.fnUntraced(function* (
  name: string,
  entry: unknown,
  environment: Environment,
  folder: string
): Effect.fn.Return<AccountReading, never, FileSystem.FileSystem | Path.Path> {
  const root = ["accounts", name]
  const fields: Fields = Option.getOrElse(decodeFields(entry), () => ({}))
  const { findings: ofSecrets, ...secrets } = yield* ConfigSecret.readAll(name, fields, environment, root, folder)
  const own = decodeOwn(entry)
  const variables = Object.fromEntries(
    overridable.flatMap((field) => (environment[variable(name, field)] ? [[field, variable(name, field)]] : []))
  )
  const gateway = gatewayConfig(name, fields, variables, environment, secrets)
  const settled = settle(gateway)
  const findings = [
    ...(Result.isFailure(own) ? ofOwnFields(own.failure, root) : []),
    ...Object.keys(fields)
      .filter((field) => secretsInside.includes(field))
      .map((field) => Finding.make(ConfigFinding.CONFIG_SECRET_INSIDE, { path: [...root, field] })),
    ...ofSecrets,
    ...(Result.isFailure(settled) ? settled.failure.problems.map((one) => ofSetting(one, root, variables, secrets)) : []),
    ...(fields["unknown"] === "resend-flagged" &&
    Result.isSuccess(settled) &&
    settled.success.assumptions["DOC-10"] !== "deduplicates"
      ? [Finding.make(ConfigFinding.CONFIG_RESEND_UNSAFE, { path: [...root, "unknown"] })]
      : [])
  ]
  if (Result.isFailure(own) || Result.isFailure(settled) || findings.some(Finding.refuses)) {
    return { name, secrets, config: null, findings }
  }
  const { formerSecretFiles: _, keyFile: __, secretFile: ___, ...engine } = own.success
  return { name, secrets, config: { name, gateway, settled: settled.success, engine }, findings }
})

/** What is left out of the file, or is of the wrong form, `settle` says. */
const gatewayConfig = (
  name: string,
  fields: Fields,
  variables: Readonly<Record<string, string>>,
  environment: Environment,
  { apiKey, formerSecrets, secret }: AccountReading["secrets"]
) =>
  ({
    ...Object.fromEntries(
      Object.entries(fields).filter(([field]) => !(field in ownFields) && !secretsInside.includes(field))
    ),
    ...Object.fromEntries(Object.entries(variables).map(([field, from]) => [field, environment[from]])),
    account: name,
    apiKey: apiKey?.value ?? noKey,
    secret: secret?.value,
    formerSecrets: formerSecrets.map(({ value }) => value)
  }) as GatewayConfig

const ofOwnFields = ({ issue }: Schema.SchemaError, root: Finding.Path) =>
  issuesOf(issue).issues.map(({ message, path = [] }) =>
    misshapen([...root, ...path.map((key) => (typeof key === "number" ? key : String(key)))], message)
  )

/** A problem of `settle`; what did not come from the file is named by where it came from. */
const ofSetting = (
  { message, path }: { readonly path: string; readonly message: string },
  root: Finding.Path,
  variables: Readonly<Record<string, string>>,
  { apiKey, formerSecrets, secret }: AccountReading["secrets"]
) => {
  const [field = "", ...rest] = path.split(".")
  const found = { apiKey, secret, formerSecrets: formerSecrets[Number(rest[0])] }[field]
  const from = found ? ConfigSecret.describe(found.origin) : variables[field]
  if (from === undefined) return misshapen([...root, field, ...rest], message)
  const code = found ? ConfigFinding.CONFIG_SECRET_UNUSABLE : ConfigFinding.CONFIG_SHAPE
  return Finding.make(code, { path: root, message: `${from}: ${message}` })
}

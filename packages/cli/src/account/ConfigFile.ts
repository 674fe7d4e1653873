/**
 * `--config FILE`: accounts as JSON with comments. Secrets come from the environment or from files of their own, never from this file or a
 * flag; what the environment says goes before what the file says.
 */
import type { SubmittingAccount } from "@fiscal-connector/core/submission/SubmittingAccount"
import { Effect, FileSystem, Option, Path, Redacted, Schema, SchemaIssue } from "effect"
import * as Jsonc from "jsonc-parser"
import { Quit } from "../Quit.ts"

/** One account: the gateway's settings (core, GatewaySettings, checked there) and where its secrets are. */
const AccountEntry = Schema.StructWithRest(
  Schema.Struct({
    /** Files with nothing but the key or the secret in them; relative to the configuration file. */
    keyFile: Schema.optionalKey(Schema.NonEmptyString),
    secretFile: Schema.optionalKey(Schema.NonEmptyString),
    /** What becomes of an outcome nobody knows: for a person (default), or sent again marked as a retry, where the gateway deduplicates. */
    unknown: Schema.optionalKey(Schema.Literals(["hold", "resend-flagged"])),
    /** `exclusive`: nobody else submits with these credentials. */
    credentials: Schema.optionalKey(Schema.Literals(["shared", "exclusive"])),
    /** The shortest pause between two submissions, as `200 millis`. */
    pace: Schema.optionalKey(Schema.DurationFromString)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

export const ConfigFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  /** Where submissions are kept. Default ./fiscal-connector.db */
  store: Schema.optionalKey(Schema.NonEmptyString),
  accounts: Schema.Record(Schema.String, AccountEntry)
})

/** An account's settings as plain JSON, to be checked by core, and its secrets. */
export interface AccountConfig {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly engine: Pick<SubmittingAccount, "unknown" | "credentials" | "pace">
  readonly apiKey: Redacted.Redacted<string>
  readonly secret: Redacted.Redacted<string> | undefined
  readonly store: string
}

const decode = Schema.decodeUnknownEffect(ConfigFile, { errors: "all", onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What may be set from outside, e.g. FISCAL_CONNECTOR_MAIN_BASE_URL for the account `main`. */
const overridable = { baseUrl: "BASE_URL", application: "APPLICATION", station: "STATION", version: "VERSION" }

export const variable = (account: string, name: string): string =>
  `FISCAL_CONNECTOR_${account.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_${name}`

/** The named account, or the only one there is. Fails with Quit and every problem of the file. */
export const load = Effect.fnUntraced(function* (file: string, named: Option.Option<string>) {
  const accounts = yield* loadAll(file)
  const names = accounts.map(({ name }) => name)
  const name = Option.getOrElse(named, () => (names.length === 1 ? names[0]! : undefined))
  const account = accounts.find((one) => one.name === name)
  if (account !== undefined) return account
  const which = name === undefined ? "several accounts; say which with --account" : `no account "${name}"`
  return yield* quit(file, [`it has ${which}: ${names.join(", ")}`])
})

/** Every account of the file. */
export const loadAll = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const text = yield* fs.readFileString(file).pipe(Effect.mapError(({ message }) => problem(file, [message])))
  const errors: Array<Jsonc.ParseError> = []
  const value: unknown = Jsonc.parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0) {
    const lineOf = (offset: number) => text.slice(0, offset).split("\n").length
    return yield* quit(
      file,
      errors.map(({ error, offset }) => `line ${lineOf(offset)}: ${Jsonc.printParseErrorCode(error)}`)
    )
  }
  const config = yield* Effect.mapError(decode(value), ({ issue }) =>
    problem(
      file,
      issuesOf(issue).issues.map(({ message, path: at = [] }) => `${at.map(String).join(".")}: ${message}`)
    )
  )
  return yield* Effect.forEach(
    Object.entries(config.accounts),
    Effect.fnUntraced(function* ([name, { credentials, keyFile, pace, secretFile, unknown, ...settings }]) {
      const secretOf = Effect.fnUntraced(function* (variableName: string, secretIn: string | undefined) {
        const fromEnvironment = process.env[variable(name, variableName)]
        if (fromEnvironment) return Redacted.make(fromEnvironment)
        if (secretIn === undefined) return undefined
        const from = path.resolve(path.dirname(file), secretIn)
        const secret = yield* fs.readFileString(from).pipe(Effect.mapError(({ message }) => problem(file, [message])))
        return Redacted.make(secret.trim())
      })
      const apiKey = yield* secretOf("API_KEY", keyFile)
      if (apiKey === undefined) {
        return yield* quit(file, [
          `account ${name} has no key: set ${variable(name, "API_KEY")}, or name a file in keyFile`
        ])
      }
      const secret = yield* secretOf("API_SECRET", secretFile)
      const overrides = Object.entries(overridable).flatMap(([field, suffix]) => {
        const override = process.env[variable(name, suffix)]
        return override ? [[field, override] as const] : []
      })
      const account: AccountConfig = {
        name,
        engine: { ...(unknown && { unknown }), ...(credentials && { credentials }), ...(pace && { pace }) },
        settings: { ...settings, ...Object.fromEntries(overrides) },
        apiKey,
        secret,
        store: path.resolve(path.dirname(file), config.store ?? "fiscal-connector.db")
      }
      return account
    })
  )
})

const problem = (file: string, problems: ReadonlyArray<string>) =>
  new Quit({ code: 1, text: `The configuration ${file} cannot be used:\n  ${problems.join("\n  ")}` })

const quit = (file: string, problems: ReadonlyArray<string>) => Effect.fail(problem(file, problems))

/**
 * Accounts as JSON with comments. Secrets come from the environment, from commands or from separate
 * files, never from this file. The environment takes precedence over the file.
 */
import { Data, Effect, type FileSystem, Option, Path, type PlatformError, Result, Schema } from "effect"
import * as SpecialFile from "../file/SpecialFile.ts"
import * as TextFile from "../file/TextFile.ts"
import * as Finding from "../finding/Finding.ts"
import * as BookText from "../mapping/BookText.ts"
import { AccountFinding } from "../account/AccountFinding.ts"
import * as AccountConfig from "./AccountConfig.ts"
import { fileFields } from "./ConfigEntry.ts"
import { allMisshapen, ConfigFinding, misshapen } from "./ConfigFinding.ts"
import * as ConfigAlert from "./ConfigAlert.ts"
import type { AlertReading } from "./ConfigAlert.ts"
import type { Surroundings } from "./ConfigSecret.ts"
import * as KeyOrigins from "./KeyOrigins.ts"
import * as ConfigSource from "./ConfigSource.ts"
import * as ConfigStore from "./ConfigStore.ts"
import type { StoreReading } from "./ConfigStore.ts"
import * as WritableByOthers from "../file/WritableByOthers.ts"
import * as ConfigVariables from "./ConfigVariables.ts"

/** The configuration cannot be used; `findings` has every reason. */
export class ConfigFileError extends Data.TaggedError("ConfigFileError")<{
  readonly file: string
  readonly findings: ReadonlyArray<Finding.Finding>
}> {
  override get message() {
    const problems = this.findings.map(({ message }) => message)
    return `the configuration ${this.file} cannot be used: ${problems.join("; ")}`
  }
}

export interface Configuration {
  readonly file: string
  readonly store: StoreReading
  /** Target of notifications about health changes. */
  readonly alert: AlertReading
  readonly accounts: ReadonlyArray<AccountConfig.AccountReading>
  /** Live accounting systems in the order of the file, usable or not. */
  readonly sources: ReadonlyArray<ConfigSource.SourceReading>
  readonly findings: ReadonlyArray<Finding.Finding>
  /** Stores the gateway that the account's key is used for. */
  readonly remember: (account: AccountConfig.AccountReading) => Effect.Effect<void>
  readonly locate: (path: Finding.Path) => Finding.Finding["at"]
}

const decode = Schema.decodeUnknownResult(
  // read separately
  Schema.Struct({
    ...fileFields,
    store: Schema.optionalKey(Schema.Unknown),
    alert: Schema.optionalKey(Schema.Unknown),
    sources: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    accounts: Schema.Record(Schema.String, Schema.Unknown)
  }),
  { errors: "all", onExcessProperty: "error" }
)
type ConfigFields = Readonly<Record<string, unknown>>
const decodeFields = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))

/**
 * Reads the file and every account, and reports all problems at once, each with line and column.
 * Fails only if the file cannot be read or is not JSON; problems of an account are in the account's
 * findings. `environment` is the process's environment, as `process.env`. `which`: callers that
 * need only the store or the alert use `left-out`, so that no command is asked for a key.
 */
export const read = Effect.fnUntraced(function* (
  file: string,
  environment: ConfigVariables.ConfigEnvironment,
  which: "read" | "left-out" = "read"
): Effect.fn.Return<Configuration, ConfigFileError, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const unusable = (...findings: ReadonlyArray<Finding.Finding>) => new ConfigFileError({ file, findings })
  const written = yield* Effect.mapError(TextFile.read(file), (error) =>
    unusable(Finding.make(ConfigFinding.CONFIG_UNREADABLE, { message: unreadable(error), at: { file } }))
  )
  const text = yield* Effect.mapError(Effect.fromResult(BookText.read(file, written)), (places) =>
    unusable(...places.map(({ at, message }) => Finding.make(ConfigFinding.CONFIG_SYNTAX, { message, at })))
  )
  const whole = decode(text.value)
  const fieldsOf = (value: unknown): ConfigFields => Option.getOrElse(decodeFields(value), () => ({}))
  const entries = Object.entries(fieldsOf(fieldsOf(text.value)["accounts"]))
  const names = entries.map(([name]) => name)
  const folder = path.resolve(path.dirname(file))
  const locate = (finding: Finding.Finding) => ({ ...finding, at: text.locate(finding.path) })
  const repeated = (account: string | undefined) =>
    text.repeated
      .filter(({ path: [first, name] }) => (first === "accounts" ? name : undefined) === account)
      .map(({ at, message, path }) => Finding.make(ConfigFinding.CONFIG_SHAPE, { message, path, at }))
  const writable = yield* WritableByOthers.among([file, folder])
  const surroundings: Surroundings = {
    environment,
    folder,
    exposed: WritableByOthers.byEveryone(writable),
    modes: writable.some(({ by }) => by === "nobody-knows") ? "none" : "kept"
  }
  const accounts = yield* Effect.forEach(which === "read" ? entries : [], ([name, entry]) =>
    Effect.flatMap(AccountConfig.read(name, entry, surroundings), (account) =>
      KeyOrigins.checked(account, { file, environment })
    )
  )
  const live = Object.entries(which === "read" ? fieldsOf(fieldsOf(text.value)["sources"]) : {})
  const sources = yield* Effect.forEach(live, ([name, entry]) => ConfigSource.read(name, entry, names, surroundings))
  const sameTenant = sources.flatMap(({ config, name }, at) => {
    const other = sources.slice(0, at).find((one) => config !== null && one.config?.tenant === config.tenant)
    const message = `the source ${other?.name} has the same tenant: its documents would be fiscalised twice`
    return other === undefined ? [] : [misshapen(["sources", name, "tenant"], message)]
  })
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const alert = yield* ConfigAlert.read(fieldsOf(text.value)["alert"], folder)
  const store = yield* ConfigStore.read(fieldsOf(text.value)["store"], surroundings)
  return {
    file,
    store,
    alert,
    locate: text.locate,
    remember: (account) => Effect.provideContext(KeyOrigins.remember(account, { file, environment }), context),
    accounts: accounts.map((account) => ({
      ...account,
      findings: [...repeated(account.name), ...account.findings.map(locate)]
    })),
    sources: sources.map((source) => ({ ...source, findings: source.findings.map(locate) })),
    findings: [
      ...repeated(undefined),
      ...(Result.isFailure(whole) ? allMisshapen([], whole.failure) : []).map(locate),
      ...sameTenant.map(locate),
      ...store.findings.map(locate),
      ...writable.map(({ text: message }) => Finding.make(AccountFinding.CONFIG_WRITABLE, { message, at: { file } })),
      ...alert.findings.map(locate),
      ...(names.length === 0 && Result.isSuccess(whole) ? [locate(noAccount)] : []),
      ...ConfigVariables.clashes(names).map(([account, other]) =>
        locate(
          Finding.make(ConfigFinding.CONFIG_NAMES_CLASH, {
            path: ["accounts", account],
            message: `the accounts ${other} and ${account} share ${ConfigVariables.variable(account, "apiKey")} and the others`
          })
        )
      ),
      ...ConfigVariables.strangers(environment, names).map((name) =>
        Finding.make(ConfigFinding.CONFIG_VARIABLE_UNKNOWN, { message: `${name} belongs to no account and no setting` })
      )
    ]
  }
})

const unreadable = (error: PlatformError.PlatformError): string => {
  const { message, reason } = error
  const why = TextFile.isSpecialFile(error)
    ? `it ${SpecialFile.problemText}`
    : reason._tag === "NotFound"
      ? "there is no such file"
      : reason._tag === "PermissionDenied"
        ? "this user may not read it"
        : /EISDIR/.test(`${message} ${String(reason.cause)}`)
          ? "it is a folder"
          : null
  return `${ConfigFinding.CONFIG_UNREADABLE.meaning}${why === null ? "" : `: ${why}`}`
}

const noAccount = misshapen(["accounts"], "the configuration has no account")

const unknownName = (
  list: "accounts" | "sources",
  name: string,
  known: ReadonlyArray<{ readonly name: string }>
): Finding.Finding => {
  const names = known.map((one) => one.name).join(", ")
  const one = list === "accounts" ? "account" : "source"
  return misshapen(
    [list],
    known.length === 0 ? `the configuration has no ${one}` : `the configuration has no ${one} ${name}; it has ${names}`
  )
}

/**
 * Returns the account with this name and remembers the gateway of its key. Fails with every error
 * of the file and of the account.
 */
export const account = (
  { accounts, file, findings, remember }: Configuration,
  name: string
): Effect.Effect<AccountConfig.AccountConfig, ConfigFileError> => {
  const found = accounts.find((one) => one.name === name)
  const ofAccount = found?.findings ?? [unknownName("accounts", name, accounts)]
  // A file without accounts has its own finding, with its place.
  const errors = [...findings, ...(accounts.length === 0 && findings.some(Finding.refuses) ? [] : ofAccount)].filter(
    Finding.refuses
  )
  return found?.config && errors.length === 0
    ? Effect.as(remember(found), found.config)
    : Effect.fail(new ConfigFileError({ file, findings: errors }))
}

/** Returns the source with this name. Fails with every error of the file and of the source. */
export const source = (
  { file, findings, sources }: Configuration,
  name: string
): Effect.Effect<ConfigSource.SourceConfig, ConfigFileError> => {
  const found = sources.find((one) => one.name === name)
  const ofSource = found?.findings ?? [unknownName("sources", name, sources)]
  const errors = [...findings, ...ofSource].filter(Finding.refuses)
  return found?.config && errors.length === 0
    ? Effect.succeed(found.config)
    : Effect.fail(new ConfigFileError({ file, findings: errors }))
}

import {
  AccountConfig,
  type AccountSettings,
  ConfigFile,
  ConfiguredAccount,
  type StoreWitness,
  StoreWitnessFile
} from "@fiscal-connector/core/session"
import { type Alert, AlertDelivery, Alerting, ConfigFinding } from "@fiscal-connector/core/host/account"
import { UndiciHttpClient } from "@fiscal-connector/core/node"
import { Finding } from "@fiscal-connector/core/adapter"
import { HostProcess, WritableByOthers } from "@fiscal-connector/core/host"
import type { StorePlace } from "@fiscal-connector/core/store"
import type { WebhookDelivery } from "@fiscal-connector/core/worker"
import { type DateTime, Effect, Option, Path } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { shellText } from "../output/Call.ts"
import { printable } from "../output/Terminal.ts"
import { problemList } from "../output/ProblemList.ts"
import { type ExitError, notDone } from "../output/ExitError.ts"
import type { ChosenAccount } from "./ChosenAccount.ts"
import * as OwnFile from "./OwnFile.ts"
import * as SourceOfConfig from "./SourceOfConfig.ts"

const isMissing = ({ code, message }: Finding.Finding) =>
  code === ConfigFinding.ConfigFinding.CONFIG_UNREADABLE.code && message.endsWith("there is no such file")

const made = `To write a first configuration, run:\n  ${shellText(["init"])}`

const asQuit = ({ file, findings }: ConfigFile.ConfigFileError) =>
  notDone(
    `The configuration ${printable(file)} cannot be used:\n\n${problemList(findings)}${findings.some(isMissing) ? `\n\n${made}` : ""}`
  )

/**
 * Reads the configuration file as it is. Fails with ExitError if the file cannot be read at all.
 */
export const read = Effect.fnUntraced(function* (file: string, which: "read" | "left-out" = "read") {
  yield* OwnFile.mustBe("configuration", file)
  const { env } = yield* HostProcess.HostProcess
  return yield* Effect.mapError(ConfigFile.read(file, env, which), asQuit)
})

const pick = Effect.fnUntraced(function* (configuration: ConfigFile.Configuration, named: Option.Option<string>) {
  const { file } = configuration
  const names = configuration.accounts.map(({ name }) => name)
  const name = Option.getOrElse(named, () => (names.length === 1 ? names[0]! : ""))
  if (names.length > 0 && !names.includes(name)) {
    const what = Option.isSome(named)
      ? `has no account ${name}; it has`
      : "has several accounts; name one with --account"
    return yield* notDone(printable(`The configuration ${file} ${what}: ${names.join(", ")}`))
  }
  return yield* Effect.mapError(ConfigFile.account(configuration, name), asQuit)
})

/** Fails for an unusable store entry, even if the accounts are usable. */
const placeIn = ({ file, findings, store }: ConfigFile.Configuration) =>
  store.place === null
    ? Effect.fail(new ConfigFile.ConfigFileError({ file, findings: findings.filter(Finding.refuses) }))
    : Effect.succeed(store.place)

const place = (configuration: ConfigFile.Configuration): Effect.Effect<StorePlace.StorePlace, ExitError> =>
  Effect.mapError(placeIn(configuration), asQuit)

export const storeOf = (file: string) => Effect.flatMap(read(file, "left-out"), place)

export const alerting = ({ alert }: Running) =>
  alert === null ? Effect.never : Alerting.run(AlertDelivery.make(alert))

const settings = (config: AccountConfig.AccountConfig, zone: DateTime.TimeZone | undefined) =>
  ConfiguredAccount.settings(config, zone).pipe(
    Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make())
  )

export interface Running {
  readonly accounts: ReadonlyArray<AccountSettings.AccountSettings>
  readonly webhooks: ReadonlyArray<WebhookDelivery.WebhookAccount>
  readonly store: StorePlace.StorePlace
  readonly witness: StoreWitness.StoreWitness
  readonly alert: Alert.AlertTarget | null
  readonly sources: ReadonlyArray<SourceOfConfig.SourceOfConfig>
}

/**
 * The connections close with the scope. Fails with the blockers of all accounts as findings,
 * because a running process reads the configuration repeatedly.
 */
export const running = Effect.fnUntraced(function* (file: string) {
  const { env } = yield* HostProcess.HostProcess
  const configuration = yield* ConfigFile.read(file, env)
  const names = configuration.accounts.map(({ name }) => name)
  const configs = yield* Effect.forEach(names.length === 0 ? [""] : names, (name) =>
    ConfigFile.account(configuration, name)
  )
  const made: Running = {
    accounts: yield* Effect.forEach(configs, (config) => settings(config, undefined)),
    webhooks: configs.map(AccountConfig.webhookOf),
    store: yield* placeIn(configuration),
    alert: configuration.alert.target,
    sources: yield* Effect.forEach(configuration.sources, ({ name }) => SourceOfConfig.of(configuration, name)),
    witness: yield* StoreWitnessFile.make(file)
  }
  return made
})

/** Ends a command that cannot start without a usable configuration. */
export const refused = (error: ConfigFile.ConfigFileError) => Effect.fail(asQuit(error))

export const configuredAll = Effect.fnUntraced(function* (file: string) {
  const configuration = yield* read(file)
  const names = configuration.accounts.map(({ name }) => Option.some(name))
  const accounts = yield* Effect.forEach(names.length === 0 ? [Option.none<string>()] : names, (name) =>
    pick(configuration, name)
  )
  const sources = configuration.sources.flatMap(({ config }) => (config === null ? [] : [config]))
  return { accounts, store: yield* place(configuration), sources }
})

export const configured = (file: string, named: Option.Option<string>) =>
  Effect.flatMap(read(file), (configuration) => pick(configuration, named))

export const gateway = Effect.fnUntraced(function* (file: string, named: Option.Option<string>) {
  const configuration = yield* read(file)
  const config = yield* pick(configuration, named)
  const { gateway } = yield* settings(config, undefined)
  return {
    config: { ...config, store: yield* place(configuration) },
    operations: gateway,
    assumptions: config.settled.assumptions
  }
})

const usable = ({ accounts }: ConfigFile.Configuration) =>
  accounts.flatMap(({ config }) => (config === null ? [] : [config]))

const exposedAmong = (files: ReadonlyArray<string>) =>
  Effect.flatMap(Path.Path, (path) =>
    Effect.map(
      WritableByOthers.among(files.flatMap((file) => [file, path.dirname(path.resolve(file))])),
      WritableByOthers.byEveryone
    )
  )

/**
 * With the file's other accounts. `zone`: time zone of the mapping book. `deciding`: further files
 * that decide what is sent, such as the mapping book.
 */
export const choose = Effect.fnUntraced(function* (
  file: string,
  named: Option.Option<string>,
  zone?: DateTime.TimeZone,
  deciding: ReadonlyArray<string> = []
) {
  const configuration = yield* read(file)
  const config = yield* pick(configuration, named)
  const others = usable(configuration).filter(({ name }) => name !== config.name)
  const exposed = [...new Set([...config.exposed, ...(yield* exposedAmong(deciding))])]
  const chosen: ChosenAccount = {
    settings: yield* settings({ ...config, exposed }, zone),
    store: yield* place(configuration),
    witness: yield* StoreWitnessFile.make(file),
    others: yield* Effect.forEach(others, (other) => settings(other, zone))
  }
  return chosen
})

/** Returns the named account, or all accounts of the file. Fails if one of them cannot be used. */
export const chooseAll = Effect.fnUntraced(function* (file: string, named: Option.Option<string>) {
  const configuration = yield* read(file)
  const names = Option.isSome(named) ? [named] : configuration.accounts.map(({ name }) => Option.some(name))
  const configs = yield* Effect.forEach(names.length === 0 ? [named] : names, (name) => pick(configuration, name))
  const accounts: ReadonlyArray<AccountSettings.AccountSettings> = yield* Effect.forEach(configs, (config) =>
    settings(config, undefined)
  )
  return { accounts, store: yield* place(configuration), witness: yield* StoreWitnessFile.make(file) }
})

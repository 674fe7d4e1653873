/** `--config FILE`: accounts at a real gateway. */
import * as AccountConfig from "@fiscal-connector/core/configuration/AccountConfig"
import * as ConfigFile from "@fiscal-connector/core/configuration/ConfigFile"
import { ConfigFinding } from "@fiscal-connector/core/unstable/configuration/ConfigFinding"
import * as ConfiguredAccount from "@fiscal-connector/core/connector/ConfiguredAccount"
import * as StoreWitnessFile from "@fiscal-connector/core/configuration/StoreWitnessFile"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import * as Alerting from "@fiscal-connector/core/unstable/engine/Alerting"
import * as WritableByOthers from "@fiscal-connector/core/unstable/file/WritableByOthers"
import { HostProcess } from "@fiscal-connector/core/unstable/file/HostProcess"
import * as AlertDelivery from "@fiscal-connector/core/unstable/node/AlertDelivery"
import type { AlertTarget } from "@fiscal-connector/core/unstable/attention/Alert"
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { StoreWitness } from "@fiscal-connector/core/account/StoreWitness"
import type { SourceConfig } from "@fiscal-connector/core/unstable/configuration/ConfigSource"
import type { StorePlace } from "@fiscal-connector/core/submission/StorePlace"
import type { WebhookAccount } from "@fiscal-connector/core/webhook/WebhookDelivery"
import { type DateTime, Effect, Option, Path } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { line } from "../output/Call.ts"
import { printable } from "../output/Terminal.ts"
import { problemList } from "../output/ProblemList.ts"
import { Quit } from "../output/Quit.ts"
import type { ChosenAccount } from "./ChosenAccount.ts"
import * as OwnFile from "./OwnFile.ts"

const isMissing = ({ code, message }: Finding.Finding) =>
  code === ConfigFinding.CONFIG_UNREADABLE.code && message.endsWith("there is no such file")

const made = `Where there is none yet, this asks for what it needs and writes one:\n  ${line(["init"])}`

const asQuit = ({ file, findings }: ConfigFile.ConfigFileError) =>
  new Quit({
    code: 1,
    text: `The configuration ${printable(file)} cannot be used:\n\n${problemList(findings)}${findings.some(isMissing) ? `\n\n${made}` : ""}`
  })

/** The file as it stands. Fails with Quit where it cannot be read at all. */
export const read = Effect.fnUntraced(function* (file: string, which: "read" | "left-out" = "read") {
  yield* OwnFile.mustBe("configuration", file)
  const { env } = yield* HostProcess
  return yield* Effect.mapError(ConfigFile.read(file, env, which), asQuit)
})

/** The named account of the file, or the only one there is. Fails with Quit and everything that stands in its way. */
const pick = Effect.fnUntraced(function* (configuration: ConfigFile.Configuration, named: Option.Option<string>) {
  const { file } = configuration
  const names = configuration.accounts.map(({ name }) => name)
  const name = Option.getOrElse(named, () => (names.length === 1 ? names[0]! : ""))
  if (names.length > 0 && !names.includes(name)) {
    const what = Option.isSome(named)
      ? `has no account ${name}; it has`
      : "has several accounts; say which with --account"
    return yield* new Quit({
      code: 1,
      text: printable(`The configuration ${file} ${what}: ${names.join(", ")}`)
    })
  }
  return yield* Effect.mapError(ConfigFile.account(configuration, name), asQuit)
})

/** Where submissions are kept. Fails where that cannot be read, also beside accounts that can. */
const placeIn = ({ file, findings, store }: ConfigFile.Configuration) =>
  store.place === null
    ? Effect.fail(new ConfigFile.ConfigFileError({ file, findings: findings.filter(Finding.refuses) }))
    : Effect.succeed(store.place)

const place = (configuration: ConfigFile.Configuration): Effect.Effect<StorePlace, Quit> =>
  Effect.mapError(placeIn(configuration), asQuit)

/** Where the submissions of the file's accounts are kept. */
export const storeOf = (file: string) => Effect.flatMap(read(file, "left-out"), place)

/** Tells the target when health changes, for as long as it runs; for ever still where there is none. */
export const alerting = ({ alert }: Running) =>
  alert === null ? Effect.never : Alerting.run(AlertDelivery.make(alert))

const settings = (config: AccountConfig.AccountConfig, zone: DateTime.TimeZone | undefined) =>
  ConfiguredAccount.settings(config, zone).pipe(
    Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make())
  )

/** What a command that runs on takes from its configuration. */
export interface Running {
  readonly accounts: ReadonlyArray<AccountSettings>
  readonly webhooks: ReadonlyArray<WebhookAccount>
  readonly store: StorePlace
  readonly witness: StoreWitness
  /** Who is told when health changes. */
  readonly alert: AlertTarget | null
  /** Sources that are read live. */
  readonly sources: ReadonlyArray<SourceConfig>
}

/**
 * Every account of the file, with its connections, which are closed with the scope. Fails with everything that stands in the way of any of them, as
 * findings: a process that runs reads it again and again.
 */
export const running = Effect.fnUntraced(function* (file: string) {
  const { env } = yield* HostProcess
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
    sources: yield* Effect.forEach(configuration.sources, ({ name }) => ConfigFile.source(configuration, name)),
    witness: yield* StoreWitnessFile.make(file)
  }
  return made
})

/** How a command ends that cannot begin without it. */
export const refused = (error: ConfigFile.ConfigFileError) => Effect.fail(asQuit(error))

/** Every account as its configuration has it, and where submissions are kept. Fails with everything that stands in the way of any of them. */
export const configuredAll = Effect.fnUntraced(function* (file: string) {
  const configuration = yield* read(file)
  const names = configuration.accounts.map(({ name }) => Option.some(name))
  const accounts = yield* Effect.forEach(names.length === 0 ? [Option.none<string>()] : names, (name) =>
    pick(configuration, name)
  )
  const sources = configuration.sources.flatMap(({ config }) => (config === null ? [] : [config]))
  return { accounts, store: yield* place(configuration), sources }
})

/** The named account, or the only one, as its configuration has it. */
export const configured = (file: string, named: Option.Option<string>) =>
  Effect.flatMap(read(file), (configuration) => pick(configuration, named))

/** The account's operations, without asking anything of the gateway yet; its connections are closed with the scope. */
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

/** Texts about those of the files, and their folders, that every user of the machine may write. */
const exposedAmong = (files: ReadonlyArray<string>) =>
  Effect.flatMap(Path.Path, (path) =>
    Effect.map(
      WritableByOthers.among(files.flatMap((file) => [file, path.dirname(path.resolve(file))])),
      WritableByOthers.byEveryone
    )
  )

/**
 * The account to work for, with the file's others. `zone`: the mapping book's. `deciding`: further files that decide what is sent, as the mapping
 * book.
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

/** The named account, or all of the file. Fails where one of them cannot be used. */
export const chooseAll = Effect.fnUntraced(function* (file: string, named: Option.Option<string>) {
  const configuration = yield* read(file)
  const names = Option.isSome(named) ? [named] : configuration.accounts.map(({ name }) => Option.some(name))
  const configs = yield* Effect.forEach(names.length === 0 ? [named] : names, (name) => pick(configuration, name))
  const accounts: ReadonlyArray<AccountSettings> = yield* Effect.forEach(configs, (config) =>
    settings(config, undefined)
  )
  return { accounts, store: yield* place(configuration), witness: yield* StoreWitnessFile.make(file) }
})

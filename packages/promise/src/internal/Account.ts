import {
  AccountConfig,
  type AccountSettings,
  ConfigFile,
  ConfiguredAccount,
  type StoreWitness,
  StoreWitnessFile
} from "@fiscal-connector/core/session"
import { ConfigVariables as Variables } from "@fiscal-connector/core/host/account"
import { CivilDate } from "@fiscal-connector/core/adapter"
import { type DateTime, Effect, Option } from "effect"
import type { ConnectOptions } from "../ConnectOptions.ts"
import { failing } from "./errorOf.ts"

export interface ConnectedAccount {
  readonly config: AccountConfig.AccountConfig
  readonly settings: AccountSettings.AccountSettings
}

export interface Accounts {
  readonly own: ConnectedAccount
  /** Other accounts of the same configuration file; they may share the lane. */
  readonly others: ReadonlyArray<ConnectedAccount>
  readonly witness: StoreWitness.StoreWitness | undefined
}

const settled = Effect.fnUntraced(function* (
  config: AccountConfig.AccountConfig,
  zone: DateTime.TimeZone,
  notBefore: CivilDate.CivilDate | undefined
) {
  const settings = yield* ConfiguredAccount.settings(config, zone)
  return { config, settings: notBefore === undefined ? settings : { ...settings, notBefore } }
})

export const read = Effect.fnUntraced(function* (
  { account, config, notBefore: since, witnessFile }: ConnectOptions,
  zone: DateTime.TimeZone
) {
  const notBefore = since === undefined ? undefined : Option.getOrUndefined(CivilDate.parse(since))
  if (since !== undefined && notBefore === undefined) {
    return yield* failing("config_invalid", `notBefore: "${since}" is not a day`)
  }
  const beside = witnessFile ?? (typeof config === "string" ? yield* StoreWitnessFile.beside(config) : undefined)
  const witness = beside === undefined ? undefined : yield* StoreWitnessFile.at(beside)
  if (typeof config !== "string") {
    const { apiKey, formerSecret, secret, settings = {}, ...fields } = config
    const environment = Object.fromEntries(
      Object.entries({ apiKey, secret, formerSecret }).map(([setting, value]) => [
        Variables.variable(account, setting as Variables.VariableSetting),
        value
      ])
    )
    const { config: own, findings } = yield* AccountConfig.read(
      account,
      { ...settings, ...fields },
      { environment, folder: ".", exposed: [], modes: "kept" }
    )
    if (own === null) return yield* new ConfigFile.ConfigFileError({ file: "the options", findings })
    return { own: yield* settled(own, zone, notBefore), others: [], witness }
  }
  const file = yield* ConfigFile.read(config, process.env)
  const own = yield* settled(yield* ConfigFile.account(file, account), zone, notBefore)
  const others = file.accounts.flatMap(({ config, name }) => (name === account || config === null ? [] : [config]))
  return { own, others: yield* Effect.forEach(others, (other) => settled(other, zone, undefined)), witness }
})

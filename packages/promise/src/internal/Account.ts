/** Reader of the connector's account, and of the other accounts in the configuration file. */
import * as AccountConfig from "@fiscal-connector/core/configuration/AccountConfig"
import * as ConfigFile from "@fiscal-connector/core/configuration/ConfigFile"
import * as Variables from "@fiscal-connector/core/unstable/configuration/ConfigVariables"
import * as StoreWitnessFile from "@fiscal-connector/core/configuration/StoreWitnessFile"
import * as ConfiguredAccount from "@fiscal-connector/core/connector/ConfiguredAccount"
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { StoreWitness } from "@fiscal-connector/core/account/StoreWitness"
import * as CivilDate from "@fiscal-connector/core/document/CivilDate"
import { type DateTime, Effect, Option } from "effect"
import type { ConnectOptions } from "../ConnectOptions.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"

/** An account ready for queries, or for opening. */
export interface Account {
  readonly config: AccountConfig.AccountConfig
  readonly settings: AccountSettings
}

export interface Accounts {
  readonly own: Account
  /** Other accounts of the same configuration file; they may share the lane. */
  readonly others: ReadonlyArray<Account>
  readonly witness: StoreWitness | undefined
}

const settled = Effect.fnUntraced(function* (
  config: AccountConfig.AccountConfig,
  zone: DateTime.TimeZone,
  notBefore: CivilDate.CivilDate | undefined
) {
  const settings = yield* ConfiguredAccount.settings(config, zone)
  return { config, settings: notBefore === undefined ? settings : { ...settings, notBefore } }
})

/** Reads the accounts; `zone` is the mapping book's. */
export const read = Effect.fnUntraced(function* (
  { account, config, notBefore: since, witnessFile }: ConnectOptions,
  zone: DateTime.TimeZone
) {
  const notBefore = since === undefined ? undefined : Option.getOrUndefined(CivilDate.parse(since))
  if (since !== undefined && notBefore === undefined) {
    return yield* Effect.fail(new FiscalConnectorError("config_invalid", `notBefore: "${since}" is not a day`))
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

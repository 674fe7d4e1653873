/**
 * Environment variables for settings: FISCAL_CONNECTOR_, the account's name in capitals, and the
 * setting.
 */

/** Values by variable name; an empty variable counts as not set. */
export type ConfigEnvironment = Readonly<Record<string, string | undefined>>

const prefix = "FISCAL_CONNECTOR_"

const ends = {
  baseUrl: "BASE_URL",
  application: "APPLICATION",
  station: "STATION",
  version: "VERSION",
  apiKey: "API_KEY",
  secret: "API_SECRET",
  formerSecret: "API_FORMER_SECRET"
} as const

export const storePassword = `${prefix}STORE_PASSWORD`

const configuration = `${prefix}CONFIG`

export type VariableSetting = keyof typeof ends

const ownPrefix = (account: string): string => `${prefix}${account.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_`

export const variable = (account: string, setting: VariableSetting): string => ownPrefix(account) + ends[setting]

export interface VariableOverride {
  readonly field: "baseUrl" | "application" | "station" | "version"
  readonly variable: string
  readonly value: string
}

export const overrides = (account: string, environment: ConfigEnvironment): ReadonlyArray<VariableOverride> =>
  (["baseUrl", "application", "station", "version"] as const).flatMap((field) => {
    const name = variable(account, field)
    const value = environment[name]
    return value ? [{ field, variable: name, value }] : []
  })

export const clashes = (accounts: ReadonlyArray<string>): ReadonlyArray<readonly [account: string, other: string]> =>
  accounts.flatMap((account, index) => {
    const other = accounts.slice(0, index).find((one) => ownPrefix(one) === ownPrefix(account))
    return other === undefined ? [] : [[account, other] as const]
  })

export const strangers = (environment: ConfigEnvironment, accounts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set([
    storePassword,
    configuration,
    ...accounts.flatMap((account) => Object.values(ends).map((setting) => ownPrefix(account) + setting))
  ])
  return Object.keys(environment).filter((name) => name.startsWith(prefix) && !known.has(name))
}

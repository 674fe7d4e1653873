/** The variables of the environment that stand for settings: of an account FISCAL_CONNECTOR_, its name in capitals, the setting. */

/** By name; an empty variable counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>

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

/** The password of a store in PostgreSQL. */
export const storePassword = `${prefix}STORE_PASSWORD`

/** Names the configuration itself. */
const configuration = `${prefix}CONFIG`

export type VariableSetting = keyof typeof ends

const ownPrefix = (account: string): string => `${prefix}${account.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_`

/** `FISCAL_CONNECTOR_MAIN_API_KEY` for the key of the account `main`. */
export const variable = (account: string, setting: VariableSetting): string => ownPrefix(account) + ends[setting]

/** A setting of the file that a variable goes before. */
export interface Override {
  readonly field: "baseUrl" | "application" | "station" | "version"
  readonly variable: string
  readonly value: string
}

export const overrides = (account: string, environment: Environment): ReadonlyArray<Override> =>
  (["baseUrl", "application", "station", "version"] as const).flatMap((field) => {
    const name = variable(account, field)
    const value = environment[name]
    return value ? [{ field, variable: name, value }] : []
  })

/** Accounts whose variables are another's, each with the one before it that has the same. */
export const clashes = (accounts: ReadonlyArray<string>): ReadonlyArray<readonly [account: string, other: string]> =>
  accounts.flatMap((account, index) => {
    const other = accounts.slice(0, index).find((one) => ownPrefix(one) === ownPrefix(account))
    return other === undefined ? [] : [[account, other] as const]
  })

/** Variables that look like ours and stand for no setting of these accounts. */
export const strangers = (environment: Environment, accounts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set([
    storePassword,
    configuration,
    ...accounts.flatMap((account) => Object.values(ends).map((setting) => ownPrefix(account) + setting))
  ])
  return Object.keys(environment).filter((name) => name.startsWith(prefix) && !known.has(name))
}

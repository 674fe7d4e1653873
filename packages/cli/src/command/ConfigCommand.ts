/** `connector config check`: whether the configuration can be used, for every account, without asking the gateway anything. */
import type { AccountReading } from "@fiscal-connector/core/configuration/AccountConfig"
import * as ConfigFile from "@fiscal-connector/core/configuration/ConfigFile"
import * as ConfigSecret from "@fiscal-connector/core/unstable/configuration/ConfigSecret"
import type { StoreReading } from "@fiscal-connector/core/unstable/configuration/ConfigStore"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import { defaults } from "@fiscal-connector/core/gateway/contract/AssumptionSwitches"
import * as StorePlace from "@fiscal-connector/core/submission/StorePlace"
import { Duration, Effect } from "effect"
import { Command } from "effect/cli"
import * as Answer from "../output/Answer.ts"
import { problemList } from "../output/ProblemList.ts"
import { Quit } from "../output/Quit.ts"
import { config as configFlag } from "../account/AccountFlags.ts"
import * as Output from "../output/Output.ts"

const check = Command.make(
  "check",
  {
    config: configFlag
  },
  Effect.fnUntraced(function* ({ config }) {
    const { accounts, file, findings, store } = yield* ConfigFile.read(config, process.env).pipe(
      Effect.catchTag("ConfigFileError", (error) => Effect.succeed({ ...error, accounts: [], store: none }))
    )
    const all = [...findings, ...accounts.flatMap(({ findings }) => findings)]
    const isUsable = !all.some(Finding.refuses)
    yield* Output.answer(
      "configuration",
      { file, store: storeJson(store), accounts: accounts.map(accountJson), findings: all },
      [
        ...accounts.map((account) => `${accountText(account)}\n`),
        ...(isUsable ? [`${file} is in order. Submissions are kept in ${storeText(store)}.`] : []),
        ...(isUsable && all.length > 0 ? [`\nTo look at:\n\n${problemList(all)}`] : [])
      ].join("\n")
    )
    if (!isUsable) {
      const { form } = yield* Output.Output
      const text = form === "json" ? "" : `${file} cannot be used as it is:\n\n${problemList(all)}`
      return yield* new Quit({ code: 1, text })
    }
  })
).pipe(
  Command.withDescription(
    "Check every account: all problems at once, each with its place, and where key and secret were found; exit code 1 if one cannot be used"
  )
)

const none: StoreReading = { place: null, password: null, findings: [] }

const storeText = ({ password, place }: StoreReading): string => {
  if (place === null) return "no place that can be used"
  const text = StorePlace.describe(place)
  return place._tag === "Postgres"
    ? `PostgreSQL at ${text} (${password === null ? "no password" : `password from ${ConfigSecret.describe(password)}`})`
    : text
}

const storeJson = ({ password, place }: StoreReading) =>
  place?._tag === "Postgres"
    ? { postgres: StorePlace.describe(place), password }
    : place === null
      ? null
      : StorePlace.describe(place)

const accountText = ({ config, name, secrets }: AccountReading): string => {
  const { apiKey, formerSecrets, secret } = secrets
  const switched = Object.entries(config?.settled.assumptions ?? {}).filter(
    ([id, value]) => value !== defaults[id as keyof typeof defaults]
  )
  const title = config === null ? `${name}: cannot be used` : name
  return `${title}\n${Answer.toText({
    ...(config && settingsOf(config)),
    key: originText(apiKey),
    secret: originText(secret),
    ...(formerSecrets.length > 0 && { formerSecrets: formerSecrets.map(originText).join(", ") }),
    ...(switched.length > 0 && { assumptions: switched.map(([id, value]) => `${id} = ${value}`).join(", ") })
  }).replace(/^/gm, "  ")}`
}

const settingsOf = ({ policy, settled }: NonNullable<AccountReading["config"]>) => ({
  baseUrl: settled.baseUrl,
  application: settled.application,
  station: settled.station,
  version: settled.version,
  unknown: policy.unknown ?? "hold",
  credentials: policy.credentials ?? "shared",
  ...(policy.pace !== undefined && { pace: Duration.format(Duration.fromInputUnsafe(policy.pace)) }),
  ...(policy.notBefore !== undefined && { notBefore: policy.notBefore })
})

const originText = (secret: ConfigSecret.ConfigSecret | null): string =>
  secret === null ? "none" : `from ${ConfigSecret.describe(secret.origin)}`

const accountJson = ({ config, name, secrets }: AccountReading) => ({
  name,
  usable: config === null ? "no" : "yes",
  ...(config && { ...settingsOf(config), assumptions: config.settled.assumptions }),
  key: secrets.apiKey?.origin ?? null,
  secret: secrets.secret?.origin ?? null,
  formerSecrets: secrets.formerSecrets.map(({ origin }) => origin)
})

export const config = Command.make("config").pipe(
  Command.withDescription("The configuration file"),
  Command.withSubcommands([check])
)

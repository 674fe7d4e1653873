/** `--config FILE`: an account at a real gateway. */
import * as ConfigFile from "@fiscal-connector/core/connector/ConfigFile"
import * as Money from "@fiscal-connector/core/document/Money"
import * as Gateway from "@fiscal-connector/core/gateway/Gateway"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import { strict } from "@fiscal-connector/core/preflight/check"
import { Duration, Effect, Option } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { problemList } from "../output/ProblemList.ts"
import { Quit } from "../Quit.ts"
import type { ConnectedAccount } from "./ConnectedAccount.ts"

const asQuit = ({ file, findings }: ConfigFile.ConfigFileError) =>
  new Quit({
    code: 1,
    text: `The configuration ${file} cannot be used:\n\n${problemList(findings)}`
  })

/** The named account of the file, or the only one there is. Fails with Quit and everything that stands in its way. */
const load = Effect.fnUntraced(
  function* (file: string, named: Option.Option<string>) {
    const configuration = yield* ConfigFile.read(file, process.env)
    const names = configuration.accounts.map(({ name }) => name)
    const name = Option.getOrElse(named, () => (names.length === 1 ? names[0]! : ""))
    if (names.length > 0 && !names.includes(name)) {
      const what = Option.isSome(named) ? `has no account ${name}` : "has several accounts; say which with --account"
      return yield* new Quit({ code: 1, text: `The configuration ${file} ${what}: ${names.join(", ")}` })
    }
    return { ...(yield* ConfigFile.account(configuration, name)), store: configuration.store }
  },
  Effect.catchTag("ConfigFileError", (error) => Effect.fail(asQuit(error)))
)

/** Every account of the file, and where submissions are kept. Fails with Quit and everything that stands in the way of any of them. */
export const all = Effect.fnUntraced(
  function* (file: string) {
    const configuration = yield* ConfigFile.read(file, process.env)
    const accounts = yield* Effect.forEach(configuration.accounts, ({ name }) =>
      ConfigFile.account(configuration, name)
    )
    return { accounts, store: configuration.store }
  },
  Effect.catchTag("ConfigFileError", (error) => Effect.fail(asQuit(error)))
)

/** The account of that name, or the only one, as its configuration has it. */
export const configured = load

/** The account's operations, without asking anything of the gateway yet; its connections are closed with the scope. */
export const gateway = Effect.fnUntraced(function* (file: string, named: Option.Option<string>) {
  const config = yield* load(file, named)
  const operations = yield* Gateway.make(config.gateway).pipe(
    Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make())
  )
  return { config, operations, assumptions: config.settled.assumptions }
})

/** The account with its device and subscription. */
export const connect = Effect.fnUntraced(function* (file: string, named: Option.Option<string>) {
  const { assumptions, config, operations } = yield* gateway(file, named)
  const device = yield* operations.fiscalDevice
  const account: ConnectedAccount = {
    gateway: operations,
    device,
    subscription: yield* subscriptionOf(operations),
    assumptions,
    submitting: {
      ...config.engine,
      account: config.name,
      environment: device.isLive ? "live" : "test",
      gateway: operations,
      assumptions,
      firstLook: Duration.seconds(assumptions["STAT-7"])
    },
    tolerances: { ...strict, sums: Option.getOrElse(Money.parse(assumptions["DOC-7"]), () => strict.sums) },
    store: config.store
  }
  return account
})

/** Null where the gateway has none (404). */
const subscriptionOf = ({ subscription }: Gateway.GatewayOperations) =>
  Effect.catchReason(subscription, "GatewayError", "NotFound", () => Effect.succeed(null))

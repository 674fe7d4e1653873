/** `--config FILE`: an account at a real gateway. */
import * as Money from "@fiscal-connector/core/document/Money"
import * as Gateway from "@fiscal-connector/core/gateway/Gateway"
import * as GatewayConfig from "@fiscal-connector/core/gateway/GatewayConfig"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import { strict } from "@fiscal-connector/core/preflight/check"
import { Duration, Effect, Option } from "effect"
import { Quit } from "../Quit.ts"
import * as ConfigFile from "./ConfigFile.ts"
import type { ConnectedAccount } from "./ConnectedAccount.ts"

/** The account's operations, without asking anything of the gateway yet. */
export const gateway = Effect.fnUntraced(function* (file: string, named: Option.Option<string>) {
  const config = yield* ConfigFile.load(file, named)
  const { apiKey, name, secret, settings } = config
  // core checks the settings, all problems at once; what the file leaves out is among them
  const written = { ...settings, account: name, apiKey, secret } as GatewayConfig.GatewayConfig
  const settled = yield* Effect.mapError(Effect.fromResult(GatewayConfig.settle(written)), ({ problems }) => {
    const list = problems.map(({ message, path }) => `${path}: ${message}`)
    return new Quit({ code: 1, text: `The account ${name} in ${file} cannot be used:\n  ${list.join("\n  ")}` })
  })
  const operations = yield* Gateway.make(written).pipe(Effect.provide(UndiciHttpClient.layer()))
  return { config, operations, assumptions: settled.assumptions }
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

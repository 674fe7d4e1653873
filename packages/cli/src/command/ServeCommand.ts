/** `connector serve`: takes the outcomes that the gateway delivers, one address per account, and works beside it, until it is stopped. */
import * as AccountConfig from "@fiscal-connector/core/configuration/AccountConfig"
import * as ConfiguredAccount from "@fiscal-connector/core/connector/ConfiguredAccount"
import * as StoreWitnessFile from "@fiscal-connector/core/configuration/StoreWitnessFile"
import { listen } from "@fiscal-connector/core/unstable/node/HttpListening"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import * as WebhookListener from "@fiscal-connector/core/node/WebhookListener"
import type { Measure } from "@fiscal-connector/core/attention/HealthMetrics"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import { hasSecret } from "@fiscal-connector/core/webhook/WebhookDelivery"
import * as WebhookReceiver from "@fiscal-connector/core/webhook/WebhookReceiver"
import { Effect, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import * as HttpClient from "effect/http/HttpClient"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as Engine from "../account/Engine.ts"
import * as Opening from "../account/Opening.ts"
import * as Output from "../output/Output.ts"
import { Quit } from "../output/Quit.ts"
import { config } from "../account/AccountFlags.ts"
import * as StatusPages from "../worker/StatusPages.ts"
import * as Working from "../worker/Working.ts"

const loopback = "127.0.0.1"

const Port = (name: string, standard: number, what: string) =>
  Flag.Int(name).pipe(
    Flag.withDescription(`${what}; default ${standard}, and 0 takes a free one`),
    Flag.withDefault(standard)
  )

/** Answers to deliveries since the start, for the metrics. */
const tally = () => {
  const counts = new Map<string, number>()
  let refused = 0
  const keyOf = (account: string, status: number) => `${status} ${account}`
  return {
    observe: (account: string, status: number) => {
      counts.set(keyOf(account, status), (counts.get(keyOf(account, status)) ?? 0) + 1)
      if (status >= 400 && status < 500) refused++
    },
    /** Deliveries that were refused since the last call. */
    refusedSince: (): number => {
      const count = refused
      refused = 0
      return count
    },
    measures: (): ReadonlyArray<Measure> => [
      {
        name: "fiscal_connector_deliveries_total",
        help: "Webhook deliveries by account and the status they were answered.",
        type: "counter",
        samples: Array.from(counts, ([key, value]) => ({
          labels: { account: key.slice(4), status: key.slice(0, 3) },
          value
        }))
      }
    ]
  }
}

/** One log line a minute at most, however many there were. */
const tellRefused = (refusedSince: () => number) =>
  Effect.suspend(() => {
    const count = refusedSince()
    if (count === 0) return Effect.void
    return Effect.logWarning(
      `${count} webhook deliveries were refused: unsigned, forged, or not what the gateway sends. /metrics counts them by account.`
    )
  })

export const serve = Command.make(
  "serve",
  {
    config,
    host: Flag.String("host").pipe(
      Flag.withDescription(
        `the address deliveries come to; default ${loopback}, where a proxy with TLS passes them on`
      ),
      Flag.withDefault(loopback)
    ),
    port: Port("port", 4020, "the port deliveries come to"),
    statusPort: Port("status-port", 4021, "the port of /health and /metrics, always on the loopback address"),
    statusToken: StatusPages.tokenFlag,
    ...Working.workingFlags,
    ...Opening.openingFlags
  },
  Effect.fnUntraced(function* ({ config, host, port, statusPort, statusToken, ...given }) {
    const { accounts: configs, store } = yield* ConfigAccount.configuredAll(config)
    const webhooks = configs.map(AccountConfig.webhookOf)
    const accounts = yield* Effect.forEach(configs, (one) => ConfiguredAccount.settings(one)).pipe(
      Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make())
    )
    const token = yield* StatusPages.token(statusToken)
    // only these are looked at after a nudge
    const unsigned = new Set(webhooks.filter((one) => !hasSecret(one)).map(({ account }) => account))
    const looked = accounts.filter(({ account }) => unsigned.has(account))
    const opening = Opening.optionsOf(given, yield* StoreWitnessFile.make(config))
    const running = Effect.gen(function* () {
      yield* Effect.forkScoped(ConfigAccount.alerting(config))
      const poller = yield* StatusPoller.StatusPoller
      const receiver = yield* WebhookReceiver.make({
        look: (name) => poller.sweep(looked.filter(({ account }) => account === name))
      })
      const { measures, observe, refusedSince } = tally()
      yield* Effect.forkScoped(Effect.repeat(tellRefused(refusedSince), Schedule.spaced("1 minute")))
      const listener = yield* Effect.provideService(
        WebhookListener.make({
          paths: new Map(webhooks.map((account) => [WebhookListener.pathOf(account.account), account])),
          observe
        }),
        WebhookReceiver.WebhookReceiver,
        receiver
      )
      const url = yield* listen(listener, { host, port })
      const status = yield* StatusPages.open(
        statusPort,
        { retention: StatusPoller.retentionOf(accounts), token },
        measures
      )
      yield* Output.answer(
        "listening",
        { addresses: [...webhooks.map(({ account }) => `${url}${WebhookListener.pathOf(account)}`), status] },
        [
          "Deliveries are taken until Ctrl-C:",
          ...webhooks.map(({ account, secrets }) => {
            const how = secrets.length === 0 ? "  (no secret: a nudge to look at /status)" : ""
            return `  ${account}  POST ${url}${WebhookListener.pathOf(account)}${how}`
          }),
          StatusPages.where(status)
        ].join("\n")
      )
      if (given.lanes === 0) return yield* Effect.never
      return yield* Working.work(accounts, opening, given)
    })
    return yield* running.pipe(
      Effect.provide(Engine.sendingFor(store, accounts.length)),
      Effect.catchTag("NotListening", ({ message }) => Effect.fail(new Quit({ code: 1, text: message })))
    )
  }, Effect.scoped)
).pipe(
  Command.withDescription("Take the outcomes that the gateway delivers by webhook, and do the work of connector work")
)

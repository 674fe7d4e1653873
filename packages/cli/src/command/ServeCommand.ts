import { HttpListening } from "@fiscal-connector/core/host/account"
import { WebhookListener } from "@fiscal-connector/core/node"
import type { HealthMetrics } from "@fiscal-connector/core/attention"
import { StatusPoller, WebhookDelivery, WebhookReceiver } from "@fiscal-connector/core/worker"
import { Effect, Schedule } from "effect"
import { Flag } from "effect/cli"
import { describedCommand } from "../output/Flags.ts"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as Engine from "../account/Engine.ts"
import * as Opening from "../account/Opening.ts"
import * as Output from "../output/Output.ts"
import { notDone } from "../output/ExitError.ts"
import { config } from "../account/AccountFlags.ts"
import * as BesideWorker from "./sync/BesideWorker.ts"
import * as Reload from "../worker/Reload.ts"
import * as StatusPages from "../worker/StatusPages.ts"
import * as Working from "../worker/Working.ts"

const loopback = "127.0.0.1"

const Port = (name: string, standard: number, what: string) =>
  Flag.Int(name).pipe(
    Flag.withDescription(`${what}; default ${standard}; 0 uses a free port`),
    Flag.withDefault(standard)
  )

const tally = () => {
  const counts = new Map<string, number>()
  let refused = 0
  const keyOf = (account: string, status: number) => `${status} ${account}`
  return {
    observe: (account: string, status: number) => {
      counts.set(keyOf(account, status), (counts.get(keyOf(account, status)) ?? 0) + 1)
      if (status >= 400 && status < 500) refused++
    },
    refusedSince: (): number => {
      const count = refused
      refused = 0
      return count
    },
    measures: (): ReadonlyArray<HealthMetrics.Measure> => [
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

/** At most once a minute. */
const tellRefused = (refusedSince: () => number) =>
  Effect.suspend(() => {
    const count = refusedSince()
    if (count === 0) return Effect.void
    return Effect.logWarning(
      `${count} webhook deliveries were refused: unsigned, forged, or not what the gateway sends. /metrics counts them by account.`
    )
  })

type Serving = ConfigAccount.Running & Pick<StatusPages.StatusSettings, "token">

const statusOf = ({ accounts, token }: Serving) => ({ retention: StatusPoller.retentionOf(accounts), token })

/** Deliveries without a secret are unsigned and count only as hints to poll. */
const unsigned = ({ accounts, webhooks }: Serving, name: string) =>
  accounts.filter(
    ({ account }) => account === name && webhooks.some((one) => one.account === name && !WebhookDelivery.hasSecret(one))
  )

export const serve = describedCommand(
  "serve",
  "Receive results by webhook, and do the work of connector work",
  {
    config,
    host: Flag.String("host").pipe(
      Flag.withDescription(`the address for deliveries; default ${loopback}, behind a proxy with TLS`),
      Flag.withDefault(loopback)
    ),
    port: Port("port", 4020, "the port for deliveries"),
    statusPort: Port("status-port", 4021, "the port of /health and /metrics on the loopback interface"),
    statusToken: StatusPages.tokenFlag,
    ...Working.workingFlags,
    ...Opening.openingFlags
  },
  Effect.fnUntraced(function* ({ config, host, port, statusPort, statusToken, ...given }) {
    const load = Effect.gen(function* () {
      return { ...(yield* ConfigAccount.running(config)), token: yield* StatusPages.token(statusToken) }
    })
    const first = yield* Reload.opened(Effect.catchTag(load, "ConfigFileError", ConfigAccount.refused))
    const { accounts, store, webhooks } = first.running
    const running = Effect.gen(function* () {
      let now = first.running
      const paths = new Map<string, WebhookDelivery.WebhookAccount>()
      const poller = yield* StatusPoller.StatusPoller
      const receiver = yield* WebhookReceiver.make({ look: (name) => poller.sweep(unsigned(now, name)) })
      const { measures, observe, refusedSince } = tally()
      yield* Effect.forkScoped(Effect.repeat(tellRefused(refusedSince), Schedule.spaced("1 minute")))
      const listener = yield* Effect.provideService(
        WebhookListener.make({ paths, observe }),
        WebhookReceiver.WebhookReceiver,
        receiver
      )
      const url = yield* HttpListening.listen(listener, { host, port })
      const status = yield* StatusPages.open(statusPort, statusOf(first.running), measures)
      yield* Output.answer(
        "listening",
        {
          addresses: [...webhooks.map(({ account }) => `${url}${WebhookListener.pathOf(account)}`), status.url]
        },
        [
          "Deliveries are taken until Ctrl-C:",
          ...webhooks.map(({ account, secrets }) => {
            const how = secrets.length === 0 ? "  (no secret: a nudge to look at /status)" : ""
            return `  ${account}  POST ${url}${WebhookListener.pathOf(account)}${how}`
          }),
          StatusPages.where(status.url)
        ].join("\n")
      )
      return yield* Reload.working(first, {
        load,
        adopt: (running) =>
          Effect.suspend(() => {
            now = running
            paths.clear()
            for (const account of running.webhooks) paths.set(WebhookListener.pathOf(account.account), account)
            return status.change(statusOf(running))
          }),
        work: (running, how) =>
          Effect.raceAllFirst([
            ConfigAccount.alerting(running),
            given.lanes === 0 ? Effect.never : BesideWorker.work(config, running, given),
            given.lanes === 0
              ? Effect.never
              : Working.work(running.accounts, Opening.optionsOf(given, running.witness), given, how)
          ])
      })
    })
    return yield* running.pipe(
      Effect.provide(Engine.answering(store, accounts.length)),
      Effect.catchTag("NotListening", ({ message }) => Effect.fail(notDone(message)))
    )
  }, Effect.scoped)
)

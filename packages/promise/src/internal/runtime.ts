/** What an Effect of a connector runs on: its store, the engine over it, files, HTTP, the host's clock and logger. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import * as UndiciHttpClient from "@fiscal-connector/core/node/UndiciHttpClient"
import * as WebhookReceiver from "@fiscal-connector/core/webhook/WebhookReceiver"
import { Clock, Effect, Layer, Logger, ManagedRuntime, Redacted, References } from "effect"
import type { Clock as HostClock, ConnectOptions, HttpOptions, Logger as HostLogger } from "../ConnectOptions.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import * as openStore from "./openStore.ts"

export const make = ({ clock, http, logger, store }: ConnectOptions) => {
  const engine = Layer.mergeAll(
    Layer.unwrap(Effect.map(openStore.holder(store), (holder) => Submitter.layer({ holder }))),
    StatusPoller.layer,
    WebhookReceiver.layer(),
    SqliteStaging.layer
  ).pipe(Layer.provideMerge(openStore.layer(store)))
  const client = UndiciHttpClient.layer(http === undefined ? {} : clientOf(http))
  return ManagedRuntime.make(
    Layer.mergeAll(engine, client, NodeServices.layer).pipe(
      Layer.provideMerge(Layer.mergeAll(Logger.layer(logger === undefined ? [] : [logging(logger)]), clockOf(clock)))
    )
  )
}

const clientOf = ({ ca, connectTimeoutMs, dispatcher, identity, proxy }: HttpOptions): UndiciHttpClient.Options => {
  if (proxy !== undefined && proxy !== "none" && !URL.canParse(proxy))
    throw new FiscalConnectorError(
      "config_invalid",
      "http.proxy: expected a URL, as http://proxy.example:3128, or none"
    )
  const shown = identity && {
    certificate: identity.certificate,
    key: Redacted.make(identity.key),
    ...(identity.passphrase !== undefined && { passphrase: Redacted.make(identity.passphrase) })
  }
  return { ca, connectTimeout: connectTimeoutMs, dispatcher, identity: shown, proxy }
}

export type Runtime = ReturnType<typeof make>

/** The time the host says it is; waiting takes as long as ever. */
const clockOf = (clock: HostClock | undefined): Layer.Layer<never> => {
  if (clock === undefined) return Layer.empty
  const own = Clock.Clock.defaultValue()
  const millis = () => clock().getTime()
  const nanos = () => BigInt(millis()) * 1_000_000n
  return Layer.succeed(Clock.Clock)({
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => own.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: own.monotonicTimeNanos,
    sleep: (duration) => own.sleep(duration)
  })
}

const logging = (logger: HostLogger) =>
  Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
    const text = (Array.isArray(message) ? message : [message]).map(String).join(" ")
    const level =
      logLevel === "Fatal" || logLevel === "Error"
        ? "error"
        : logLevel === "Warn"
          ? "warn"
          : logLevel === "Info"
            ? "info"
            : "debug"
    logger[level]({ ...fiber.getRef(References.CurrentLogAnnotations) }, text)
  })

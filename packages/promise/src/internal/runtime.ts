import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { StatusPoller, Submitter, WebhookReceiver } from "@fiscal-connector/core/worker"
import { SqliteStaging, UndiciHttpClient } from "@fiscal-connector/core/node"
import { Clock, Duration, Effect, Layer, Logger, ManagedRuntime, Redacted, References } from "effect"
import type {
  Clock as HostClock,
  ConnectOptions,
  HttpOptions,
  Logger as HostLogger,
  TelemetryOptions
} from "../ConnectOptions.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import * as openStore from "./openStore.ts"

export const make = ({ clock, http, logger, store, telemetry }: ConnectOptions) => {
  const submissions = openStore.layer(store)
  const engine = Layer.mergeAll(
    Layer.unwrap(Effect.map(openStore.holder(store), (holder) => Submitter.layer({ holder }))),
    StatusPoller.layer,
    WebhookReceiver.layer(),
    // a test writes nothing to disk
    openStore.isMemory(store) ? SqliteStaging.layerMemory : SqliteStaging.layer,
    telemetry === undefined ? Layer.empty : measuring
  ).pipe(Layer.provideMerge(submissions))
  const client = UndiciHttpClient.layer(http === undefined ? {} : clientOf(http))
  return ManagedRuntime.make(
    Layer.mergeAll(engine, client, NodeFileSystem.layer, NodePath.layer).pipe(
      Layer.provideMerge(telemetry === undefined ? Layer.empty : exporting(telemetry)),
      Layer.provideMerge(Layer.mergeAll(Logger.layer(logger === undefined ? [] : [logging(logger)]), clockOf(clock)))
    )
  )
}

export const horizon = Duration.days(7)

/** Loaded on demand. */
const measuring = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("@fiscal-connector/core/attention")),
    ({ StoreMetrics }) => StoreMetrics.layer({ retention: horizon })
  )
)

/**
 * A separate HTTP client, because the gateway's proxy and certificates do not apply. Loaded on
 * demand.
 */
const exporting = ({ headers, serviceName = "fiscal-connector", url }: TelemetryOptions) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => Promise.all([import("effect/observability/Otlp"), import("effect/http/FetchHttpClient")])),
      ([Otlp, FetchHttpClient]) =>
        Otlp.layerJson({
          baseUrl: url,
          resource: { serviceName },
          headers,
          loggerMergeWithExisting: true
        }).pipe(Layer.provide(FetchHttpClient.layer))
    )
  )

const clientOf = ({
  ca,
  connectTimeoutMs,
  dispatcher,
  identity,
  proxy
}: HttpOptions): UndiciHttpClient.DispatcherOptions => {
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

/** Waits take real time, except on a virtual clock, which also measures durations. */
const clockOf = (clock: HostClock | undefined): Layer.Layer<never> => {
  if (clock === undefined) return Layer.empty
  const own = Clock.Clock.defaultValue()
  const isVirtual = typeof clock === "object"
  const millis = () => (isVirtual ? clock.now() : clock()).getTime()
  const nanos = () => BigInt(millis()) * 1_000_000n
  return Layer.succeed(Clock.Clock)({
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: isVirtual ? nanos : () => own.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: isVirtual ? Effect.sync(nanos) : own.monotonicTimeNanos,
    sleep: isVirtual
      ? (duration) => Effect.promise((signal) => clock.sleep(Duration.toMillis(duration), signal))
      : (duration) => own.sleep(duration)
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

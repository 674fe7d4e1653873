/**
 * Fiscal invoicing gateway for development and tests, in this process: the server side of the
 * interface, with faults on demand.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServer from "effect/http/HttpServer"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { createServer } from "node:http"
import * as Control from "./control/Control.ts"
import type { Observer } from "./gateway/Observed.ts"
import * as World from "./gateway/World.ts"
import * as InProcess from "./http/InProcess.ts"
import * as Routes from "./http/Routes.ts"
import { type Input, SandboxConfig } from "./SandboxConfig.ts"
import * as StateFile from "./state/StateFile.ts"
import { Invalid, NotListening, SandboxError } from "./SandboxError.ts"
import * as Problems from "./wire/Problems.ts"
import * as Webhooks from "./webhook/Webhooks.ts"

/**
 * Running sandbox. `url` is the gateway's base address, including the path prefix, without a
 * trailing slash.
 */
export interface SandboxShape {
  readonly url: string
  readonly config: SandboxConfig
  readonly control: Control.ControlShape
  readonly webhooks: Webhooks.WebhooksShape
  readonly watch: (observer: Observer) => Effect.Effect<void, never, Scope.Scope>
}

/** Service of a running sandbox. */
export class Sandbox extends Context.Service<Sandbox, SandboxShape>()("@fiscal-connector/sandbox/Sandbox") {}

const decodeConfig = Schema.decodeUnknownEffect(SandboxConfig, { errors: "all", onExcessProperty: "error" })

const started = Effect.fnUntraced(function* (
  input: Input,
  newRequestId?: () => string
): Effect.fn.Return<Started, SandboxError, Scope.Scope> {
  const config = yield* Effect.mapError(
    decodeConfig(input),
    (error) => new SandboxError({ reason: new Invalid({ problems: Problems.of(error) }) })
  )
  const world = World.fresh(config, yield* Clock.currentTimeMillis, newRequestId)
  const services = yield* Layer.build(
    Layer.provideMerge(
      Layer.mergeAll(Control.layer, Webhooks.layer, NodeHttpServer.layerHttpServices),
      Layer.succeed(World.World)(world)
    )
  )
  if (config.stateFile !== undefined) {
    yield* Effect.provideContext(StateFile.keep(world, config.stateFile), services)
  }
  const app = yield* Effect.provideContext(Routes.make(config.pathPrefix), services)
  const watch: SandboxShape["watch"] = (observer) =>
    Effect.acquireRelease(
      Effect.sync(() => world.observers.add(observer)),
      () => Effect.sync(() => world.observers.delete(observer))
    )
  return {
    config,
    world,
    app: Effect.provideContext(app, services),
    control: Context.get(services, Control.Control),
    webhooks: Context.get(services, Webhooks.Webhooks),
    watch
  }
})

interface Started extends Omit<SandboxShape, "url"> {
  readonly world: World.WorldState
  readonly app: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    unknown,
    Scope.Scope | HttpServerRequest.HttpServerRequest
  >
}

/** Sandbox called in this process, without a socket. */
export interface InProcessSandbox extends Omit<SandboxShape, "url"> {
  readonly world: World.WorldState
  /**
   * Serves one request and returns the complete answer. Fails with `Cut` if a fault cuts the
   * connection.
   */
  readonly answer: (
    request: HttpClientRequest.HttpClientRequest
  ) => Effect.Effect<InProcess.InProcessResponse, InProcess.Cut>
}

/**
 * Starts a sandbox without a socket, with the same routes, faults and rules. Everything runs on the
 * caller's fibers and clock, so that the same calls in the same order give the same answers.
 * Request ids are random unless the caller provides them. Fails as `make` does.
 */
export const makeInProcess = (
  input: Input = {},
  newRequestId?: () => string
): Effect.Effect<InProcessSandbox, SandboxError, Scope.Scope> =>
  Effect.map(started(input, newRequestId), ({ app, world, ...sandbox }) => ({
    ...sandbox,
    world,
    answer: InProcess.answering(app)
  }))

/**
 * Starts a sandbox; stops it when the scope closes. Every field of the configuration is optional
 * (see SandboxConfig). Fails with `Invalid` if the configuration has problems, with `NotListening`
 * if the port is taken, with `StateUnusable` if the state file cannot be read or written, or
 * belongs to other accounts or devices.
 */
export const make = Effect.fn("Sandbox.make")(function* (
  input: Input = {}
): Effect.fn.Return<SandboxShape, SandboxError, Scope.Scope> {
  const { app, config, control, watch, webhooks } = yield* started(input)
  // A client in the same process may pause for seconds. A shorter limit could cut the client's idle
  // connection, which would leave a submission unknown.
  const node = createServer({ keepAliveTimeout: 60_000 })
  const server = yield* NodeHttpServer.make(() => node, {
    host: config.host,
    port: config.port,
    disablePreemptiveShutdown: true
  }).pipe(
    Effect.mapError(
      (cause) =>
        new SandboxError({ reason: new NotListening({ host: config.host, port: config.port, cause: cause.cause }) })
    )
  )
  // Closing waits for open connections; a client's idle or stuck connection must not delay the
  // sandbox.
  yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
  yield* server.serve(app)
  return {
    url: `${HttpServer.formatAddress(server.address)}${config.pathPrefix}`,
    config,
    control,
    webhooks,
    watch
  }
})

/** Sandbox as a layer. */
export const layer = (input: Input = {}): Layer.Layer<Sandbox, SandboxError> => Layer.effect(Sandbox, make(input))

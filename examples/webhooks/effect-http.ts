/**
 * Deliveries of outcomes as a route of effect/http.
 *
 *     SHOP_SECRET=… node effect-http.ts
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { SqliteStore } from "@fiscal-connector/core/node"
import { WebhookDelivery, WebhookReceiver } from "@fiscal-connector/core/worker"
import { ByteSize, Config, Console, DateTime, Effect, Layer, Redacted } from "effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createServer } from "node:http"

// without a secret, a delivery only triggers a poll of /status and never counts as an outcome
const accounts: Effect.Effect<ReadonlyMap<string, WebhookDelivery.WebhookAccount>, Config.ConfigError> = Effect.map(
  Config.Redacted("SHOP_SECRET").pipe(Config.withDefault(Redacted.make(""))),
  (secret) => new Map([["shop", { account: "shop", secrets: [secret] }]])
)

const webhook = HttpRouter.add(
  "POST",
  "/webhooks/:account",
  Effect.gen(function* () {
    const receivedAt = yield* DateTime.now
    const { account: name = "" } = yield* HttpRouter.params
    const account = (yield* accounts).get(name)
    if (account === undefined) return HttpServerResponse.empty({ status: 404 })
    const request = yield* HttpServerRequest.HttpServerRequest
    const bytes = yield* Effect.provideService(
      request.arrayBuffer,
      HttpIncomingMessage.MaxBodySize,
      ByteSize.bytes(WebhookDelivery.maxBodySize)
    )
    const { body, status } = yield* (yield* WebhookReceiver.WebhookReceiver).receive({
      account,
      headers: request.headers,
      body: new Uint8Array(bytes),
      receivedAt
    })
    return HttpServerResponse.text(body, { status })
  })
)

const store = SqliteStore.layer({ filename: process.env["STORE"] ?? "fiscal-connector.db" })

const orders = HttpRouter.add(
  "POST",
  "/orders",
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.map(request.json, (body) => HttpServerResponse.jsonUnsafe(body))
  )
)

const server = NodeHttpServer.layer(createServer, { port: Number(process.env["PORT"] ?? 4020), host: "127.0.0.1" })
const announced = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`${address}/webhooks/shop`))
)

HttpRouter.serve(Layer.mergeAll(webhook, orders), { disableListenLog: true }).pipe(
  Layer.merge(announced),
  Layer.provide([server, Layer.provide(WebhookReceiver.layer(), store)]),
  Layer.launch,
  NodeRuntime.runMain
)

/**
 * Deliveries of outcomes as a route of effect/http.
 *
 *     SHOP_SECRET=… node effect-http.ts
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import { maxBodySize, type WebhookAccount } from "@fiscal-connector/core/webhook/WebhookDelivery"
import { WebhookReceiver, layer as receiver } from "@fiscal-connector/core/webhook/WebhookReceiver"
import { ByteSize, Config, Console, DateTime, Effect, Layer, Redacted } from "effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createServer } from "node:http"

// without a secret, a delivery only triggers a poll of /status and never counts as an outcome
const accounts: Effect.Effect<ReadonlyMap<string, WebhookAccount>, Config.ConfigError> = Effect.map(
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
      ByteSize.bytes(maxBodySize)
    )
    const { body, status } = yield* (yield* WebhookReceiver).receive({
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
  Layer.provide([server, Layer.provide(receiver(), store)]),
  Layer.launch,
  NodeRuntime.runMain
)

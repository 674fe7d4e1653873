/**
 * Deliveries of outcomes with Node's HTTP server; the listener reads the raw bytes.
 * `connector serve` does the same from a configuration.
 *
 *     SHOP_SECRET=… node node-http.ts
 */
import { SqliteStore, WebhookListener } from "@fiscal-connector/core/node"
import { type WebhookDelivery, WebhookReceiver } from "@fiscal-connector/core/worker"
import { Layer, ManagedRuntime, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

// without a secret, a delivery only triggers a poll of /status and never counts as an outcome
const shop: WebhookDelivery.WebhookAccount = {
  account: "shop",
  secrets: [Redacted.make(process.env["SHOP_SECRET"] ?? "")]
}

const store = SqliteStore.layer({ filename: process.env["STORE"] ?? "fiscal-connector.db" })
const runtime = ManagedRuntime.make(Layer.provide(WebhookReceiver.layer(), store))
const listener = await runtime.runPromise(WebhookListener.make({ paths: new Map([["/webhooks/shop", shop]]) }))

const server = createServer((request, response) => {
  if (request.url?.startsWith("/webhooks/")) return listener(request, response)
  request.pipe(response)
})
server.listen(Number(process.env["PORT"] ?? 4020), "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/shop\n`)
})
process.once("SIGTERM", () => server.close(() => void runtime.dispose()))

/**
 * Deliveries of outcomes with Express. The receiver needs the raw bytes: express.raw on the
 * receiver's routes, before any express.json().
 *
 *     SHOP_SECRET=… node express.ts
 */
import { SqliteStore } from "@fiscal-connector/core/node"
import { WebhookDelivery, WebhookReceiver } from "@fiscal-connector/core/worker"
import { Layer, ManagedRuntime, Redacted } from "effect"
import express from "express"
import type { AddressInfo } from "node:net"

// without a secret, a delivery only triggers a poll of /status and never counts as an outcome
const accounts = new Map<string, WebhookDelivery.WebhookAccount>([
  ["shop", { account: "shop", secrets: [Redacted.make(process.env["SHOP_SECRET"] ?? "")] }]
])

const store = SqliteStore.layer({ filename: process.env["STORE"] ?? "fiscal-connector.db" })
const runtime = ManagedRuntime.make(Layer.provide(WebhookReceiver.layer(), store))
const receive = await runtime.runPromise(WebhookReceiver.toCallback)

const app = express()

app.post(
  "/webhooks/:account",
  express.raw({ type: () => true, limit: WebhookDelivery.maxBodySize, inflate: false }),
  (request, response) => {
    const receivedAt = new Date()
    const account = accounts.get(String(request.params["account"]))
    if (account === undefined) return void response.status(404).end()
    const body = request.body ?? new Uint8Array()
    receive({ account, headers: request.headers, body, receivedAt }, ({ body, status }) => {
      response.status(status).type("text/plain").send(body)
    })
  }
)

// parsers of the host come after the receiver
app.use(express.json())
app.post("/orders", (request, response) => void response.json(request.body))

const server = app.listen(Number(process.env["PORT"] ?? 4020), "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/shop\n`)
})
process.once("SIGTERM", () => server.close(() => void runtime.dispose()))

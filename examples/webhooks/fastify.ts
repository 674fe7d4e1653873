/**
 * Deliveries of outcomes with Fastify. For the receiver's routes only, a parser that keeps the raw
 * bytes replaces Fastify's parsers.
 *
 *     SHOP_SECRET=… node fastify.ts
 */
import { SqliteStore } from "@fiscal-connector/core/node"
import { WebhookDelivery, WebhookReceiver } from "@fiscal-connector/core/worker"
import { Layer, ManagedRuntime, Redacted } from "effect"
import { fastify } from "fastify"

// without a secret, a delivery only triggers a poll of /status and never counts as an outcome
const accounts = new Map<string, WebhookDelivery.WebhookAccount>([
  ["shop", { account: "shop", secrets: [Redacted.make(process.env["SHOP_SECRET"] ?? "")] }]
])

const store = SqliteStore.layer({ filename: process.env["STORE"] ?? "fiscal-connector.db" })
const runtime = ManagedRuntime.make(Layer.provide(WebhookReceiver.layer(), store))
const receive = await runtime.runPromise(WebhookReceiver.toCallback)

const app = fastify()

// the plugin is encapsulated: other routes keep their parsers
await app.register((webhooks, _options, done) => {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: WebhookDelivery.maxBodySize },
    (_request, body, parsed) => parsed(null, body)
  )
  webhooks.post<{ Params: { account: string }; Body: Buffer | undefined }>("/webhooks/:account", (request, reply) => {
    const receivedAt = new Date()
    const account = accounts.get(request.params.account)
    if (account === undefined) return void reply.code(404).send()
    const body = request.body ?? new Uint8Array()
    receive({ account, headers: request.headers, body, receivedAt }, ({ body, status }) => {
      void reply.code(status).type("text/plain").send(body)
    })
  })
  done()
})

app.post("/orders", (request, reply) => void reply.send(request.body))

const address = await app.listen({ port: Number(process.env["PORT"] ?? 4020), host: "127.0.0.1" })
process.stdout.write(`${address}/webhooks/shop\n`)
process.once("SIGTERM", () => void app.close().then(() => runtime.dispose()))

/**
 * Web service with Express: receives and submits orders, receives the gateway's outcomes by
 * webhook, and answers queries about orders.
 */
import type { FiscalConnector, InvoiceInput } from "@fiscal-connector/promise"
import express, { type Express } from "express"

/** An order of this shop. */
export interface Order {
  readonly id: string
  readonly at: string
  readonly article: string
  readonly pieces: string
  readonly price: string
}

const toInvoice = ({ article, at, id, pieces, price }: Order): InvoiceInput => ({
  kind: "invoice",
  id,
  number: `S-${id}`,
  date: at,
  currency: "USD",
  taxMode: "inclusive",
  lines: [{ description: article, quantity: pieces, unitPrice: price, taxCode: "Standard", productCode: "85131000" }]
})

export const shop = (fiscal: FiscalConnector): Express => {
  const app = express()
  // before all parsers, because the signature covers the received bytes
  app.post("/fiscal", express.raw({ type: () => true, limit: "1mb", inflate: false }), async (request, response) => {
    const { body, status } = await fiscal.webhooks.receive(request.body ?? new Uint8Array(), request.headers)
    response.status(status).type("text/plain").send(body)
  })
  app.use(express.json())
  app.post("/orders", async (request, response) => {
    await using plan = await fiscal.plan([toInvoice(request.body as Order)])
    for await (const { problems, status } of plan.entries())
      if (status === "refused") return void response.status(422).json(problems)
    // now stored: a run sends the document even if this process crashes
    const { conflicts } = await fiscal.submit(plan)
    response.status(conflicts.length === 0 ? 202 : 409).json(conflicts)
  })
  app.get("/orders/:id", async (request, response) => {
    const result = await fiscal.get({ kind: "invoice", id: request.params.id })
    response.status(result === undefined ? 404 : 200).json(result ?? null)
  })
  return app
}

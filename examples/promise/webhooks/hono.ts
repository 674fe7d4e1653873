/** Gateway webhooks with Hono, on Node, Bun or a worker, from the raw bytes of the web request. */
import type { FiscalConnector } from "@fiscal-connector/promise"
import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"

export const app = (fiscal: FiscalConnector): Hono =>
  new Hono().post("/fiscal", bodyLimit({ maxSize: 1024 * 1024 }), async (context) => {
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    const { body, status } = await fiscal.webhooks.receive(bytes, context.req.raw.headers)
    return new Response(body, { status, headers: { "content-type": "text/plain" } })
  })

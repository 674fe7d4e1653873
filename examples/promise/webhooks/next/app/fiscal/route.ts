/** Gateway webhooks with Next: `app/fiscal/route.ts`, a route handler of the app router. */
import { connector } from "../../fiscal.ts"

// the store needs Node, and a delivery must never be answered from a cache
export const runtime = "nodejs"
export const dynamic = "force-dynamic"

/** Reads the request's bytes directly, because Next applies no parser to a route handler. */
export const POST = async (request: Request): Promise<Response> => {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length > 1024 * 1024) return new Response("too large", { status: 413 })
  const { body, status } = await (await connector()).webhooks.receive(bytes, request.headers)
  return new Response(body, { status, headers: { "content-type": "text/plain" } })
}

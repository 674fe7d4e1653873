/**
 * Gateway webhooks with Fastify. For this route only, a parser that keeps the raw bytes replaces
 * Fastify's parsers.
 */
import type { FiscalConnector } from "@fiscal-connector/promise"
import { fastify, type FastifyInstance } from "fastify"

export const server = async (fiscal: FiscalConnector): Promise<FastifyInstance> => {
  const app = fastify()
  await app.register((webhooks, _options, done) => {
    webhooks.removeAllContentTypeParsers()
    webhooks.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: 1024 * 1024 }, (_request, body, parsed) =>
      parsed(null, body)
    )
    webhooks.post<{ Body: Buffer | undefined }>("/fiscal", async (request, reply) => {
      const { body, status } = await fiscal.webhooks.receive(request.body ?? new Uint8Array(), request.headers)
      return reply.code(status).type("text/plain").send(body)
    })
    done()
  })
  app.post("/orders", (request, reply) => void reply.send(request.body))
  return app
}

/** Test of the monitored job, with a receiver in place of a collector. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gateway, book, invoice } from "../../../packages/promise/test/Gateway.ts"
import { job } from "../opentelemetry/job.ts"

/** Receives posted bodies, by path. */
const collector = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly posted: Map<string, Array<string>>; close(): void }>((resume) => {
    const posted = new Map<string, Array<string>>()
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const path = request.url ?? ""
        posted.set(path, [...(posted.get(path) ?? []), Buffer.concat(chunks).toString()])
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      resume(Effect.succeed({ url, posted, close: () => void server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const attributesOf = (attributes: ReadonlyArray<Attribute>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]))

describe("a job with telemetry", () => {
  it.live("sends its spans, metrics and log to a collector, without any buyer's name", () =>
    Effect.gen(function* () {
      const { config, sandbox, store } = yield* gateway
      const { posted, url } = yield* collector
      process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = url
      const buyer = { name: "Grace Planted", tin: "2000667788" }
      const documents = [invoice("S-1", { buyer }), invoice("S-2", { buyer, currency: "XYZ" })]
      const results = yield* Effect.promise(() => job({ account: "shop", config, book, store }, documents))
      assert.deepStrictEqual(
        results.map(({ status }) => status),
        ["fiscalised", "refused"]
      )

      const traces = posted.get("/v1/traces")!.map((body) => JSON.parse(body))
      const spans: ReadonlyArray<{ name: string; attributes: ReadonlyArray<Attribute> }> = traces.flatMap(
        ({ resourceSpans }) =>
          resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: ReadonlyArray<{ spans: ReadonlyArray<never> }> }) =>
            scopeSpans.flatMap(({ spans }) => spans)
          )
      )
      const attempt = spans.find(({ name }) => name === "FiscalConnector.attempt")
      const { requestId, ...said } = attributesOf(attempt!.attributes)
      assert.deepInclude(said, { account: "shop", kind: "invoice", id: "S-1", number: "S-1", result: "Accepted" })
      assert.isString(requestId)
      for (const name of ["FiscalConnector.handOver", "FiscalConnector.poll"])
        assert.include(
          spans.map(({ name }) => name),
          name
        )

      const metrics = posted.get("/v1/metrics")!.join("\n")
      for (const name of ["submissions", "conflicts", "attempts_total", "attempt_seconds"])
        assert.include(metrics, `"fiscal_connector_${name}"`)
      assert.include(posted.get("/v1/logs")!.join("\n"), "document-fiscalised")

      const everything = [...posted.values()].flat().join("\n")
      const receipts = yield* sandbox.control.receipts
      assert.strictEqual(receipts.length, 1)
      for (const planted of ["Grace Planted", "2000667788", config.apiKey, config.secret!, "19.98", "Solar lamp"])
        assert.notInclude(everything, planted)
    })
  )
})

/** Everything the gateway room logs, traces, fails with or serialises, searched for planted secrets and for the document's contents. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger, Redacted, References, Tracer } from "effect"
import { inspect } from "node:util"
import { RequestId, TaxCode } from "../../src/document/Identifiers.ts"
import { concealing } from "../../src/gateway/Concealment.ts"
import { settle } from "../../src/gateway/GatewayConfig.ts"
import {
  apiKey,
  closedPort,
  connect,
  type Received,
  secret,
  serve,
  serveSockets,
  settings,
  withClient,
  type WholeGateway
} from "./Loopback.ts"
import * as Sample from "./SampleAnswers.ts"
import { invoice } from "./SampleDocuments.ts"

const formerSecret = "former-PLANTED-3d1e"
const activationKey = Sample.fiscalDevice.ActivationKey

/** All shapes in which a value might be printed. */
const shapes = (value: unknown): string =>
  [
    String(value),
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each)) ?? "",
    value instanceof Error ? value.stack : ""
  ].join("\n")

/** Runs with every log line and every span collected as text; the failure, if any, is added in all its shapes. */
const everythingOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const text: Array<string> = []
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span(options) {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const logger = Logger.make((options) => text.push(Logger.formatJson.log(options), Logger.formatLogFmt.log(options)))
    const exit = yield* Effect.exit(effect).pipe(
      Effect.withTracer(tracer),
      Effect.provide(Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel)("All")))
    )
    text.push(shapes(exit))
    if (exit._tag === "Failure") text.push(Cause.pretty(exit.cause), ...exit.cause.reasons.map(shapes))
    text.push(
      ...spans.map((span) =>
        shapes({ name: span.name, attributes: [...span.attributes], status: span.status, events: span.events })
      )
    )
    return { text: text.join("\n"), spans: spans.length, failed: exit._tag === "Failure" }
  })

/** Answers with what it received, headers and body, in every place that an error is read from. */
const echo = ({ body, headers, path }: Received) =>
  JSON.stringify({
    message: `${headers["x-api-key"]} ${headers["x-api-signature"]}`,
    errors: { key: [headers["x-api-key"] ?? ""], signature: [headers["x-api-signature"] ?? ""] },
    echo: { headers, path, secrets: [secret, formerSecret] },
    size: body.length
  })

const calls: ReadonlyArray<(gateway: WholeGateway) => Effect.Effect<unknown, unknown>> = [
  (_) => _.profile,
  (_) => _.fiscalDevice,
  (_) => _.submit(invoice),
  (_) => _.status([RequestId.make("r-1")]),
  (_) => _.downloadPdf("r-1.pdf"),
  (_) => _.addTaxMapping({ taxCode: TaxCode.make("T"), taxName: "T", destinationTaxId: 1 }),
  (_) => _.zReports(),
  (_) => _.test
]

const config = {
  secret: Redacted.make(secret),
  formerSecrets: [Redacted.make(formerSecret)],
  timeouts: { read: "50 millis", write: "50 millis", download: "50 millis" }
}

const everyCallAgainst = (baseUrl: string) =>
  Effect.gen(function* () {
    const gateway = yield* connect(baseUrl, config)
    return yield* Effect.forEach(calls, (call) => everythingOf(call(gateway)))
  }).pipe(withClient())

const assertClean = (text: string) => {
  for (const planted of [apiKey, secret, formerSecret, activationKey, "PLANTED"]) assert.notInclude(text, planted)
  for (const content of ["Zażółć", "2000123456", "Main/2nd", "12345678901234567.89"]) assert.notInclude(text, content)
}

describe("secrets and documents", () => {
  it("are found in every escaping that an echo may have", () => {
    const conceal = concealing(["a+b/c==", "k-1", "q<\\"])
    for (const echo of [
      "a+b/c==",
      "a+b\\/c==",
      "a\\u002Bb/c==",
      "a\\u002bb\\u002fc\\u003d\\u003D",
      "a%2Bb%2Fc%3D%3D",
      "a&#43;b&#x2F;c==",
      "K-1",
      "q&lt;\\\\"
    ]) {
      assert.strictEqual(conceal(`x ${echo} y`), "x <redacted> y", echo)
    }
    assert.strictEqual(conceal("axb/c== k1"), "axb/c== k1")
  })

  for (const status of [200, 302, 400, 401, 403, 404, 405, 409, 422, 429, 500, 503]) {
    it.live(`are in nothing that a ${status} which echoes every header leads to`, () =>
      Effect.gen(function* () {
        const { baseUrl, received } = yield* serve((one, response) =>
          response.writeHead(status, { "x-echo": apiKey }).end(echo(one))
        )
        const results = yield* everyCallAgainst(baseUrl)
        assert.isAtLeast(received.length, calls.length)
        for (const { spans, text } of results) {
          assert.isAtLeast(spans, 1)
          assertClean(text)
        }
      }).pipe(Effect.scoped)
    )
  }

  it.live("are in nothing that a broken, a silent or an absent server leads to", () =>
    Effect.gen(function* () {
      const broken = yield* serveSockets((socket, text) =>
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n${text}`)
      )
      const garbage = yield* serveSockets((socket, text) => socket.end(text))
      const silent = yield* serveSockets(() => undefined)
      const urls = [broken.baseUrl, garbage.baseUrl, silent.baseUrl, `http://127.0.0.1:${yield* closedPort}`]
      const results = yield* Effect.forEach(urls, everyCallAgainst)
      for (const { failed, text } of results.flat()) {
        assert.isTrue(failed)
        assertClean(text)
      }
    }).pipe(Effect.scoped)
  )

  it.live("are in no printed configuration and in no printed device", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serve((_, response) => response.end(JSON.stringify(Sample.fiscalDevice)))
      const gateway = yield* connect(baseUrl, config)
      const settled = settle({ ...settings, ...config, baseUrl, apiKey: Redacted.make(apiKey) })
      const printed = shapes(settled) + shapes(gateway) + shapes(yield* gateway.fiscalDevice)
      for (const planted of [apiKey, secret, formerSecret, activationKey]) assert.notInclude(printed, planted)
    }).pipe(withClient(), Effect.scoped)
  )
})

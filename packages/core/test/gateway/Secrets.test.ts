/**
 * Searches all logs, traces, errors and serialized data of the gateway room for planted secrets and
 * for the document's contents.
 */
import { assert, describe, it } from "../It.ts"
import { Cause, Effect, Layer, Logger, Redacted, References, Tracer } from "effect"
import { inspect } from "node:util"
import { RequestId, TaxCode } from "../../src/document/Identifiers.ts"
import { redacting } from "../../src/gateway/exchange/Redaction.ts"
import { withDefaults } from "../../src/gateway/contract/GatewayConfig.ts"
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

/** Returns all forms in which a value might be printed. */
const shapes = (value: unknown): string =>
  [
    String(value),
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each)) ?? "",
    value instanceof Error ? value.stack : ""
  ].join("\n")

/** Runs an effect and collects all logs and spans as text; a failure is added in all forms. */
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

/** Answers with the received headers and body in every place that an error is read from. */
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

/** Replaces every letter and digit, except JSON's own syntax, by a unicode escape. */
const letterByLetter = (json: string) =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/\\.|[A-Za-z0-9]/g, (each) =>
      each.startsWith("\\") ? each : `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`
    )
  )

/** Values that must keep their form: dates, codes, and JSON in a string. */
const formed = /^\d{4}-\d{2}-\d{2}|^\{|^VAT15$|^USD$|^r-[123]$/

/** Adds an echo to the end of every text, and an unknown field to every object. */
const withEcho = (value: unknown, one: Received): unknown => {
  if (typeof value === "string") return formed.test(value) ? value : `${value} ${one.headers["x-api-key"]} ${secret}`
  if (Array.isArray(value)) return value.map((each) => withEcho(each, one))
  if (typeof value !== "object" || value === null) return value
  const echoed = Object.entries(value).map(([name, each]) => [name, withEcho(each, one)] as const)
  const names = Object.values(one.headers).map((header) => [`header ${header}`, { headers: [header, formerSecret] }])
  return Object.fromEntries([...echoed, ["Echo", [one.headers, Object.fromEntries(names)]]])
}

const goodAnswers: { readonly [path: string]: unknown } = {
  profile: Sample.profile,
  fiscaldevice: {
    ...Sample.fiscalDevice,
    ActivationKey: null,
    CurrentConfig: letterByLetter(
      JSON.stringify({ ...Sample.deviceConfig, deviceBranchName: apiKey, [secret]: secret })
    )
  },
  subscription: Sample.subscription,
  status: [
    Sample.statusFiscalized,
    { ...Sample.statusRejected, Error: { reason: `no ${secret}`, at: "x".repeat(1990) + apiKey } },
    { ...Sample.statusRejected, RequestId: "r-3", Error: "x".repeat(1990) + apiKey }
  ],
  taxmapping: [Sample.taxMapping],
  currencymapping: [Sample.currencyMapping],
  "reports/z-report": Sample.zReportPage,
  "reports/z-report/41": Sample.zReport,
  test: "fine"
}

const goodCalls: ReadonlyArray<(gateway: WholeGateway) => Effect.Effect<unknown, unknown>> = [
  (_) => _.profile,
  (_) => _.fiscalDevice,
  (_) => _.subscription,
  (_) => _.status(["r-1", "r-2", "r-3"].map((id) => RequestId.make(id))),
  (_) => _.taxMappings,
  (_) => _.currencyMappings,
  (_) => _.zReports(),
  (_) => _.zReport(41),
  (_) => _.test
]

const config = {
  secret: Redacted.make(secret),
  formerSecrets: [Redacted.make(formerSecret)]
}

/** Only for a server that never answers. */
const impatient = { timeouts: { read: "50 millis", write: "50 millis", download: "50 millis" } } as const

const everyCallAgainst = (baseUrl: string, patience: typeof impatient | undefined = undefined) =>
  Effect.gen(function* () {
    const gateway = yield* connect(baseUrl, { ...config, ...patience })
    return yield* Effect.forEach(calls, (call) => everythingOf(call(gateway)))
  }).pipe(withClient())

const assertNoSecret = (text: string) => {
  for (const planted of [apiKey, secret, formerSecret, activationKey, "PLANTED"]) assert.notInclude(text, planted)
  assert.notMatch(text, /[A-Za-z0-9+/]{43}=/, "a signature")
}

const assertClean = (text: string) => {
  assertNoSecret(text)
  for (const content of ["Zażółć", "2000123456", "Main/2nd", "12345678901234567.89"]) assert.notInclude(text, content)
}

describe("secrets and documents", () => {
  it("are found in every escaped form of an echo", () => {
    const conceal = redacting(["a+b/c==", "k-1", "q<\\"]).text
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
    it.live(`appear nowhere after a ${status} that echoes every header`, function* () {
      const { baseUrl, received } = yield* serve((one, response) =>
        response.writeHead(status, { "x-echo": apiKey }).end(echo(one))
      )
      const results = yield* everyCallAgainst(baseUrl)
      assert.isAtLeast(received.length, calls.length)
      for (const { spans, text } of results) {
        assert.isAtLeast(spans, 1)
        assertClean(text)
      }
    })
  }

  for (const spelling of ["plain", "escaped"] as const) {
    it.live(`appear in no value of a good answer that echoes them in every text, ${spelling}`, () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* serve((one, response) => {
          const { [one.path.split("?")[0]!.replace(/^\/api\//, "")]: answer } = goodAnswers
          const text = JSON.stringify(withEcho(answer, one))
          response.end(spelling === "plain" ? text : letterByLetter(text))
        })
        const gateway = yield* connect(baseUrl, config)
        for (const call of goodCalls) {
          const { failed, text } = yield* everythingOf(call(gateway))
          assert.isFalse(failed, text)
          assert.include(text, "<redacted>")
          assertNoSecret(text)
        }
      }).pipe(withClient())
    )
  }

  it.live("are never part of a request id: an id with a secret leaves the outcome unknown", () =>
    Effect.gen(function* () {
      for (const answer of [apiKey, `r-1-${apiKey}`, `"${secret}"`, "signature"]) {
        const { baseUrl } = yield* serve(({ headers }, response) =>
          response.end(answer === "signature" ? headers["x-api-signature"] : answer)
        )
        const gateway = yield* connect(baseUrl, config)
        const { failed, text } = yield* everythingOf(gateway.submit(invoice))
        assert.isTrue(failed)
        assert.include(text, "UnknownOutcome")
        assertClean(text)
      }
    }).pipe(withClient())
  )

  it("are removed from a longer value only if they are longer than a word", () => {
    const { text, value } = redacting(["test"])
    assert.deepStrictEqual(value({ name: "Testing Ltd", key: "TEST" }), { name: "Testing Ltd", key: "<redacted>" })
    assert.strictEqual(text("Testing"), "<redacted>ing")
  })

  it("leave other values unchanged", () => {
    const given = { a: [{ b: "nothing" }], at: new Date(0), bytes: new Uint8Array(2) }
    assert.strictEqual(redacting([apiKey, secret]).value(given), given)
  })

  it.live("appear nowhere after a broken, silent or absent server", function* () {
    const broken = yield* serveSockets((socket, text) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n${text}`)
    )
    const garbage = yield* serveSockets((socket, text) => socket.end(text))
    const silent = yield* serveSockets(() => undefined)
    const urls = [broken.baseUrl, garbage.baseUrl, `http://127.0.0.1:${yield* closedPort}`]
    const answered = yield* Effect.forEach(urls, (url) => everyCallAgainst(url))
    for (const { failed, text } of [...answered.flat(), ...(yield* everyCallAgainst(silent.baseUrl, impatient))]) {
      assert.isTrue(failed)
      assertClean(text)
    }
  })

  it.live("appear in no printed configuration and in no printed device", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serve((_, response) => response.end(JSON.stringify(Sample.fiscalDevice)))
      const gateway = yield* connect(baseUrl, config)
      const settled = withDefaults({ ...settings, ...config, baseUrl, apiKey: Redacted.make(apiKey) })
      const printed = shapes(settled) + shapes(gateway) + shapes(yield* gateway.fiscalDevice)
      for (const planted of [apiKey, secret, formerSecret, activationKey]) assert.notInclude(printed, planted)
    }).pipe(withClient())
  )
})

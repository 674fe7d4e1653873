/**
 * Proves that randomly mutated answers never crash the client: each decodes or is a MalformedAnswer
 * with a bounded excerpt.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Cause, Effect, Exit, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { CurrencyCode, RequestId, TaxCode } from "../../packages/core/src/document/Identifiers.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import { apiKey, settings, type WholeGateway, withSubmit } from "../../packages/core/test/gateway/Loopback.ts"
import * as Sample from "../../packages/core/test/gateway/SampleAnswers.ts"
import { given } from "../Given.ts"
import { invoice } from "../../packages/core/test/gateway/SampleDocuments.ts"

type Call = (gateway: WholeGateway) => Effect.Effect<unknown, unknown>

const ids = ["r-1", "r-2", "r-3"].map((id) => RequestId.make(id))
const statuses = [Sample.statusFiscalized, Sample.statusRejected, Sample.statusPending]

const reads: ReadonlyArray<readonly [Call, unknown]> = [
  [(_) => _.profile, Sample.profile],
  [(_) => _.fiscalDevice, Sample.fiscalDevice],
  [(_) => _.subscription, Sample.subscription],
  [(_) => _.status(ids), statuses],
  [(_) => _.taxMappings, [Sample.taxMapping, Sample.taxMapping]],
  [(_) => _.taxMapping(7), Sample.taxMapping],
  [(_) => _.supportedCurrencies, ["USD", "ZWG"]],
  [(_) => _.currencyMappings, [Sample.currencyMapping]],
  [(_) => _.zReports(), Sample.zReportPage],
  [(_) => _.zReport(41), Sample.zReport],
  [(_) => _.downloadPdf("a.pdf"), "%PDF-1.4"],
  [(_) => _.test, "ok"]
]

const writes: ReadonlyArray<readonly [Call, unknown]> = [
  [(_) => _.submit(invoice), "7d0f7f52-0b0e-4c43-9b3a-0b6f9a1f2c11"],
  [(_) => _.addTaxMapping({ taxCode: TaxCode.make("T"), taxName: "T", destinationTaxId: 1 }), Sample.taxMapping],
  [
    (_) => _.addCurrencyMapping({ sourceCurrency: CurrencyCode.make("USD"), destinationCurrency: "USD" }),
    Sample.currencyMapping
  ]
]

/** Random numbers by mulberry32: small, sufficiently even, and the same everywhere. */
const drawing = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

const deep = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth))

const hostile: ReadonlyArray<unknown> = [
  null,
  "",
  " ",
  0,
  -1,
  1.5,
  Number.MAX_VALUE,
  "12345678901234567890123",
  "1e999",
  true,
  [],
  {},
  [null],
  "\u0000\u001b[2J\u202e",
  "\ud800",
  "x".repeat(5000),
  "2026-02-30T00:00:00",
  "0001-01-01T00:00:00",
  JSON.parse('{"__proto__":{"polluted":1}}'),
  deep(2000)
]

const pick = <A>(draw: () => number, choices: ReadonlyArray<A>): A => choices[Math.floor(draw() * choices.length)]!

/** Replaces, drops, doubles or renames a part of a JSON value. */
const mutateValue = (value: unknown, draw: () => number): unknown => {
  if (typeof value !== "object" || value === null || draw() < 0.15) {
    return typeof value === "number" && draw() < 0.4 ? String(value) : pick(draw, hostile)
  }
  if (Array.isArray(value)) {
    const index = Math.floor(draw() * value.length)
    if (value.length === 0 || draw() < 0.2) return [...value, pick(draw, hostile)]
    return draw() < 0.2 ? value.toSpliced(index, 1) : value.with(index, mutateValue(value[index], draw))
  }
  const entries = Object.entries(value)
  const index = Math.floor(draw() * entries.length)
  const [name, inner] = entries[index] ?? ["Extra", null]
  const replacements = [
    () => [] as Array<[string, unknown]>,
    (): Array<[string, unknown]> => [[name.toLowerCase(), inner]],
    (): Array<[string, unknown]> => [
      [name, inner],
      [pick(draw, ["__proto__", "constructor", "Extra"]), pick(draw, hostile)]
    ],
    (): Array<[string, unknown]> => [[name, mutateValue(inner, draw)]],
    (): Array<[string, unknown]> => [[name, mutateValue(inner, draw)]]
  ]
  return Object.fromEntries(entries.toSpliced(index, 1, ...pick(draw, replacements)()))
}

/** Cuts, flips, inserts or doubles bytes. */
const mutateBytes = (bytes: Uint8Array, draw: () => number): Uint8Array => {
  const place = Math.floor(draw() * (bytes.length + 1))
  const random = Uint8Array.from({ length: 1 + Math.floor(draw() * 4) }, () => Math.floor(draw() * 256))
  return pick(draw, [
    () => bytes.slice(0, place),
    () => bytes.slice(place),
    () => Uint8Array.from([...bytes.slice(0, place), ...random, ...bytes.slice(place)]),
    () => bytes.map((byte, index) => (index === place ? byte ^ random[0]! : byte)),
    () => Uint8Array.from([...bytes, ...bytes])
  ])()
}

const mutate = (answer: unknown, draw: () => number): Uint8Array => {
  const text = typeof answer === "string" ? answer : JSON.stringify(draw() < 0.7 ? mutateValue(answer, draw) : answer)
  const bytes = new TextEncoder().encode(text)
  return draw() < 0.4 || typeof answer === "string" ? mutateBytes(bytes, draw) : bytes
}

/**
 * Runs every call against its mutated answers; counts the decoded ones, and the reasons of the
 * others' failures.
 */
const tally = (calls: ReadonlyArray<readonly [Call, unknown]>, count: number, seed: number) =>
  Effect.gen(function* () {
    const draw = drawing(seed)
    let body: Uint8Array = new Uint8Array()
    const client = HttpClient.make((request) =>
      Effect.sync(() => HttpClientResponse.fromWeb(request, new Response(Uint8Array.from(body))))
    )
    const gateway = yield* Effect.provideService(
      Effect.flatMap(
        Gateway.make({ ...settings, baseUrl: "https://gateway.example", apiKey: Redacted.make(apiKey) }),
        withSubmit
      ),
      HttpClient.HttpClient,
      client
    )
    const reasons = new Map<string, number>()
    for (let index = 0; index < count; index++) {
      const [call, answer] = calls[index % calls.length]!
      body = mutate(answer, draw)
      const exit = yield* Effect.exit(call(gateway))
      const reason = Exit.isSuccess(exit) ? "decoded" : reasonOf(exit.cause)
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    return Object.fromEntries(reasons)
  })

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = cause.reasons[0]
  if (failure?._tag !== "Fail") return `crashed: ${Cause.pretty(cause).slice(0, 500)}`
  const { reason } = failure.error as { readonly reason: { readonly _tag: string; readonly [field: string]: unknown } }
  for (const text of [reason["text"], reason["excerpt"] ?? ""]) {
    assert.isString(text)
    assert.isAtMost(String(text).length, 400)
    assert.notMatch(String(text), /[\p{Cc}\p{Cs}\u202a-\u202e]/u)
  }
  assert.isAtMost(String(reason["excerpt"] ?? "").length, 200)
  return reason._tag
}

const { count, extent, seed } = given("answers-random")

describe("random answers", () => {
  it.effect("to reads are decoded or malformed", function* () {
    const { MalformedAnswer: malformed = 0, decoded = 0, ...others } = yield* tally(reads, count, seed)
    assert.deepStrictEqual(others, {})
    assert.strictEqual(decoded + malformed, count)
    if (extent !== "part") for (const part of [decoded, malformed]) assert.isAbove(part, count / 10)
  })

  it.effect("to writes are accepted or leave the outcome unknown", function* () {
    const { UnknownOutcome: unknown = 0, decoded = 0, ...others } = yield* tally(writes, count, seed)
    assert.deepStrictEqual(others, {})
    assert.strictEqual(decoded + unknown, count)
    if (extent !== "part") assert.isAbove(unknown, count / 6)
  })

  it("never change the prototype of all objects", () => assert.notProperty({}, "polluted"))
})

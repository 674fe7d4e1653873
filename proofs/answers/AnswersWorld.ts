/**
 * Runs one import against an in-process sandbox whose answers are changed on the way to the client;
 * returns the documents' states and the reported problems.
 */
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { DateTime, Effect, Layer, Option, Redacted, Result, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import { TestClock } from "effect/testing"
import * as CivilDate from "../../packages/core/src/document/CivilDate.ts"
import * as Finding from "../../packages/core/src/finding/Finding.ts"
import { type OperationId, operations } from "../../packages/core/src/gateway/contract/Operation.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as Session from "../../packages/core/src/session/Session.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import { engine } from "../../packages/core/test/sending/Engine.ts"
import * as WithoutSockets from "../../packages/core/test/sending/WithoutSockets.ts"
import { bookWith, creditNote, invoice } from "../../packages/core/test/import/SampleSources.ts"

/** Changes the text of one answer; undefined leaves the answer unchanged. */
export type Change = (operation: OperationId, text: string) => string | undefined

/** VAT registration of the taxpayer. */
export type Vat = "registered" | "not-registered"

export interface Run {
  /** State of each document by its number, with the codes of its findings if refused. */
  readonly states: Readonly<Record<string, string>>
  /** Reason why nothing was planned or sent; null if any document was. */
  readonly stopped: string | null
  /** Codes of the warnings about the account and the plan. */
  readonly warnings: ReadonlyArray<string>
  /** Numbers of documents whose receipt the device marked, or that have several receipts. */
  readonly colored: ReadonlyArray<string>
}

const book = bookWith({
  taxes: [
    { from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" },
    { from: ["Old"], code: "VAT15", device: 1, percent: "15" },
    { from: ["Zero"], code: "ZERO", device: 2, percent: "0" }
  ],
  currencies: [
    { code: "USD", device: "USD" },
    { code: "ZAR", device: "ZAR" },
    { code: "EUR", device: "EUR" }
  ]
})

const matchers = Object.entries(operations).map(([id, { method, path }]) => ({
  id: id as OperationId,
  method,
  pattern: new RegExp(`^/api${path.replace(/\{[^{}]*\}/g, "[^/]+")}$`)
}))

/**
 * Returns the operation of a request. Paths without parameters have priority:
 * `/currencymapping/supported-currencies` is not an id.
 */
const operationOf = ({ method, url }: HttpClientRequest.HttpClientRequest): OperationId | undefined => {
  const { pathname } = new URL(url)
  const fitting = matchers.filter((one) => one.method === method && one.pattern.test(pathname))
  return (fitting.find(({ id }) => !operations[id].path.includes("{")) ?? fitting[0])?.id
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Returns a client of the sandbox that changes the answers. */
export const clientOf = (sandbox: Sandbox.InProcessSandbox, change: Change): HttpClient.HttpClient =>
  WithoutSockets.client((request) =>
    Effect.map(sandbox.answer(request), (answer) => {
      const operation = operationOf(request)
      if (operation === undefined || answer.status !== 200) return answer
      const text = change(operation, decoder.decode(answer.body))
      return text === undefined ? answer : { ...answer, body: encoder.encode(text) }
    })
  )

export const gatewayOf = (sandbox: Sandbox.InProcessSandbox, change: Change) =>
  Gateway.make({
    account: "main",
    baseUrl: "http://127.0.0.1/api",
    application: "test",
    station: "test",
    apiKey: Redacted.make("a-key-of-the-proof"),
    retries: { times: 0 }
  }).pipe(Effect.provideService(HttpClient.HttpClient, clientOf(sandbox, change)))

/** Creates a sandbox of one device, with the mappings of the book. */
export const sandboxOf = (vat: Vat) =>
  Sandbox.makeInProcess({
    pathPrefix: "/api",
    processingDelayMillis: 0,
    accounts: [
      {
        key: "a-key-of-the-proof",
        device: 1001,
        taxMappings: book.taxes.map(({ code, device }) => ({ taxCode: code, destinationTaxId: device })),
        currencyMappings: book.currencies.map(({ code, device }) => ({
          sourceCurrency: code,
          destinationCurrency: device
        }))
      }
    ],
    devices: [
      {
        deviceId: 1001,
        ...(vat === "not-registered" && { vatNumber: null }),
        taxPayerDayMaxHrs: 100_000,
        supportedCurrencies: ["USD", "ZAR"],
        taxes: [
          { taxId: 515, taxPercent: "15.5", taxName: "Standard", taxValidFrom: "2026-01-01" },
          { taxId: 1, taxPercent: "15", taxName: "Standard", taxValidTill: "2025-12-31" },
          { taxId: 2, taxPercent: "0", taxName: "Zero", taxValidFrom: "2020-01-01", taxValidTill: "2099-12-31" }
        ]
      }
    ]
  })

const start = DateTime.makeUnsafe("2026-06-01T12:00:00+02:00").epochMilliseconds
const dayMillis = 86_400_000
const zone = Option.getOrThrow(DateTime.zoneFromString("+02:00"))

/** Documents that a guard must keep back. All others are sent if every answer is as documented. */
export const guarded = ["expired", "euro", "alone", "behind"]

const line = (code: string) => ({ ...invoice("x", "2026-01-01").lines[0]!, taxes: [{ code }] })

const documentsAt = (now: number) => {
  const at = DateTime.makeZonedUnsafe(now, { timeZone: zone })
  const day = (ago: number) => CivilDate.of(DateTime.subtract(at, { days: ago }))
  const of = (number: string, ago: number, tax: string, currency: string) =>
    invoice(number, day(ago), { lines: [line(tax)], currency })
  return [
    of("behind", 6, "Standard", "USD"),
    of("standard", 2, "Standard", "USD"),
    of("zero", 2, "Zero", "ZAR"),
    of("expired", 2, "Old", "USD"),
    of("euro", 2, "Zero", "EUR"),
    creditNote("alone", day(1), "", { originals: [], lines: [line("Zero")] }),
    of("today", 0, "Standard", "USD")
  ]
}

const services = () => Layer.merge(engine(), SqliteStaging.layerMemory)

/**
 * Imports the documents with the given change of answers; the fiscal day was closed three days
 * before.
 */
export const run = (vat: Vat, change: Change): Effect.Effect<Run> =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start)
    const sandbox = yield* sandboxOf(vat)
    yield* sandbox.control.closeDay()
    yield* TestClock.setTime(start + 3 * dayMillis)
    const store = yield* SubmissionStore
    const gateway = yield* gatewayOf(sandbox, change)
    const states: Record<string, string> = {}
    const warnings: Array<string> = []
    const working = Effect.gen(function* () {
      const account = yield* Session.open({ account: "main", gateway, firstLook: "1 millis", zone })
      warnings.push(...account.warnings.map(({ code }) => code))
      const readings = Stream.fromIterable(documentsAt(start + 3 * dayMillis))
      const planned = yield* Session.plan(account, { readings, book })
      warnings.push(...planned.warnings.map(({ code }) => code))
      yield* Stream.runForEach(planned.plan.entries, (entry) =>
        Effect.sync(() => {
          if (entry._tag !== "Refused") return
          const codes = entry.findings.filter(Finding.refuses).map(({ code }) => code)
          states[entry.source.number] = `Refused ${[...new Set(codes)].toSorted().join(" ")}`
        })
      )
      const consent = yield* Session.consent(account, planned, { whenLate: "send-rest" })
      yield* Session.report(Session.send(consent, { patience: "30 seconds" }))
    })
    const ended = yield* Effect.result(WithoutSockets.ticking(working, TestClock.adjust("1 second")))
    for (const { number, state } of yield* store.list({ limit: 100 })) states[number] = state
    const accepted = yield* sandbox.control.accepted
    const marked = yield* sandbox.control.coloured
    return {
      states,
      warnings,
      stopped: Result.isFailure(ended) ? String(ended.failure.message) : null,
      colored: [
        ...marked.map(({ documentNumber, marks }) => `${documentNumber} ${marks.map(({ code }) => code).join(" ")}`),
        ...accepted.filter(({ receipts }) => receipts > 1).map(({ receipts }) => `${receipts} receipts of one document`)
      ]
    }
  }).pipe(Effect.scoped, Effect.provide(services(), { local: true }), Effect.orDie) as Effect.Effect<Run>

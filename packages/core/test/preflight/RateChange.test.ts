import { planBatch } from "../../src/session/Planning.ts"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as CivilDate from "../../src/document/CivilDate.ts"
import { numberOf, stamp } from "../../src/document/FiscalDocument.ts"
import * as Instant from "../../src/document/Instant.ts"
import { formatAmount } from "../../src/document/Money.ts"
import * as Gateway from "../../src/gateway/Gateway.ts"
import { withSubmit } from "../gateway/Loopback.ts"
import * as Destination from "../../src/account/Destination.ts"
import * as UndiciHttpClient from "../../src/node/UndiciHttpClient.ts"
import * as DeviceFacts from "../../src/preflight/DeviceFacts.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { bookWith, creditNote, invoice, memory } from "../import/SampleSources.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"

/** Zones of the business, with their offset on that New Year's Day. */
const places = [
  ["+02:00", "+02:00"],
  ["Africa/Harare", "+02:00"],
  ["America/New_York", "-05:00"],
  ["Pacific/Kiritimati", "+14:00"],
  ["Pacific/Pago_Pago", "-11:00"],
  ["Asia/Kathmandu", "+05:45"],
  ["Australia/Adelaide", "+10:30"]
] as const

const zoneOf = (text: string) => Option.getOrThrow(DateTime.zoneFromString(text))

/**
 * Returns the time of the rate change in the zone, some seconds later, written with the offset of
 * another place.
 */
const around = (zone: string, seconds: number, written: string) => {
  const midnight = CivilDate.at(CivilDate.CivilDate.make("2026-01-01"), 0, zoneOf(zone))
  return Instant.fromSeconds(Instant.seconds(midnight) + seconds, zoneOf(written))
}

/** Returns documents with their dates, and the rate valid for each. */
const corpus = (zone: string): ReadonlyArray<readonly [SourceDocument, "VAT15" | "VAT155"]> => {
  const at = (number: string, date: SourceDocument["date"] & {}, amounts: SourceDocument["taxMode"]) =>
    invoice(number, "2025-12-31", { date, taxMode: amounts })
  const invoices = (["inclusive", "exclusive"] as const).flatMap((amounts, i) => [
    [at(`${i}-old-day`, CivilDate.CivilDate.make("2025-12-31"), amounts), "VAT15"] as const,
    [at(`${i}-before-here`, around(zone, -10 + i, zone), amounts), "VAT15"] as const,
    [at(`${i}-before-utc`, around(zone, -5 + i, "+00:00"), amounts), "VAT15"] as const,
    [at(`${i}-before-east`, around(zone, -2 + i, "+14:00"), amounts), "VAT15"] as const,
    [at(`${i}-at-west`, around(zone, i, "-11:00"), amounts), "VAT155"] as const,
    [at(`${i}-after-utc`, around(zone, 5 + i, "+00:00"), amounts), "VAT155"] as const,
    [at(`${i}-after-here`, around(zone, 10 + i, zone), amounts), "VAT155"] as const,
    [at(`${i}-new-day`, CivilDate.CivilDate.make("2026-01-01"), amounts), "VAT155"] as const
  ])
  const notes = invoices.map(
    ([original, rate]) =>
      [
        creditNote(`note-${original.number}`, "2026-01-05", original.number, { taxMode: original.taxMode }),
        rate
      ] as const
  )
  return [...invoices, ...notes]
}

describe("a standard rate that changes on January 1", () => {
  for (const [zone, offset] of places) {
    it.effect(`is applied by the day in ${zone}, for notes by the original's day, and the device agrees`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse("2026-02-01T12:00:00Z"))
        const documents = corpus(zone)
        const book = bookWith({ zone })
        const sandbox = yield* Sandbox.make({
          processingDelayMillis: 0,
          accounts: [
            {
              key: "key",
              device: 1001,
              taxMappings: book.taxes.map(({ code, device }) => ({ taxCode: code, destinationTaxId: device })),
              currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
            }
          ],
          devices: [{ deviceId: 1001, zone: offset, taxPayerDayMaxHrs: 10_000 }]
        })
        const gateway = yield* Effect.flatMap(
          Gateway.make({
            account: "main",
            baseUrl: sandbox.url,
            application: "test",
            station: "test",
            apiKey: Redacted.make("key")
          }),
          withSubmit
        )
        const fiscalDevice = yield* gateway.fiscalDevice
        const now = DateTime.setZone(yield* DateTime.now, book.zone)
        const plan = yield* planBatch(Stream.fromIterable(documents.map(([document]) => document)), {
          account: "main",
          book,
          originals: new Map(),
          device: DeviceFacts.make(fiscalDevice, ["USD"], now),
          destination: Destination.of("main", fiscalDevice, "test")
        })
        const planned = (yield* Stream.runCollect(plan.entries)).flatMap((entry) =>
          entry._tag === "Planned" ? [{ ...entry.planned, document: WrittenDocument.read(entry.planned.document) }] : []
        )
        assert.deepStrictEqual(
          planned.map(({ document, held }) => [
            numberOf(document),
            document.payload.lineItems.map(({ taxCode }) => taxCode as string).join(),
            document.payload.isTaxInclusive ? "inclusive" : "exclusive",
            held
          ]),
          documents.map(([{ taxMode: amounts, number }, rate]) => [number, rate, amounts, null])
        )
        // 100 × 15 / 115 = 13.043…, 100 × 15.5 / 115.5 = 13.419…, 100 × 15 / 100, 100 × 15.5 / 100
        const taxes = new Map(
          planned.map(({ document }) => [numberOf(document) as string, formatAmount(document.payload.totalTax)])
        )
        assert.deepStrictEqual(
          ["0-old-day", "note-0-new-day", "note-1-old-day", "1-new-day"].map((number) => taxes.get(number)),
          ["13.04", "13.42", "15.00", "15.50"]
        )
        const dated = planned
          .flatMap(({ document, receiptDate }) =>
            receiptDate === "at-submission" ? [] : [stamp(document, receiptDate, "first")]
          )
          .toSorted((a, b) => Instant.seconds(a.payload.date) - Instant.seconds(b.payload.date))
        for (const document of dated) yield* gateway.submit(document)
        const receipts = yield* sandbox.control.receipts
        assert.strictEqual(receipts.length, documents.length)
        assert.deepStrictEqual(
          receipts
            .filter(({ marks }) => marks.length > 0)
            .map(({ documentNumber, marks }) => `${documentNumber} ${marks.map(({ code }) => code).join()}`),
          []
        )
      }).pipe(Effect.provide([UndiciHttpClient.layer(), memory]))
    )
  }
})

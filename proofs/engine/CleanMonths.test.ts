/**
 * Ten firms without a fault: five days are sent, closed and reconciled with their export, and no
 * account names a difference.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { DateTime, Duration, Effect, Layer, Redacted, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock } from "effect/testing"
import type { AccountSettings } from "../../packages/core/src/account/AccountSettings.ts"
import * as Money from "../../packages/core/src/document/Money.ts"
import { refuses } from "../../packages/core/src/finding/Finding.ts"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as Reconcile from "../../packages/core/src/session/Reconcile.ts"
import * as Session from "../../packages/core/src/session/Session.ts"
import type { SourceDocument } from "../../packages/core/src/source/SourceDocument.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import { bookWith, creditNote, day, invoice, money } from "../../packages/core/test/import/SampleSources.ts"
import { at, engine } from "../../packages/core/test/sending/Engine.ts"
import * as WithoutSockets from "../../packages/core/test/sending/WithoutSockets.ts"
import { given } from "../Given.ts"
import { make } from "../Random.ts"

const { count, seed } = given("clean-months")

const days = [0, 1, 2, 3, 4].map((n) => `2026-01-0${5 + n}`)
const device = 1001

type Random = ReturnType<typeof make>

/** Differences of one firm from all others. */
interface Firm {
  /** Book of an account on a day. */
  readonly book?: (account: string, n: number) => MappingBook
  /** Accounts of the store that send to the device. */
  readonly accounts?: ReadonlyArray<string>
  /** Adds the credit notes of a day to its invoices. */
  readonly notes?: (invoices: ReadonlyArray<SourceDocument>, date: string) => ReadonlyArray<SourceDocument>
  readonly currencies?: ReadonlyArray<string>
  /** Hour of the day at which documents are sent, and at which the fiscal day is closed. */
  readonly sends?: number
  readonly closes?: number
  /** Hour at which every second document is sent, dated on the next day. */
  readonly night?: number
  readonly timing?: "historical"
  /** Document of each day that the device rejects; its correction is sent at the end of the day. */
  readonly rejects?: "first"
  /** A till sends to the same device from another store. */
  readonly till?: "declared"
  /** Changes the gateway before the day. */
  readonly before?: (gateway: AccountSettings["gateway"], n: number) => Effect.Effect<void, unknown>
}

const taxes = (code: string, tax = 515) => [
  { from: ["Standard"], code, device: tax, percent: "15.5" },
  { from: ["Zero"], code: `${code}-ZERO`, device: 2, percent: "0" }
]
const books = { main: bookWith({ taxes: taxes("VAT") }), shop: bookWith({ taxes: taxes("STD") }) }
const restamped = bookWith({ taxes: taxes("VAT"), late: "restamp" })
const atSubmission = bookWith({ taxes: taxes("VAT"), times: "at-submission" })
const remapped = bookWith({ taxes: taxes("VAT", 516) })
const changing = bookWith({
  taxes: [
    { from: ["Standard"], until: "2026-01-06", code: "OLD", device: 1, percent: "15" },
    { from: ["Standard"], since: "2026-01-07", code: "VAT", device: 515, percent: "15.5" },
    { from: ["Zero"], code: "VAT-ZERO", device: 2, percent: "0" }
  ]
})

const firms: Readonly<Record<string, Firm>> = {
  notes: { notes: (invoices, date) => invoices.filter((_, n) => n % 4 === 0).map((one) => noteOn(one, date, 1)) },
  "partial notes": {
    notes: (invoices, date) =>
      invoices.filter((_, n) => n % 3 === 0).flatMap((one) => [noteOn(one, date, 3), noteOn(one, date, 4)])
  },
  "two accounts on a device under different codes": { accounts: ["main", "shop"] },
  "a rate that changes": { book: () => changing },
  "a mapping that changes": {
    book: (_, n) => (n < 3 ? books.main : remapped),
    before: (gateway, n) =>
      n !== 3
        ? Effect.void
        : Effect.gen(function* () {
            const mapped = (yield* gateway.taxMappings).find(({ taxCode }) => taxCode === "VAT")!
            yield* gateway.updateTaxMapping({ ...mapped, id: mapped.id!, destinationTaxId: 516 })
          })
  },
  "several currencies": { currencies: ["USD", "ZAR"] },
  "a rejected and corrected revision": { rejects: "first", book: () => restamped },
  "a day over midnight": { sends: 22, night: 25, closes: 26 },
  "historical uploads": { timing: "historical" },
  "a declared till": { till: "declared" }
}

/** Returns a credit note of a part of each line. */
const noteOn = (original: SourceDocument, date: string, part: 1 | 3 | 4): SourceDocument =>
  creditNote(`C${part}-${original.number}`, date, original.number, {
    currency: original.currency!,
    taxMode: original.taxMode,
    ...(original.buyer !== undefined && { buyer: original.buyer }),
    lines: original.lines.map((line) => ({ ...line, quantity: money(String(12 / part)) }))
  })

const buyers = [1, 2, 3, 4, 5].map((n) => ({ name: `Buyer ${n}`, tin: `200000010${n}`, vatNumber: `22000010${n}` }))

const sale = (random: Random, number: string, date: string, currency: string): SourceDocument =>
  invoice(number, date, {
    currency,
    ...(random.chance(0.5) && { buyer: buyers[random.between(0, 4)]! }),
    lines: [1, 2].map((n) => ({
      description: `Thing ${n}`,
      quantity: money("12"),
      unitPrice: money(`${1 + random.between(0, 899)}.${10 + random.between(0, 89)}`),
      taxes: [{ code: n === 1 ? "Standard" : "Zero" }],
      productCode: "12345678"
    }))
  })

const sandboxOf = Sandbox.makeInProcess({
  processingDelayMillis: 0,
  accounts: ["main", "shop", "till"].map((name) => ({
    key: `key-${name}`,
    name,
    device,
    taxMappings: [
      ...["VAT", "STD"].flatMap((code) => [
        { taxCode: code, destinationTaxId: 515 },
        { taxCode: `${code}-ZERO`, destinationTaxId: 2 }
      ]),
      { taxCode: "OLD", destinationTaxId: 1 }
    ],
    currencyMappings: ["USD", "ZAR"].map((code) => ({ sourceCurrency: code, destinationCurrency: code }))
  })),
  devices: [
    {
      deviceId: device,
      taxPayerDayMaxHrs: 999,
      allowCsvUpload: true,
      expireCsvUpload: "2099-12-31T00:00:00",
      supportedCurrencies: ["USD", "ZAR"],
      taxes: [
        { taxId: 1, taxPercent: "15", taxName: "Standard", taxValidTill: "2026-01-06" },
        { taxId: 515, taxPercent: "15.5", taxName: "Standard", taxValidFrom: "2020-01-01" },
        { taxId: 516, taxPercent: "15.5", taxName: "Standard", taxValidFrom: "2020-01-01" },
        { taxId: 2, taxPercent: "0", taxName: "Zero", taxValidFrom: "2020-01-01" }
      ]
    }
  ]
})

const services = () => Layer.merge(engine(), SqliteStaging.layerMemory)

/** Sends the documents of an account, until every outcome is known. */
const sent = (settings: AccountSettings, documents: ReadonlyArray<SourceDocument>, book: MappingBook, firm: Firm) =>
  Effect.gen(function* () {
    const account = yield* Session.open({ ...settings, zone: book.zone })
    const order = { readings: Stream.fromIterable(documents), book, timing: firm.timing ?? "ordinary" } as const
    const planned = yield* Session.plan(account, order)
    const problems = yield* Stream.runCollect(
      Stream.map(planned.plan.entries, (entry) =>
        entry._tag === "Refused"
          ? entry.findings.filter(refuses).map(({ code, detail, message }) => `${code} ${detail ?? message}`)
          : entry._tag === "Planned" && entry.planned.held !== null
            ? [entry.planned.held]
            : []
      )
    )
    assert.strictEqual(problems.flat().join("; "), "")
    const consent = yield* Session.consent(account, planned, { whenLate: "send-rest" })
    yield* Session.report(Session.send(consent, { patience: "1 hour" }))
  })

const run = (name: string, firm: Firm) =>
  Effect.gen(function* () {
    yield* at("2026-01-05T06:00:00+02:00")
    const { answer, control } = yield* sandboxOf
    const settingsOf = (account: string) =>
      Effect.map(
        Gateway.make({
          account,
          baseUrl: "http://127.0.0.1",
          application: "test",
          station: "test",
          apiKey: Redacted.make(`key-${account}`)
        }).pipe(Effect.provideService(HttpClient.HttpClient, WithoutSockets.client(answer))),
        (gateway): AccountSettings => ({ account, gateway, firstLook: "1 millis", clockSkew: "10000 days" })
      )
    const { accounts = ["main"], closes = 20, currencies = ["USD"], sends = 9 } = firm
    const bookOf = firm.book ?? ((account: string) => books[account as "main" | "shop"])
    const settings = yield* Effect.forEach(accounts, settingsOf)
    const [first] = settings
    const random = make(seed)
    const store = yield* SubmissionStore
    const given = new Map<string, ReadonlyArray<SourceDocument>>()
    for (const [n, date] of days.entries()) {
      const at = (hours: number) =>
        DateTime.addDuration(DateTime.makeUnsafe(`${date}T00:00:00+02:00`), Duration.hours(hours)).epochMilliseconds
      const hour = (hours: number) => TestClock.setTime(at(hours))
      const isNight = (i: number) => firm.night !== undefined && i % 2 === 1
      const tomorrow = new Date(at(26)).toISOString().slice(0, 10)
      yield* hour(sends)
      yield* firm.before?.(first!.gateway, n) ?? Effect.void
      for (const own of settings) {
        const { account } = own
        const invoices = Array.from({ length: count / days.length / accounts.length }, (_, i) =>
          sale(random, `${account}-${n}-${i}`, isNight(i) ? tomorrow : date, currencies[i % currencies.length]!)
        )
        const documents = [...invoices, ...(firm.notes?.(invoices, date) ?? [])]
        if (firm.rejects !== undefined)
          yield* control.addFault({ kind: "reject", actionable: true, times: 1, documents: [invoices[0]!.id] })
        yield* sent(
          own,
          documents.filter((_, i) => !isNight(i)),
          bookOf(account, n),
          firm
        )
        if (firm.night !== undefined) {
          yield* hour(firm.night)
          yield* sent(
            own,
            documents.filter((_, i) => isNight(i)),
            bookOf(account, n),
            firm
          )
        }
        const corrected =
          firm.rejects === undefined ? documents : [sale(random, invoices[0]!.id, date, "USD"), ...documents.slice(1)]
        if (firm.rejects !== undefined) yield* sent(own, corrected, bookOf(account, n), firm)
        given.set(account, [...(given.get(account) ?? []), ...corrected])
      }
      if (firm.night === undefined) yield* hour(sends + 3)
      if (firm.till !== undefined)
        yield* Effect.provide(
          sent(yield* settingsOf("till"), [sale(random, `T-${n}`, date, "USD")], atSubmission, firm),
          services(),
          { local: true }
        )
      yield* hour(closes)
      yield* control.closeDay()
    }
    if (firm.till !== undefined) yield* store.stateOtherPrograms(`test/${device}`, "others", "a till")
    const book = bookOf("main", days.length)
    const account = yield* Session.open({ ...first!, zone: book.zone })
    const { plan } = yield* Session.plan(account, { readings: Stream.fromIterable(given.get("main")!), book })
    const accountOf = (from: string, to: string, source: Reconcile.SourceInput | null) =>
      Reconcile.run({
        settings: { ...first!, zone: book.zone },
        others: settings.slice(1),
        period: { from: day(from), to: day(to) },
        source
      })
    const found = yield* accountOf(days[0]!, "2026-01-31", { _tag: "Read", plan, name: "the export" })
    if (firm.night !== undefined) {
      const before = yield* accountOf(days[0]!, days.at(-1)!, null)
      const after = yield* accountOf("2026-01-10", "2026-01-31", null)
      assert.deepStrictEqual([...before.differences, ...after.differences], [])
      assert.strictEqual(before.closing.length, count / days.length / 2)
      assert.deepStrictEqual(
        before.closing.map(({ number }) => number),
        after.opening.map(({ number }) => number)
      )
    }
    assert.deepStrictEqual(
      found.differences.map(({ code, text }) => `${code} ${text}`),
      [],
      name
    )
    assert.deepStrictEqual(
      found.days.map(({ day, standing }) => [day, standing]),
      days.map((_, n) => [n + 1, "agrees" as const])
    )
    const receipts = (yield* control.receipts).filter(({ account }) => account !== "till")
    const counted = Array.from(found.chains ?? []).map(([currency, rows]) => {
      assert.strictEqual(Money.formatAmount(found.deviceSums.get(currency)!.left), "0.00", currency)
      const row = rows.find(({ name }) => name === "receipts")!
      return row.invoice.documents + row["credit-note"].documents
    })
    assert.strictEqual(
      counted.reduce((sum, n) => sum + n, 0),
      receipts.length
    )
    assert.isAtLeast(receipts.length, count)
  }).pipe(
    (work) => WithoutSockets.ticking(work, TestClock.adjust("1 second")),
    Effect.scoped,
    Effect.provide(services(), { local: true })
  )

describe("the account of a firm without a fault names no difference", () => {
  for (const [name, firm] of Object.entries(firms)) it.effect(`with ${name}: ${count}`, () => run(name, firm))
})

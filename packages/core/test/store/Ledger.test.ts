import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import * as Mark from "../../src/submission/ledger/Mark.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { drain, key, plan, sweep, test } from "../sending/Engine.ts"
import { answers, make, rejected } from "../sending/ScriptedGateway.ts"

const instant = (text: string) => Option.getOrThrow(Instant.parse(text))
const money = (text: string) => Option.getOrThrow(Money.parse(text))
const ledger = Effect.map(SubmissionStore, ({ ledger }) => ledger)
const original = (value: string, by: "id" | "number" = "id", account = "shop") =>
  Effect.flatMap(ledger, (ledger) => ledger.original(account, { by, value }))
const mark = Effect.flatMap(ledger, (ledger) =>
  Effect.map(ledger.mark("test/1001"), (lane) =>
    Option.map(Mark.ofLane(lane), ({ at, cause: because }) => `${Instant.format(at)} ${because}`)
  )
)

const elsewhere = {
  account: "shop",
  taxpayer: "2000000001",
  invoiceId: InvoiceId.make("old"),
  number: DocumentNumber.make("O-1"),
  date: instant("2025-06-01T09:00:00+02:00"),
  currency: CurrencyCode.make("USD"),
  total: money("80.00"),
  taxCodes: [TaxCode.make("VAT15")],
  credited: money("30.00")
}

describe("document numbers", () => {
  it.effect(
    "belong to the taxpayer, across accounts and kinds, sent or not",
    test(function* () {
      yield* plan(invoice("i1", { number: "1" }), creditNote("c1", { number: "2", account: "till" }))
      yield* plan(invoice("i9", { number: "3", taxpayer: "3000000000", account: "other", lane: "9" }))
      const holders = yield* (yield* ledger).holders("2000000001", ["1", "2", "3", "4"])
      assert.deepStrictEqual(
        holders.map(({ account, id, kind, number }) => [number, account, kind, id]),
        [
          ["1", "shop", "invoice", "i1"],
          ["2", "till", "credit-note", "c1"]
        ]
      )
    })
  )

  it.effect(
    "can be looked up by the thousand",
    test(function* () {
      yield* plan(invoice("i1", { number: "4711" }))
      const numbers = Array.from({ length: 40_000 }, (_, n) => String(n))
      assert.strictEqual((yield* (yield* ledger).holders("2000000001", numbers)).length, 1)
    })
  )
})

describe("an original", () => {
  it.effect(
    "is open until it is fiscalised, and void if it was not",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ firstLook: 0 })
      gateway.answer("i2", answers.declined)
      yield* plan(invoice("i1"), invoice("i2"))
      const standing = (id: string) => Effect.map(original(id), (found) => Option.getOrThrow(found).status)
      assert.strictEqual(yield* standing("i1"), "open")
      yield* drain(account)
      assert.deepStrictEqual([yield* standing("i1"), yield* standing("i2")], ["open", "void"])
      yield* sweep(account)
      assert.strictEqual(yield* standing("i1"), "fiscalised")
      assert.deepStrictEqual(yield* original("i3"), Option.none())
    })
  )

  it.effect(
    "is found by its number in all accounts of the taxpayer",
    test(function* () {
      yield* plan(invoice("i1", { number: "A-1" }), invoice("t1", { account: "till" }))
      const found = Option.getOrThrow(yield* original("A-1", "number", "till"))
      assert.deepStrictEqual([found.invoiceId, found.number], ["i1", "A-1"])
    })
  )

  it.effect(
    "has its credited amount with pending credits, and the crediting notes; failed notes do not count",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ firstLook: 0 })
      yield* plan(
        invoice("i1", { total: "100.00" }),
        creditNote("c2", { credits: "i1", total: "10.00" }),
        creditNote("c3", { credits: "i1", total: "20.50" }),
        creditNote("c4", { credits: "i1", total: "7.00" })
      )
      gateway.answer("c3", answers.declined)
      yield* drain(account)
      yield* sweep(account)
      gateway.state.status = (id) => rejected(id)
      yield* drain(account)
      const found = Option.getOrThrow(yield* original("i1"))
      assert.strictEqual(Money.formatAmount(found.credited), "17.00")
      assert.deepStrictEqual(
        found.credits.map(({ id }) => id),
        ["c2", "c4"]
      )
      assert.deepStrictEqual(
        [Money.formatAmount(found.total), found.currency, found.taxCodes],
        ["100.00", "USD", ["EXEMPT"]]
      )
    })
  )

  it.effect(
    "fiscalised elsewhere is registered once, and its number is taken",
    test(function* () {
      const store = yield* SubmissionStore
      yield* plan(invoice("i1", { number: "taken" }))
      const registered = yield* store.registerOriginals([
        elsewhere,
        elsewhere,
        { ...elsewhere, invoiceId: InvoiceId.make("older"), number: DocumentNumber.make("taken") },
        { ...elsewhere, invoiceId: InvoiceId.make("i1"), number: DocumentNumber.make("O-2") }
      ])
      assert.deepStrictEqual(registered, ["registered", "known", "number-taken", "held"])
      const also = { ...elsewhere, invoiceId: InvoiceId.make("i1"), number: DocumentNumber.make("O-2") }
      assert.deepStrictEqual(yield* store.registeredOriginals, [elsewhere, also])
      yield* plan(creditNote("c1", { credits: "old", total: "5.00" }))
      const found = Option.getOrThrow(yield* original("O-1", "number"))
      assert.deepStrictEqual(
        [found.status, Instant.format(found.date), Money.formatAmount(found.credited), found.taxCodes],
        ["fiscalised", "2025-06-01T09:00:00+02:00", "35.00", ["VAT15"]]
      )
      const [plans] = yield* plan(invoice("i2", { number: "O-1" }))
      assert.strictEqual(plans!.verdict._tag, "NumberTaken")
    })
  )
})

describe("the mark of a lane", () => {
  it.effect(
    "is the latest receipt date that may have reached the device, or the close of the day",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      assert.deepStrictEqual(yield* mark, Option.none())
      gateway.answer("i3", answers.declined)
      gateway.answer("i2", answers.unknown)
      yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
      yield* drain(gateway.account())
      assert.deepStrictEqual(yield* mark, Option.some("2026-01-10T12:00:02+02:00 attempt"))
      yield* store.decide(key("i2"), { _tag: "Withdrawn" }, "given up")
      yield* drain(gateway.account())
      assert.deepStrictEqual(yield* mark, Option.some("2026-01-10T12:00:02+02:00 attempt"))
      yield* store.closeDay("test/1001", instant("2026-01-10T13:00:00+02:00"))
      assert.deepStrictEqual(yield* mark, Option.some("2026-01-10T13:00:00+02:00 z-report"))
    })
  )

  it.effect(
    "ignores planned documents, which count only for the latest receipt date of a day",
    test(function* () {
      yield* plan(invoice("i1"), invoice("i7"), invoice("i2", { receiptDate: "at-submission" }))
      assert.deepStrictEqual(yield* mark, Option.none())
      const latest = (from: string, until: string) =>
        Effect.flatMap(ledger, (ledger) =>
          Effect.map(ledger.latestReceiptDate("test/1001", instant(from), instant(until)), Option.map(Instant.format))
        )
      assert.deepStrictEqual(
        yield* latest("2026-01-10T00:00:00+02:00", "2026-01-10T23:59:59+02:00"),
        Option.some("2026-01-10T12:00:07+02:00")
      )
      assert.deepStrictEqual(yield* latest("2026-01-11T00:00:00+02:00", "2026-01-11T23:59:59+02:00"), Option.none())
    })
  )
})

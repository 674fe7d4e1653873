import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as Reconciliation from "../../src/day/Reconciliation.ts"
import * as ZReportComparison from "../../src/day/ZReportComparison.ts"
import * as ZReportIdentities from "../../src/day/ZReportIdentities.ts"
import type { UndatedDocument } from "../../src/document/FiscalDocument.ts"
import * as Money from "../../src/document/Money.ts"
import * as WireCodec from "../../src/document/WireCodec.ts"
import type { ZReport, ZReportSummary } from "../../src/gateway/operation/ZReport.ts"
import { currency, mapping } from "../mapping/Mappings.ts"

const decimal = (text: string) => Option.getOrThrow(Money.parse(text))

const counter = (
  counterType: string,
  amount: string,
  given: Partial<Pick<ZReportSummary, "taxId" | "paymentMethod" | "currency">> & { readonly percent?: string } = {}
): ZReportSummary => ({
  counterType,
  currency: given.currency ?? "USD",
  taxPercent: given.percent === undefined ? null : decimal(given.percent),
  taxId: given.taxId ?? null,
  paymentMethod: given.paymentMethod ?? null,
  amount: decimal(amount),
  unknownFields: {}
})

const report = (summaries: ReadonlyArray<ZReportSummary>, change: Partial<ZReport> = {}): ZReport => ({
  openedAt: null,
  closedAt: null,
  fiscalDayNumber: 7,
  summaries,
  message: null,
  isSuccess: true,
  unknownFields: {},
  ...change
})

const codesOf = (findings: ReadonlyArray<{ readonly code: string; readonly message: string }>) =>
  findings.map(({ code, message }) => `${code}: ${message}`)

// 115.50 inclusive of 15.5 % in cash, 50.00 at 0 % by card, and a cash refund of 57.75 of the
// first.
const counters = [
  counter("Sale", "115.50", { taxId: 515, percent: "15.5" }),
  counter("SaleTax", "15.50", { taxId: 515, percent: "15.5" }),
  counter("Sale", "50.00", { taxId: 2, percent: "0" }),
  counter("SaleTax", "0.00", { taxId: 2, percent: "0" }),
  counter("CreditNote", "-57.75", { taxId: 515, percent: "15.5" }),
  counter("CreditNoteTax", "-7.75", { taxId: 515, percent: "15.5" }),
  counter("Balance", "57.75", { paymentMethod: "Cash" }),
  counter("Balance", "50.00", { paymentMethod: "Card" })
]

describe("the checks of a Z-report", () => {
  it("pass if balances equal sales, credit notes and debit notes", () => {
    assert.deepStrictEqual(ZReportIdentities.check(report(counters)), [])
    const debit = [...counters, counter("DebitNote", "3.00"), counter("Balance", "3.00", { paymentMethod: "Other" })]
    assert.deepStrictEqual(ZReportIdentities.check(report(debit)), [])
  })

  it("are exact to the cent for each currency", () => {
    const found = ZReportIdentities.check(
      report([
        ...counters,
        counter("Sale", "1.01", { currency: "ZAR" }),
        counter("Balance", "1.00", { currency: "ZAR" })
      ])
    )
    assert.deepStrictEqual(codesOf(found), [
      "Z_REPORT_UNBALANCED: fiscal day 7, ZAR: balances 1.00, sales, credit and debit notes 1.01"
    ])
  })

  it("report a positive credit counter and a negative sales counter", () => {
    const found = ZReportIdentities.check(
      report([counter("CreditNoteTax", "0.01"), counter("SaleTax", "-0.01"), counter("CreditNote", "0.00")])
    )
    assert.deepStrictEqual(
      found.map(({ code }) => code),
      ["Z_REPORT_SIGN", "Z_REPORT_SIGN"]
    )
  })

  it("report a day that could not be closed, with the meaning of its codes", () => {
    const [failed] = ZReportIdentities.check(
      report([], { isSuccess: false, message: "2 receipts marked red (RCPT025 x 2)" })
    )
    assert.strictEqual(failed?.code, "Z_REPORT_FAILED")
    assert.include(failed?.detail, "RCPT025: The device does not apply this tax on the document's date")
  })
})

const wire = (kind: "invoice" | "credit-note", change: Readonly<Record<string, unknown>>): UndatedDocument =>
  Result.getOrThrow(
    WireCodec.decode(
      kind,
      JSON.stringify({
        ...(kind === "invoice"
          ? { InvoiceId: "I-1", InvoiceNumber: "INV-1" }
          : { CreditNoteId: "C-1", CreditNoteNumber: "CN-1", OriginalInvoiceId: "I-1" }),
        Reference: "x",
        IsDiscounted: false,
        IsTaxInclusive: true,
        BuyerContact: null,
        Date: "2026-03-02T10:00:00+02:00",
        PaymentMethod: "Cash",
        CurrencyCode: "USD",
        IsRetry: false,
        ...change
      })
    )
  )

const line = (code: string, amount: number) => ({
  Description: "x",
  UnitAmount: amount,
  TaxCode: code,
  ProductCode: "72142000",
  LineAmount: amount,
  DiscountAmount: null,
  Quantity: 1,
  CustomFields: null
})

const sale = wire("invoice", { LineItems: [line("VAT155", 115.5)], SubTotal: 100, TotalTax: 15.5, Total: 115.5 })
const book = wire("invoice", {
  InvoiceId: "I-2",
  InvoiceNumber: "INV-2",
  PaymentMethod: "Card",
  LineItems: [line("ZERO", 50)],
  SubTotal: 50,
  TotalTax: 0,
  Total: 50
})
const returned = wire("credit-note", { LineItems: [line("VAT155", 57.75)], SubTotal: 50, TotalTax: 7.75, Total: 57.75 })
const codes = {
  taxes: [mapping(1, "VAT155", 515), mapping(2, "ZERO", 2)],
  currencies: [currency(1, "USD", "USD")]
}

describe("the counters that an operator sees of a day", () => {
  it("have one balance for each currency, and taxes only where they differ", () => {
    const row = (counter: string, device: string | null, store: string | null, payment: string | null = null) => ({
      counter,
      currency: "USD",
      tax: null,
      payment,
      device: device === null ? null : decimal(device),
      store: store === null ? null : decimal(store)
    })
    const rows = [
      row("Sale", "12.00", "10.00"),
      row("SaleTax", "1.00", "1.00"),
      row("CreditNoteTax", "0.50", null),
      row("Balance", "12.00", null, "Cash"),
      row("Balance", null, "10.00")
    ]
    const shown = Reconciliation.judgedCounters({ compared: { comparison: { rows } }, day: report([]) } as never)
    assert.deepStrictEqual(
      shown.map(({ counter, device, store }) => [
        counter,
        device && Money.formatAmount(device),
        store && Money.formatAmount(store)
      ]),
      [
        ["Sale", "12.00", "10.00"],
        ["CreditNoteTax", "0.50", null],
        ["Balance", "12.00", "10.00"]
      ]
    )
  })
})

describe("the days of a month", () => {
  const at = (day: number, closedAt: string | null, openedAt: string | null = null) =>
    report([], { fiscalDayNumber: day, closedAt, openedAt } as Partial<ZReport>)
  const all = [at(7, "2026-10-31T20:00:00", "2026-10-02T08:00:00"), at(9, null), at(8, "2026-11-01T00:10:00")]
  const numbers = (asked: string | null) =>
    Reconciliation.ofMonth(all, asked).days.map(({ fiscalDayNumber }) => fiscalDayNumber)

  it("are those closed in it; a day without a time is in the newest month", () => {
    assert.deepStrictEqual(Reconciliation.ofMonth(all, null).months, ["2026-11", "2026-10"])
    assert.deepStrictEqual(numbers("2026-10"), [7])
    for (const asked of [null, "2026-11", "2025-01", "x"]) assert.deepStrictEqual(numbers(asked), [8, 9])
    assert.deepStrictEqual(Reconciliation.ofMonth([], "2026-10"), { month: null, months: [], days: [] })
  })

  it("say which of them agree", () => {
    const one = (day: number, standing: unknown) => ({ day: at(day, null), compared: standing && { standing } })
    const days = [
      one(7, "agrees"),
      one(8, "differs"),
      one(9, "awaited"),
      one(10, { notPossible: "open" }),
      one(11, null)
    ]
    const said = (count: number, read: ReadonlyArray<object>) => Reconciliation.resultOf(count, read as never)
    assert.strictEqual(said(5, days), "Fiscal day 8 does not agree, 1 closed day agrees, 3 days cannot be compared")
    assert.strictEqual(said(3, [days[1]!, days[1]!]), "2 days do not agree, 1 day is not read yet")
    assert.strictEqual(said(2, []), "2 days are not read yet")
  })
})

describe("the counters of a day compared with the store", () => {
  const compare = (documents: ReadonlyArray<UndatedDocument>, summaries = counters) =>
    ZReportComparison.compare(
      { summaries },
      documents.map((document) => ({ document, meaning: ZReportComparison.meaningBy(document, codes) }))
    )

  it("agree per currency, tax and payment method if the store knows all receipts", () => {
    const { differences, documents, rows } = compare([sale, book, returned])
    assert.deepStrictEqual(differences, [])
    assert.strictEqual(documents, 3)
    assert.deepStrictEqual(
      rows.map(({ counter, payment, store, tax }) => [counter, tax, payment, store && Money.formatAmount(store)]),
      [
        ["Sale", 2, null, "50.00"],
        ["Sale", 515, null, "115.50"],
        ["SaleTax", 2, null, "0.00"],
        ["SaleTax", 515, null, "15.50"],
        ["CreditNote", 515, null, "-57.75"],
        ["CreditNoteTax", 515, null, "-7.75"],
        ["Balance", null, "Card", "50.00"],
        ["Balance", null, "Cash", "57.75"]
      ]
    )
  })

  it("differ with each amount if the device has a receipt that the store does not know", () => {
    const { differences } = compare([sale, returned])
    assert.deepStrictEqual(
      differences.map(({ currency, text }) => `${currency}: ${text}`),
      ["USD: Sale tax 2 50.00, store none; Balance Card 50.00, store none"]
    )
  })

  it("count exclusive documents with the tax that the device computes", () => {
    const exclusive = wire("invoice", {
      IsTaxInclusive: false,
      LineItems: [line("VAT155", 100)],
      SubTotal: 100,
      TotalTax: 15.5,
      Total: 115.5
    })
    assert.deepStrictEqual(compare([exclusive, book, returned]).differences, [])
  })

  it("omit amounts that cannot be computed while a tax has two percents on the day", () => {
    // The percent changed from 15 to 15.5 within the day: 115.00 inclusive of 15 %, 100.00
    // exclusive of 15.5 %.
    const changed = [
      counter("Sale", "115.00", { taxId: 515, percent: "15" }),
      counter("SaleTax", "15.00", { taxId: 515, percent: "15" }),
      counter("Sale", "115.50", { taxId: 515, percent: "15.5" }),
      counter("SaleTax", "15.50", { taxId: 515, percent: "15.5" }),
      counter("Balance", "230.50", { paymentMethod: "Cash" })
    ]
    const before = wire("invoice", { LineItems: [line("VAT155", 115)], SubTotal: 100, TotalTax: 15, Total: 115 })
    const after = wire("invoice", {
      IsTaxInclusive: false,
      LineItems: [line("VAT155", 100)],
      SubTotal: 100,
      TotalTax: 15.5,
      Total: 115.5
    })
    assert.deepStrictEqual(compare([before, after], changed).differences, [])
    const [missing] = compare([before], changed).differences
    assert.strictEqual(missing?.text, "Sale tax 515 230.50, store 115.00; Balance Cash 230.50, store 115.00")
  })

  it("compare balances by their sum if documents state no payment method", () => {
    const unstated = wire("invoice", {
      PaymentMethod: null,
      LineItems: [line("VAT155", 115.5)],
      SubTotal: 100,
      TotalTax: 15.5,
      Total: 115.5
    })
    assert.deepStrictEqual(compare([unstated, book, returned]).differences, [])
    const dearer = counters.map((one) => (one.paymentMethod === "Card" ? { ...one, amount: decimal("50.01") } : one))
    assert.include(compare([unstated, book, returned], dearer).differences[0]?.text, "Balance 107.76, store 107.75")
  })

  it("report documents whose codes are no longer mapped", () => {
    const lost = wire("invoice", { LineItems: [line("OLD", 1)], SubTotal: 1, TotalTax: 0, Total: 1 })
    const { differences, unplaced } = compare([sale, book, returned, lost])
    assert.deepStrictEqual({ differences, unplaced }, { differences: [], unplaced: ["INV-1"] })
  })
})

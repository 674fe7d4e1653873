/**
 * Traps of formats.md ("Top 25 traps an adapter must survive") from a Xero-shaped export to the
 * request that would be sent, by their number there. The adapter's own tests cover its results
 * alone.
 */
import { planBatch } from "../../core/src/session/Planning.ts"
import { adapter } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import type { XeroLikeOptions } from "@fiscal-connector/adapter-xero-like/XeroLikeOptions"
import { stamp } from "../../core/src/document/FiscalDocument.ts"
import * as WireCodec from "../../core/src/document/WireCodec.ts"
import { refuses } from "../../core/src/finding/Finding.ts"
import type { ImportEntry } from "../../core/src/import/ImportEntry.ts"
import * as BookFile from "../../core/src/mapping/BookFile.ts"
import * as SqliteStaging from "../../core/src/node/SqliteStaging.ts"
import * as SqliteStore from "../../core/src/node/SqliteStore.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { DateTime, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { allocation, contact, creditNote, invoice, line, without } from "../../adapter-xero-like/test/Sample.ts"
import * as WrittenDocument from "../../core/src/document/WrittenDocument.ts"

const bookWith = (fields: object) =>
  BookFile.load(
    "traps.book.json",
    JSON.stringify({
      version: 1,
      zone: "+02:00",
      taxes: [
        { from: ["OUTPUT"], code: "VAT15", device: 1, percent: "15" },
        { from: ["TAX008"], code: "COUNTY", device: 8, percent: "8.25" },
        { from: ["TAX013"], code: "FEDERAL", device: 13, percent: "13" },
        { from: ["NONE"], code: "EXEMPT", device: 3, percent: null }
      ],
      currencies: [{ code: "USD", device: "USD" }],
      defaults: { productCode: "10063000", cashBuyer: "Cash sale {name}" },
      ...fields
    })
  )

interface Settled {
  readonly book?: object
  readonly options?: XeroLikeOptions
}

/**
 * Returns the outcomes of an export, given as a value, as text or as several files: `INV-1
 * {…request}` or `INV-1 CODE CODE`, in the export's order.
 */
const outcomes = (content: unknown, { book = {}, options = {} }: Settled = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-06-01T12:00:00Z"))
    const files: ReadonlyArray<unknown> = Array.isArray(content) && typeof content[0] === "string" ? content : [content]
    const input = {
      files: files.map((file, i) => ({
        name: `${i}.json`,
        bytes: Stream.sync(() => new TextEncoder().encode(typeof file === "string" ? file : JSON.stringify(file)))
      }))
    }
    const plan = yield* planBatch(adapter.read(input, options), {
      account: "traps",
      book: yield* bookWith(book),
      originals: new Map(),
      destination: { account: "traps", taxpayer: "traps", lane: "traps/1", environment: "sandbox" }
    })
    return {
      outcomes: (yield* Stream.runCollect(plan.entries)).map(outcome),
      skipped: yield* Stream.runCollect(plan.skipped)
    }
  }).pipe(Effect.provide([SqliteStore.layer({ filename: ":memory:" }), SqliteStaging.layerMemory]), Effect.scoped)

const outcome = (entry: ImportEntry): string => {
  if (entry._tag === "Refused")
    return entry.findings
      .filter(refuses)
      .map(({ code }) => code)
      .join(" ")
  if (entry._tag === "Known") return "known"
  const { document, receiptDate } = entry.planned
  return WireCodec.encode(
    stamp(
      WrittenDocument.read(document),
      receiptDate === "at-submission" ? DateTime.makeZonedUnsafe(0, { timeZone: "UTC" }) : receiptDate,
      "first"
    )
  )
}

/** Returns the outcome of the only document. */
const outcomeOf = (content: unknown, settled?: Settled) =>
  Effect.map(outcomes(content, settled), ({ outcomes }) => {
    assert.strictEqual(outcomes.length, 1)
    return outcomes[0]!
  })

const priced = (amount: number, tax: number, fields: object = {}) =>
  line({ UnitAmount: amount, LineAmount: amount, TaxAmount: tax, ...fields })

describe("a Xero-like export up to the request", () => {
  it.effect("1: a document without its lines is refused only for that reason", function* () {
    assert.strictEqual(yield* outcomeOf({ Invoices: [invoice({ LineItems: [] })] }), "XERO_LINES_MISSING")
  })

  it.effect("2 and 3: bills, drafts and voided documents are not planned", function* () {
    const bill = invoice({ Type: "ACCPAY", Status: "PAID" })
    const { outcomes: planned, skipped } = yield* outcomes([
      bill,
      invoice({ Status: "DRAFT" }),
      invoice({ Status: "VOIDED" })
    ])
    assert.deepStrictEqual([planned, skipped.length], [[], 3])
  })

  it.effect(
    "4 and 16: a total that differs from its parts is refused; a stated rounding explains it if the book allows charges",
    function* () {
      const odd = {
        LineItems: [priced(63.2, 8.22, { TaxType: "TAX013" })],
        SubTotal: 63.2,
        TotalTax: 8.22,
        Total: 71.43
      }
      assert.strictEqual(yield* outcomeOf(invoice(odd)), "TOTAL_MISMATCH")
      const explained = invoice({ ...odd, RoundingAmount: 0.01 })
      assert.strictEqual(yield* outcomeOf(explained), "CHARGE_UNDECIDED")
      const sent = yield* outcomeOf(explained, { book: { policies: { charges: "as-line-taxed-like-lines" } } })
      assert.include(sent, '"SubTotal":63.21,"TotalTax":8.22,"Total":71.43')
    }
  )

  it.effect(
    "5: each line is rounded half up; a different device sum is refused, or stated gross if the book chooses so",
    function* () {
      const half = invoice({
        LineItems: [priced(250, 20.63, { TaxType: "TAX008" })],
        SubTotal: 250,
        TotalTax: 20.63,
        Total: 270.63
      })
      assert.include(yield* outcomeOf(half), '"SubTotal":250.00,"TotalTax":20.63,"Total":270.63')
      const three = invoice({
        LineItems: [priced(25.06, 3.76), priced(25.61, 3.84), priced(25.63, 3.84)],
        SubTotal: 76.3,
        TotalTax: 11.44,
        Total: 87.74
      })
      assert.strictEqual(yield* outcomeOf(three), "TOTAL_MISMATCH")
      const gross = yield* outcomeOf(three, { book: { rounding: "as-inclusive" } })
      assert.include(gross, '"IsTaxInclusive":true')
      assert.include(gross, '"SubTotal":76.30,"TotalTax":11.44,"Total":87.74')
    }
  )

  it.effect("6: inclusive amounts equal the total; amounts without a stated tax basis are refused", function* () {
    const county = { TaxType: "TAX008" }
    const inclusive = invoice({
      LineAmountTypes: "Inclusive",
      LineItems: [priced(470, 35.82, county), priced(444.55, 33.88, county)],
      SubTotal: 844.85,
      TotalTax: 69.7,
      Total: 914.55
    })
    assert.include(yield* outcomeOf(inclusive), '"SubTotal":844.85,"TotalTax":69.70,"Total":914.55')
    assert.strictEqual(yield* outcomeOf(without(inclusive, "LineAmountTypes")), "AMOUNTS_UNSTATED")
  })

  it.effect("7: the receipt has the day of the document in every date form", function* () {
    const forms = [
      { DateString: "2018-10-20T00:00:00", Date: "/Date(1539993600000+0000)/" },
      { DateString: undefined, Date: "/Date(1539993600000)/" },
      { DateString: undefined, Date: "/Date(1539993600000+1300)/" },
      { DateString: undefined, Date: "2018-10-20T00:00:00.000Z" },
      { DateString: undefined, Date: "2018-10-20T00:00:00+00:00" },
      { DateString: undefined, Date: "2018-10-20" }
    ]
    for (const form of forms) {
      assert.include(yield* outcomeOf(invoice(form)), '"Date":"2018-10-20T08:00:01+02:00"', JSON.stringify(form))
    }
    const moved = invoice({ DateString: undefined, Date: "2018-10-19T22:00:00.000Z" })
    assert.strictEqual(yield* outcomeOf(moved), "XERO_DATE_TIME_OF_DAY")
  })

  it.effect("8, 9 and 10: dates and numbers in local spelling are refused, not guessed", function* () {
    const day = { DateString: "03/02/2026", Date: "03/02/2026" }
    assert.strictEqual(yield* outcomeOf(invoice(day)), "XERO_DATE_FORM")
    for (const figure of ["1.234,50", "1,234.50", "$115.00", "(115.00)", "115.00-"]) {
      assert.strictEqual(yield* outcomeOf(invoice({ Total: figure })), "XERO_NUMBER_FORM", figure)
    }
    assert.include(yield* outcomeOf(invoice({ Total: "115.00" })), '"Total":115.00')
  })

  it.effect(
    "11: a note credits its allocated invoices, whatever its texts name; several only if the book chooses how",
    function* () {
      const other = invoice({ InvoiceID: "6f9d2a10-0000-4000-8000-000000000009", InvoiceNumber: "INV-0013" })
      const note = creditNote({ Reference: "for INV-0013", Allocations: [allocation()] })
      const noteOf = (credit: object, settled?: Settled) =>
        Effect.map(
          outcomes({ Invoices: [invoice(), other], CreditNotes: [credit] }, settled),
          ({ outcomes }) => outcomes[2]!
        )
      assert.include(yield* noteOf(note), '"OriginalInvoiceId":"6f9d2a10-0000-4000-8000-000000000001"')
      assert.strictEqual(yield* noteOf({ ...note, Allocations: [] }), "RCPT015")
      assert.strictEqual(yield* noteOf({ ...note, Allocations: [allocation({ IsDeleted: true })] }), "RCPT015")
      const spread = {
        ...note,
        Allocations: [allocation({ Amount: 15 }), allocation({ Amount: 100, Invoice: other })]
      }
      assert.strictEqual(yield* noteOf(spread), "ORIGINAL_SEVERAL")
      const largest = yield* noteOf(spread, { book: { policies: { allocations: "largest" } } })
      assert.include(largest, '"OriginalInvoiceId":"6f9d2a10-0000-4000-8000-000000000009"')
      assert.include(largest, '"Total":115.00')
    }
  )

  it.effect("12: a note is sent with positive amounts, whatever sign the export uses", function* () {
    const signed = (sign: number) => ({
      LineItems: [line({ Quantity: sign, UnitAmount: 100, LineAmount: sign * 100, TaxAmount: sign * 15 })],
      SubTotal: sign * 100,
      TotalTax: sign * 15,
      Total: sign * 115
    })
    const [plus, minus] = yield* Effect.forEach([1, -1], (sign) =>
      outcomes({ Invoices: [invoice()], CreditNotes: [creditNote({ ...signed(sign), Allocations: [allocation()] })] })
    )
    assert.include(plus?.outcomes[1], '"Quantity":1')
    assert.deepStrictEqual(minus?.outcomes, plus?.outcomes)
  })

  it.effect(
    "13: negative lines and text lines are refused, or become discounts and text by the book's policies",
    function* () {
      const deposit = priced(-36, -5.4, { Quantity: 1 })
      const totals = { SubTotal: 64, TotalTax: 9.6, Total: 73.6 }
      const mixed = invoice({ ...totals, LineItems: [line(), deposit, { Description: "Thank you" }] })
      assert.strictEqual(yield* outcomeOf(mixed), "LINE_TEXT_ONLY LINE_NEGATIVE")
      const policies = { negativeLines: "as-discount", textLines: "append" }
      const sent = yield* outcomeOf(mixed, { book: { policies } })
      assert.include(sent, '"Description":"Consulting\\nThank you"')
      assert.include(sent, '"LineAmount":64.00,"DiscountAmount":36.00')
      assert.include(sent, '"IsDiscounted":true')
    }
  )

  it.effect(
    "14: the line amount is kept; a unit price cut to two places is refused, or computed from the amount by the book's policy",
    function* () {
      const figures = { Quantity: 1000, UnitAmount: 0.06, LineAmount: 61.17, TaxAmount: 9.18 }
      const cut = invoice({ LineItems: [line(figures)], SubTotal: 61.17, TotalTax: 9.18, Total: 70.35 })
      const policy = { book: { policies: { unitPrices: "from-line-amount" } } }
      assert.strictEqual(yield* outcomeOf(cut), "LINE_AMOUNT_MISMATCH")
      assert.include(yield* outcomeOf(cut, policy), '"UnitAmount":0.06117')
      const discounted = line({
        Quantity: 13,
        UnitAmount: 367.77,
        DiscountRate: 12.5,
        LineAmount: 4183.35,
        TaxAmount: 627.5
      })
      const both = invoice({ LineItems: [discounted], SubTotal: 4183.35, TotalTax: 627.5, Total: 4810.85 })
      assert.strictEqual(yield* outcomeOf(both), "LINE_AMOUNT_MISMATCH")
      assert.include(yield* outcomeOf(both, policy), '"LineAmount":4183.35,"DiscountAmount":597.62')
    }
  )

  it.effect(
    "15: a percent becomes the deducted amount; a discounted flag without a discount has no effect",
    function* () {
      const less = priced(19.95, 2.69, { DiscountRate: 10, LineAmount: 17.96 })
      const discounted = invoice({ LineItems: [less], SubTotal: 17.96, TotalTax: 2.69, Total: 20.65 })
      assert.include(yield* outcomeOf(discounted), '"LineAmount":17.96,"DiscountAmount":1.99')
      const flagged = invoice({ IsDiscounted: true, LineItems: [line({ DiscountRate: 0 })] })
      assert.include(yield* outcomeOf(flagged), '"IsDiscounted":false')
    }
  )

  it.effect(
    "17: an unmapped or missing tax type is refused, and so is a tax amount that differs from its code",
    function* () {
      for (const taxed of [line({ TaxType: "TAX001" }), without(line(), "TaxType"), line({ TaxType: "output" })]) {
        assert.strictEqual(yield* outcomeOf(invoice({ LineItems: [taxed] })), "TAX_UNMAPPED")
      }
      const overridden = priced(95, 12.35, { TaxType: "NONE" })
      const sum = { SubTotal: 95, TotalTax: 12.35, Total: 107.35 }
      assert.strictEqual(
        yield* outcomeOf(invoice({ LineItems: [overridden], ...sum })),
        "TAX_AMOUNT_DIFFERS TOTAL_MISMATCH"
      )
    }
  )

  const row = {
    invoice_id: "a1",
    invoice_number: "INV-1",
    type: "ACCREC",
    status: "PAID",
    contact_name: "Baobab Traders",
    date: "2026-03-05",
    currency_code: "USD",
    line_amount_types: "Exclusive",
    total: "230.00",
    quantity: "1",
    unit_amount: "100.00",
    line_amount: "100.00",
    tax_type: "OUTPUT"
  }

  it.effect(
    "18 and 19: rows of one document are its lines, and its total is counted once; scattered rows are refused",
    function* () {
      assert.include(yield* outcomeOf([row, row]), '"SubTotal":200.00,"TotalTax":30.00,"Total":230.00')
      const between = { ...row, invoice_id: "a2", invoice_number: "INV-2" }
      const { outcomes: torn } = yield* outcomes([row, between, { ...row, description: "the second" }])
      assert.match(torn[0]!, /XERO_ROWS_SCATTERED/)
      assert.match(torn[2]!, /XERO_ROWS_SCATTERED/)
    }
  )

  it.effect("20: equal lines are kept; different documents with the same number are all refused", function* () {
    const twice = invoice({ LineItems: [line(), line()], SubTotal: 200, TotalTax: 30, Total: 230 })
    assert.include(yield* outcomeOf(twice), '"Total":230.00')
    const { outcomes: both } = yield* outcomes([invoice(), invoice({ InvoiceID: "another" })])
    assert.deepStrictEqual(both, ["DOCUMENT_TWICE", "DOCUMENT_TWICE"])
  })

  it.effect("22 and 23: texts and identifiers arrive unchanged", function* () {
    const named = invoice({ InvoiceID: "#", InvoiceNumber: "0000001", Contact: { Name: "“Café” & Söhne 🜁" } })
    const text = JSON.stringify(named).replace('"#"', "2520018000000073144").replaceAll("/", "\\/")
    const sent = yield* outcomeOf(`\uFEFF${text}`)
    assert.include(sent, '"InvoiceId":"2520018000000073144","InvoiceNumber":"0000001"')
    assert.include(sent, '"Name":"Cash sale “Café” & Söhne 🜁"')
  })

  it.effect("24: a buyer has the TIN from a contact file, or no TIN", function* () {
    const strict = { book: { defaults: { productCode: "10063000" } } }
    const files = [JSON.stringify([invoice()]), JSON.stringify([contact()])]
    const sent = yield* outcomeOf(files, { ...strict, options: { tin: "TaxNumber" } })
    assert.include(sent, '"Name":"Baobab Traders","TradeName":null,"Tin":"2000000001","VatNumber":null')
    assert.notInclude(sent, "PaymentMethod")
    assert.strictEqual(yield* outcomeOf(invoice(), strict), "RCPT043")
    const misshapen = [JSON.stringify([invoice()]), JSON.stringify([contact({ TaxNumber: "GB 123" })])]
    assert.strictEqual(yield* outcomeOf(misshapen, { options: { tin: "TaxNumber" } }), "BUYER_FORM")
  })

  it.effect(
    "25: an unknown or empty currency is refused; a document repeated on another page is one document",
    function* () {
      assert.strictEqual(yield* outcomeOf(invoice({ CurrencyCode: "ZWG" })), "CURRENCY_UNMAPPED")
      assert.strictEqual(yield* outcomeOf(invoice({ CurrencyCode: "" })), "CURRENCY_MISSING")
      const page = JSON.stringify({ Invoices: [invoice({ CurrencyRate: 0 })] })
      const { outcomes: planned, skipped } = yield* outcomes([page, page])
      assert.strictEqual(planned.length, 1)
      assert.include(planned[0], '"IsRetry":false')
      assert.deepStrictEqual(
        skipped.map(({ reason }) => reason),
        ["stated twice, word for word"]
      )
    }
  )
})

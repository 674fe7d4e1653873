/**
 * Traps of formats.md ("Top 25 traps an adapter must survive") that concern Xero shapes, one test
 * each, by their number there.
 */
import { fingerprint, wording } from "../../core/src/source/Fingerprint.ts"
import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { codesOf, documentOf, documentsIn, inputOf, plain, read, readingsOf } from "./Fixture.ts"
import { allocation, contact, creditNote, invoice, line, without } from "./Sample.ts"

const skippedIn = (readings: ReadonlyArray<{ readonly _tag: string }>) =>
  readings.flatMap((reading) => ("reason" in reading && "key" in reading ? [[reading.key, reading.reason]] : []))

describe("a known trap of Xero-like exports", () => {
  it.effect("1: lines missing from an unpaged export are an error that explains the paged export", function* () {
    for (const unpaged of [invoice({ LineItems: [] }), without(invoice(), "LineItems")]) {
      const { findings, lines } = yield* documentOf({ Invoices: [unpaged] })
      assert.deepStrictEqual(lines, [])
      assert.deepStrictEqual(codesOf(findings), ["XERO_LINES_MISSING"])
      assert.include(findings[0]?.fix, "page=1")
      assert.deepStrictEqual(findings[0]?.path, ["lines"])
    }
  })

  it.effect(
    "2: bills among sales, and suppliers' credit notes even if allocated, are skipped and reported",
    function* () {
      const bill = invoice({ Type: "ACCPAY", InvoiceNumber: "RENT" })
      const supplierCredit = creditNote({ Type: "ACCPAYCREDIT", CreditNoteNumber: "", Allocations: [allocation()] })
      const readings = yield* readingsOf({ Invoices: [bill, invoice()], CreditNotes: [supplierCredit] })
      assert.deepStrictEqual(
        documentsIn(readings).map(({ number }) => number),
        ["INV-0001"]
      )
      assert.deepStrictEqual(skippedIn(readings), [
        ["RENT", "a bill (ACCPAY)"],
        ["6f9d2a10-0000-4000-8000-000000000002", "a supplier's credit note (ACCPAYCREDIT)"]
      ])
    }
  )

  it.effect("3: drafts are skipped, and voided documents are skipped with their ids for the ledger", function* () {
    const statuses = ["DRAFT", "SUBMITTED", "VOIDED", "DELETED"]
    const readings = yield* readingsOf(statuses.map((Status) => invoice({ Status, InvoiceNumber: Status })))
    assert.deepStrictEqual(
      skippedIn(readings).map(([key]) => key),
      statuses
    )
    assert.deepStrictEqual(
      readings.map((reading) => ("cancelled" in reading ? reading.cancelled : undefined)),
      [
        undefined,
        undefined,
        ...["VOIDED", "DELETED"].map((number) => ({
          kind: "invoice",
          id: "6f9d2a10-0000-4000-8000-000000000001",
          number
        }))
      ]
    )
  })

  it.effect("4: totals that do not add up are kept as stated, next to a rounding amount", function* () {
    const { charges, totals } = yield* documentOf(
      invoice({ SubTotal: 63.2, TotalTax: 8.22, Total: 71.43, RoundingAmount: 0.01 })
    )
    assert.deepStrictEqual(plain(totals), { net: "63.2", tax: "8.22", total: "71.43" })
    assert.deepStrictEqual(plain(charges), [{ kind: "rounding", amount: "0.01", taxes: [] }])
  })

  it.effect("5: numbers keep the digits of the text, without conversion to a double", function* () {
    const figures = ["1.005", "0.1", "12345678901234567.89", "9007199254740990.9", "1e-7", "10.10"]
    const text = JSON.stringify(invoice({ LineItems: figures.map((_, i) => line({ UnitAmount: `#${i}#` })) }))
    const { lines } = yield* documentOf(text.replace(/"#(\d)#"/g, (_, i: string) => figures[Number(i)] ?? ""))
    assert.deepStrictEqual(
      lines.map(({ unitPrice }) => unitPrice && formatPlain(unitPrice)),
      ["1.005", "0.1", "12345678901234567.89", "9007199254740990.9", "0.0000001", "10.1"]
    )
  })

  it.effect(
    "6: the same line amounts are exclusive, inclusive or untaxed as the document states, and otherwise unstated",
    function* () {
      const modes = ["Exclusive", "INCLUSIVE", "NoTax", "NONE", "", "Mixed"]
      const readings = yield* readingsOf(modes.map((LineAmountTypes) => invoice({ LineAmountTypes })))
      assert.deepStrictEqual(
        documentsIn(readings).map(({ taxMode }) => taxMode),
        ["exclusive", "inclusive", "untaxed", "untaxed", "unstated", "unstated"]
      )
      assert.strictEqual(
        (yield* documentOf(without(invoice(), "LineAmountTypes"), { amounts: "inclusive" })).taxMode,
        "inclusive"
      )
    }
  )

  it.effect(
    "11: a credit note's original is taken from its allocations, never from a text that names another",
    function* () {
      const { originals } = yield* documentOf(
        creditNote({
          Reference: "for INV-0013",
          LineItems: [line({ Description: "credits INV-0013" })],
          Allocations: [allocation({ Amount: 40 })]
        })
      )
      assert.deepStrictEqual(plain(originals), [
        { by: "id", value: "6f9d2a10-0000-4000-8000-000000000001", number: "INV-0001", amount: "40" }
      ])
      const unallocated = yield* documentOf(creditNote({ Reference: "INV-0001", RemainingCredit: 115 }))
      assert.deepStrictEqual(unallocated.originals, [])
    }
  )

  it.effect("12: signs are kept as in the export", function* () {
    const { lines, totals } = yield* documentOf(creditNote({ LineItems: [line({ LineAmount: -100 })], Total: -115 }))
    assert.deepStrictEqual(plain([lines[0]?.lineAmount, totals.total]), ["-100", "-115"])
  })

  it.effect("13: negative, free and text-only lines are all stated, in order", function* () {
    const { findings, lines } = yield* documentOf(
      invoice({
        LineItems: [
          line({ Quantity: 0.05, UnitAmount: -36, LineAmount: -1.8 }),
          { Description: "Thank you" },
          { UnitAmount: 0, TaxType: "NONE", TaxAmount: 0, LineAmount: 0 }
        ]
      })
    )
    assert.deepStrictEqual(findings, [])
    assert.deepStrictEqual(plain(lines), [
      {
        description: "Consulting",
        quantity: "0.05",
        unitPrice: "-36",
        lineAmount: "-1.8",
        taxes: [{ code: "OUTPUT", amount: "15" }]
      },
      { description: "Thank you", taxes: [] },
      { unitPrice: "0", lineAmount: "0", taxes: [{ code: "NONE", amount: "0" }] }
    ])
  })

  it.effect(
    "14: a line amount that differs from quantity × unit price is stated, and nothing is derived",
    function* () {
      const { lines } = yield* documentOf(
        invoice({ LineItems: [line({ Quantity: 1000, UnitAmount: 0.06, LineAmount: 61.17 })] })
      )
      const [only] = lines
      assert.deepStrictEqual(plain([only?.quantity, only?.unitPrice, only?.lineAmount, only?.discount]), [
        "1000",
        "0.06",
        "61.17",
        undefined
      ])
    }
  )

  it.effect(
    "15: discounts are the lines' rates or amounts; a discounted flag with rate 0 is not a discount",
    function* () {
      const { lines } = yield* documentOf(
        invoice({
          IsDiscounted: true,
          LineItems: [
            line({ DiscountRate: 10 }),
            line({ DiscountAmount: 3.33 }),
            line({ DiscountRate: 20, DiscountAmount: 2000, DiscountEnteredAsPercent: true }),
            line({ DiscountRate: 3.33, DiscountAmount: 3.33, DiscountEnteredAsPercent: false }),
            line({ DiscountRate: 0 })
          ]
        })
      )
      assert.deepStrictEqual(plain(lines.map(({ discount }) => discount)), [
        { percent: "10" },
        { amount: "3.33" },
        { percent: "20" },
        { amount: "3.33" },
        undefined
      ])
    }
  )

  it.effect(
    "17: tax types are not interpreted; overridden tax amounts and missing types are stated unchanged",
    function* () {
      const taxed = [
        line({ TaxType: "TAX001", TaxAmount: 8.25 }),
        line({ TaxType: "AVALARA" }),
        line({ TaxType: "NONE", TaxAmount: 12.35 }),
        without(line(), "TaxType"),
        line({ TaxType: " " })
      ]
      const { findings, lines } = yield* documentOf(invoice({ LineItems: taxed }))
      assert.deepStrictEqual(plain(lines.map(({ taxes }) => taxes)), [
        [{ code: "TAX001", amount: "8.25" }],
        [{ code: "AVALARA", amount: "15" }],
        [{ code: "NONE", amount: "12.35" }],
        [],
        []
      ])
      assert.deepStrictEqual(findings, [])
    }
  )

  it.effect("19: totals that flat rows repeat are read once and must agree", function* () {
    const row = {
      invoice_id: "a1",
      invoice_number: "INV-1",
      type: "ACCREC",
      status: "PAID",
      contact_name: "Baobab Traders",
      total: 230,
      line_amount: 100
    }
    const { findings, lines, totals } = yield* documentOf([row, row])
    assert.deepStrictEqual([lines.length, plain(totals), findings], [2, { total: "230" }, []])
    const conflict = yield* documentOf([row, { ...row, total: 231 }])
    assert.deepStrictEqual(codesOf(conflict.findings), ["XERO_ROWS_DISAGREE"])
  })

  it.effect("20: equal lines of one document stay two lines", function* () {
    const { lines } = yield* documentOf(invoice({ LineItems: [line(), line()] }))
    assert.strictEqual(lines.length, 2)
  })

  it.effect("22: a byte order mark, escaped slashes and text beyond ASCII", function* () {
    const text = JSON.stringify(invoice({ Contact: { Name: "Ţhé “Café” 🜁" }, DateString: null })).replaceAll("/", "\\/")
    const { buyer, date } = yield* documentOf(`\uFEFF${text}`)
    assert.deepStrictEqual([buyer?.name, date], ["Ţhé “Café” 🜁", "2026-03-05"])
  })

  it.effect("23: identifiers keep every digit and sign", function* () {
    const text = JSON.stringify(invoice({ InvoiceID: "#", InvoiceNumber: "0000001", Reference: "=1+1" }))
    const { id, number, reference } = yield* documentOf(text.replace('"#"', "2520018000000073144"))
    assert.deepStrictEqual([id, number, reference], ["2520018000000073144", "0000001", "=1+1"])
  })

  it.effect("24: a stub contact is completed from a contact file, and has no TIN without one", function* () {
    const files = { "contacts.json": JSON.stringify([contact()]), "invoices.json": JSON.stringify([invoice()]) }
    const [joined] = documentsIn(yield* read(inputOf(files), { tin: "TaxNumber" }))
    assert.deepStrictEqual(joined?.buyer, {
      id: joined!.buyer!.id!,
      name: "Baobab Traders",
      tin: "2000000001",
      phone: "+263 4 123456",
      address: { province: "HRE", street: "Samora Machel Avenue", houseNo: "7", city: "Harare" }
    })
    const alone = yield* documentOf(invoice(), { tin: "TaxNumber" })
    assert.deepStrictEqual(alone.buyer, { id: alone.buyer!.id!, name: "Baobab Traders" })
    assert.deepStrictEqual(codesOf(alone.findings), ["XERO_CONTACT_STUB"])
  })

  it.effect("24: a stub contact is completed from another document with the full contact", function* () {
    const inFull = invoice({ Contact: contact() })
    const older = { ...contact(), TaxNumber: "1111111111" }
    const files = {
      "page.json": JSON.stringify({ Invoices: [invoice(), invoice({ InvoiceID: "2", InvoiceNumber: "INV-0002" })] }),
      "details.json": JSON.stringify({ Invoices: [inFull] })
    }
    const [stub, other, full] = documentsIn(yield* read(inputOf(files), { tin: "TaxNumber" }))
    assert.strictEqual(stub && wording(stub), full && wording(full))
    assert.deepStrictEqual(other?.buyer, full?.buyer)
    assert.deepStrictEqual(codesOf([...stub!.findings, ...other!.findings]), [])
    assert.strictEqual(stub?.where(["buyer", "tin"]).file, "details.json")
    const beside = { ...files, "contacts.json": JSON.stringify([older]) }
    const [fromFile] = documentsIn(yield* read(inputOf(beside), { tin: "TaxNumber" }))
    assert.strictEqual(fromFile?.buyer?.tin, "1111111111", "a contact file goes first")
  })

  it.effect(
    "25: any currency code is accepted, and a document repeated on another page is the same document",
    function* () {
      assert.strictEqual((yield* documentOf(invoice({ CurrencyCode: "ZWG" }))).currency, "ZWG")
      assert.isUndefined((yield* documentOf(invoice({ CurrencyCode: "" }))).currency)
      const page = JSON.stringify({ Invoices: [invoice()] })
      const [first, second] = documentsIn(yield* read(inputOf({ "page-1.json": page, "page-2.json": page })))
      assert.strictEqual(first?.id, second?.id)
      assert.strictEqual(first && fingerprint(first), second && fingerprint(second))
    }
  )
})

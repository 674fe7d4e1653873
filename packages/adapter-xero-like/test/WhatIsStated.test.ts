/**
 * Proves that no statement of an export is overruled silently: issued state, buyers, lines, keys,
 * days, and records other than invoices.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import type { Finding } from "../../core/src/finding/Finding.ts"
import type { Reading } from "../../core/src/source/Adapter.ts"
import { Effect } from "effect"
import type { XeroLikeOptions } from "../src/options/XeroLikeOptions.ts"
import { codesOf, documentOf, documentsIn, inputOf, read, readingsOf } from "./Fixture.ts"
import { contact, creditNote, invoice, line, without } from "./Sample.ts"

const skippedIn = (readings: ReadonlyArray<Reading>) =>
  readings.flatMap((reading) => (reading._tag === "Skipped" ? [`${reading.key}: ${reading.reason}`] : []))
const straysIn = (readings: ReadonlyArray<Reading>): ReadonlyArray<Finding> =>
  readings.filter((reading) => reading._tag === "Finding")

describe("the issued status of a document", () => {
  const codes = (fields: object, options?: XeroLikeOptions) =>
    Effect.map(readingsOf(invoice({ ...fields }), options), (readings) =>
      documentsIn(readings).flatMap(({ findings }) => (findings.length === 0 ? ["issued"] : codesOf(findings)))
    )

  it.effect.each([
    { AmountPaid: 115 },
    { AmountCredited: "1.00" },
    { FullyPaidOnDate: "/Date(1772668800000+0000)/" },
    { SentToContact: true }
  ])("is contradicted by a sign of issue in a draft or a document under approval, which is refused", (signal) =>
    Effect.gen(function* () {
      for (const Status of ["DRAFT", "SUBMITTED"]) {
        assert.deepStrictEqual(yield* codes({ Status, ...signal }), ["XERO_STATUS_CONTRADICTED"])
        assert.deepStrictEqual(yield* codes({ Status, ...signal }, { statuses: { [Status]: "skip" } }), [])
        assert.deepStrictEqual(yield* codes({ Status, ...signal }, { statuses: { [Status]: "issued" } }), ["issued"])
      }
    })
  )

  it.effect("is not changed by zero amounts", function* () {
    const unsent = { Status: "DRAFT", AmountPaid: 0, AmountCredited: "0.00", SentToContact: false }
    assert.deepStrictEqual(yield* codes(unsent), [])
  })

  it.effect(
    "conflicts with an error mark: an issued record is refused; a draft, or a record never created, is skipped",
    function* () {
      for (const mark of [
        { HasErrors: true },
        { StatusAttributeString: "ERROR" },
        { ValidationErrors: [{ Message: "x" }] }
      ]) {
        assert.deepStrictEqual(yield* codes(mark), ["XERO_MARKED_AS_ERROR"])
        assert.deepStrictEqual(yield* codes({ ...mark, InvoiceID: "00000000-0000-0000-0000-000000000000" }), [])
        assert.deepStrictEqual(yield* codes({ ...mark, Status: "DRAFT" }), [])
      }
    }
  )

  it.effect("comes with the time of the last change and the document's id for every record of a sale", function* () {
    const changed = { UpdatedDateUTC: "/Date(1573755038314)/" }
    const [issued, draft, voided] = yield* readingsOf([
      invoice(changed),
      invoice({ ...changed, Status: "DRAFT" }),
      invoice({ UpdatedDateUTC: "2019-11-14T18:10:38.314Z", Status: "VOIDED" })
    ])
    const document = { kind: "invoice", id: "6f9d2a10-0000-4000-8000-000000000001", number: "INV-0001" }
    for (const reading of [issued, draft, voided]) {
      assert.isTrue(reading !== undefined && reading._tag !== "Finding" && reading.modified === 1573755038314)
    }
    if (draft?._tag !== "Skipped" || voided?._tag !== "Skipped") return assert.fail("not skipped")
    assert.deepStrictEqual([draft.document, draft.cancelled], [document, undefined])
    assert.deepStrictEqual([voided.document, voided.cancelled], [document, document])
  })
})

describe("a buyer", () => {
  const found = (
    documents: ReadonlyArray<object>,
    contacts: ReadonlyArray<object> | undefined,
    options?: XeroLikeOptions
  ) =>
    Effect.map(
      read(
        inputOf({
          "invoices.json": JSON.stringify(documents),
          ...(contacts && { "contacts.json": JSON.stringify({ Contacts: contacts }) })
        }),
        options
      ),
      (readings) => documentsIn(readings).map(({ buyer, findings }) => [buyer?.name, ...codesOf(findings)].join(" "))
    )
  const id = contact().ContactID
  const tin = { tin: "TaxNumber" } as const
  const asStated = { missingContacts: "as-stated" } as const

  it.effect("without a name is not a walk-in, unless the options allow it", function* () {
    const nameless = [without(invoice(), "Contact"), invoice({ Contact: { ContactID: id } }), invoice({ Contact: {} })]
    assert.deepStrictEqual(yield* found(nameless, undefined), Array(3).fill(" XERO_BUYER_MISSING"))
    assert.deepStrictEqual(yield* found(nameless, undefined, asStated), ["", "", ""])
    assert.deepStrictEqual(yield* found([nameless[1]!], [contact()]), ["Baobab Traders"])
  })

  it.effect("whose contact is missing from the contacts is refused, unless the options allow it", function* () {
    const other = [contact({ ContactID: "another" })]
    assert.deepStrictEqual(yield* found([invoice()], other), ["Baobab Traders XERO_CONTACT_UNRESOLVED"])
    assert.deepStrictEqual(yield* found([invoice()], undefined, tin), ["Baobab Traders XERO_CONTACT_STUB"])
    assert.deepStrictEqual(yield* found([invoice()], other, { ...tin, ...asStated }), ["Baobab Traders"])
    assert.deepStrictEqual(yield* found([invoice({ Contact: contact() })], other, tin), ["Baobab Traders"])
  })

  it.effect("with two contacts of one id has the latest contact, and is reported if none is later", function* () {
    const changed = (name: string, time?: number) =>
      contact({ Name: name, ...(time !== undefined && { UpdatedDateUTC: `/Date(${time})/` }) })
    const stub = [invoice({ Contact: { ContactID: id } })]
    assert.deepStrictEqual(yield* found(stub, [changed("New", 2), changed("Old", 1)]), ["New"])
    assert.deepStrictEqual(yield* found(stub, [changed("Old", 1), changed("New", 2)]), ["New"])
    assert.deepStrictEqual(yield* found(stub, [changed("One"), changed("Two")]), ["Two XERO_CONTACTS_DIFFER"])
    assert.deepStrictEqual(yield* found(stub, [changed("One"), changed("Two")], asStated), ["Two XERO_CONTACTS_DIFFER"])
    assert.deepStrictEqual(yield* found(stub, [changed("One"), changed("One")]), ["One"])
  })

  it.effect("with different numbers in the document and in its contact is refused", function* () {
    const documents = [invoice({ Contact: contact({ TaxNumber: "2000000009" }) })]
    assert.deepStrictEqual(yield* found(documents, [contact()], tin), ["Baobab Traders XERO_CONTACTS_DIFFER"])
  })
})

describe("a line, an id or a date", () => {
  const row = {
    invoice_id: "a1",
    invoice_number: "INV-1",
    contact_name: "Baobab Traders",
    type: "ACCREC",
    status: "PAID",
    line_item_id: "l1",
    line_amount: 100
  }

  it.effect("of two rows with one line id is read once if the rows agree, and refused otherwise", function* () {
    const same = yield* documentOf([row, row])
    assert.deepStrictEqual([same.lines.length, codesOf(same.findings)], [1, []])
    const other = yield* documentOf([row, { ...row, line_amount: 50 }])
    assert.deepStrictEqual(codesOf(other.findings), ["XERO_LINES_DIFFER"])
    assert.strictEqual(other.findings[0]?.detail, "LineAmount 100 and 50")
  })

  it.effect("without the stated discount of the document refuses the document", function* () {
    const discounted = (fields: Parameters<typeof line>[0]) => invoice({ TotalDiscount: 10, LineItems: [line(fields)] })
    assert.deepStrictEqual(codesOf((yield* documentOf(discounted({}))).findings), ["XERO_DISCOUNTS_DIFFER"])
    assert.deepStrictEqual(codesOf((yield* documentOf(discounted({ DiscountRate: 10 }))).findings), [])
    assert.deepStrictEqual(codesOf((yield* documentOf(invoice({ TotalDiscount: 0 }))).findings), [])
  })

  it.effect(
    "with a discount rate and a discount amount must have the same discount, or the line is refused",
    function* () {
      const discounted = (amount: number) =>
        invoice({ LineItems: [line({ DiscountRate: 10, DiscountAmount: amount })] })
      assert.deepStrictEqual(codesOf((yield* documentOf(discounted(10))).findings), [])
      assert.deepStrictEqual(codesOf((yield* documentOf(discounted(12))).findings), ["XERO_DISCOUNTS_DIFFER"])
    }
  )

  it.effect("keeps invisible characters of ids and numbers", function* () {
    const { id, number } = yield* documentOf(invoice({ InvoiceID: "a\u200b", InvoiceNumber: "\u00a0INV-1 " }))
    assert.deepStrictEqual([id, number], ["a\u200b", "\u00a0INV-1"])
  })

  it.effect(
    "with a time of day and an offset is not a day, and two dates of one record must be the same day",
    function* () {
      const dated = (fields: object) =>
        Effect.map(documentOf({ ...without(invoice(), "Date", "DateString"), ...fields }), ({ date, findings }) => [
          date,
          ...codesOf(findings)
        ])
      assert.deepStrictEqual(yield* dated({ Date: "2026-03-05T22:00:00+02:00" }), [undefined, "XERO_DATE_TIME_OF_DAY"])
      const moved = { DateString: "2026-03-05T00:00:00", Date: "2026-03-04T22:00:00.000Z" }
      assert.deepStrictEqual(yield* dated(moved), ["2026-03-05"])
      const other = { DateString: "2026-03-05T00:00:00", Date: "2026-03-04" }
      assert.deepStrictEqual(yield* dated(other), ["2026-03-05", "XERO_DATES_DIFFER"])
    }
  )
})

describe("a record that is not an invoice", () => {
  it.effect.each([
    { list: "Quotes", id: "QuoteID", what: "quotations" },
    { list: "PurchaseOrders", id: "PurchaseOrderID", what: "purchase orders" },
    { list: "Receipts", id: "ReceiptID", what: "receipts of expenses" },
    { list: "RepeatingInvoices", id: "RepeatingInvoiceID", what: "templates of invoices" }
  ])("is refused: $list as $what, in a list of that name or not", ({ id, list, what }) =>
    Effect.gen(function* () {
      const records = [
        { [id]: "1", LineItems: [line()], Total: 1 },
        { [id]: "2", LineItems: [line()], Total: 1 }
      ]
      for (const content of [{ [list]: records }, records]) {
        const strays = straysIn(yield* readingsOf(content))
        assert.deepStrictEqual(
          strays.map(({ code, message }) => `${code} ${message}`),
          [`XERO_NO_INVOICES the list holds ${what}, no invoices or credit notes`]
        )
      }
    })
  )

  it.effect("of received money is reported as such, one by one", function* () {
    const received = (n: number) => ({ BankTransactionID: `b${n}`, Type: "RECEIVE", Reference: `R-${n}`, Total: 115 })
    const spent = { BankTransactionID: "b3", Type: "SPEND", Total: 5 }
    const readings = yield* readingsOf({ BankTransactions: [received(1), received(2), spent] })
    assert.deepStrictEqual(skippedIn(readings), [
      "R-1: money received, which is not an invoice (RECEIVE)",
      "R-2: money received, which is not an invoice (RECEIVE)",
      "banktransactions: neither invoices nor credit notes"
    ])
    assert.deepStrictEqual(codesOf(straysIn(readings)), ["XERO_MONEY_RECEIVED", "XERO_MONEY_RECEIVED"])
  })

  it.effect("of a credit note keeps its time of change as an invoice does", function* () {
    const { modified } = yield* documentOf(creditNote({ UpdatedDateUTC: "2021-08-31T00:00:00+00:00" }))
    assert.strictEqual(modified, Date.parse("2021-08-31T00:00:00Z"))
  })
})

describe("an unread field", () => {
  const wordsOf = (fields: object) =>
    Effect.map(readingsOf(invoice({ ...fields })), (readings) =>
      documentsIn(readings).flatMap((document) =>
        (document.words ?? []).map(({ name, text }, i) => `${name} ${text} ${document.where(["words", i]).pointer}`)
      )
    )

  it.effect("is a word of the document or of a line if the vocabulary knows its name, and has its place", function* () {
    assert.deepStrictEqual(
      yield* wordsOf({
        Voided: "yes",
        InvoiceStatus: "DRAFT",
        LineItems: [line(), line({ Taxable: false, Type: "x" })]
      }),
      ["Voided yes /Voided", "InvoiceStatus DRAFT /InvoiceStatus", "Taxable false /LineItems/1/Taxable"]
    )
  })

  it.effect("does not occur in an invoice as the API returns it", function* () {
    assert.deepStrictEqual(yield* wordsOf({}), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Equal, Option, Result, Schema } from "effect"
import { CreditNote } from "../../src/document/CreditNote.ts"
import { type FiscalDocument, idOf, numberOf, stamp } from "../../src/document/FiscalDocument.ts"
import { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import { Invoice } from "../../src/document/Invoice.ts"
import * as WireCodec from "../../src/document/WireCodec.ts"
import { creditNote, invoice } from "./GeneratedDocuments.ts"
import { seeded } from "../Property.ts"

const money = BigDecimal.fromStringUnsafe
const date = Option.getOrThrow(Instant.parse("2026-01-31T08:00:01+02:00"))

const anInvoice: FiscalDocument = {
  kind: "invoice",
  payload: {
    invoiceId: InvoiceId.make("a1b2"),
    invoiceNumber: DocumentNumber.make("INV-0042"),
    reference: "PO 7 / Müller & Söhne",
    isDiscounted: true,
    isTaxInclusive: false,
    buyerContact: {
      name: 'Example "Stores"',
      tradeName: null,
      tin: "1234567890",
      vatNumber: "123456789",
      phone: null,
      email: "accounts@example.test",
      address: { province: "HA", street: "Main Road", houseNo: "12", city: "Harbour" }
    },
    date,
    lineItems: [
      {
        description: "Widget, large",
        unitAmount: money("0.061170"),
        taxCode: TaxCode.make("VAT15"),
        productCode: "12345678",
        lineAmount: money("56.1"),
        discountAmount: money("5.07"),
        quantity: money("1000"),
        customFields: null
      },
      {
        description: "Bücher\n日本",
        unitAmount: money("12345678901234567.89"),
        taxCode: TaxCode.make("ZERO"),
        productCode: null,
        lineAmount: money("12345678901234567.89"),
        discountAmount: null,
        quantity: money("1.0"),
        customFields: null
      }
    ],
    paymentMethod: "Card",
    subTotal: money("12345678901234623.99"),
    totalTax: money("8.42"),
    total: money("12345678901234632.41"),
    currencyCode: CurrencyCode.make("USD"),
    isRetry: false
  }
}

const aCreditNote: FiscalDocument = {
  kind: "credit-note",
  payload: {
    creditNoteId: CreditNoteId.make("c9"),
    originalInvoiceId: InvoiceId.make("a1b2"),
    creditNoteNumber: DocumentNumber.make("CN-3"),
    reference: "Damaged on arrival",
    isDiscounted: false,
    isTaxInclusive: true,
    buyerContact: null,
    date,
    lineItems: [
      {
        description: null,
        unitAmount: money("11.50"),
        taxCode: TaxCode.make("VAT15"),
        productCode: "12345678",
        lineAmount: money("28.75"),
        discountAmount: null,
        quantity: money("2.5"),
        customFields: null
      }
    ],
    paymentMethod: null,
    subTotal: money("25"),
    totalTax: money("3.75"),
    total: money("28.75"),
    currencyCode: CurrencyCode.make("USD"),
    isRetry: true
  }
}

describe("the request body", () => {
  it("of an invoice equals the text in interface.md, character by character", () => {
    assert.strictEqual(
      WireCodec.encode(anInvoice),
      '{"InvoiceId":"a1b2","InvoiceNumber":"INV-0042","Reference":"PO 7 / Müller & Söhne",' +
        '"IsDiscounted":true,"IsTaxInclusive":false,' +
        '"BuyerContact":{"Name":"Example \\"Stores\\"","TradeName":null,"Tin":"1234567890","VatNumber":"123456789",' +
        '"Phone":null,"Email":"accounts@example.test",' +
        '"Address":{"Province":"HA","Street":"Main Road","HouseNo":"12","City":"Harbour"}},' +
        '"Date":"2026-01-31T08:00:01+02:00",' +
        '"LineItems":[{"Description":"Widget, large","UnitAmount":0.06117,"TaxCode":"VAT15","ProductCode":"12345678",' +
        '"LineAmount":56.10,"DiscountAmount":5.07,"Quantity":1000,"CustomFields":null},' +
        '{"Description":"Bücher\\n日本","UnitAmount":12345678901234567.89,"TaxCode":"ZERO","ProductCode":null,' +
        '"LineAmount":12345678901234567.89,"DiscountAmount":null,"Quantity":1,"CustomFields":null}],' +
        '"PaymentMethod":"Card","SubTotal":12345678901234623.99,"TotalTax":8.42,"Total":12345678901234632.41,' +
        '"CurrencyCode":"USD","IsRetry":false}'
    )
  })

  it("of a credit note has its three extra fields, and omits an unstated payment method", () => {
    assert.strictEqual(
      WireCodec.encode(aCreditNote),
      '{"CreditNoteId":"c9","OriginalInvoiceId":"a1b2","CreditNoteNumber":"CN-3","Reference":"Damaged on arrival",' +
        '"IsDiscounted":false,"IsTaxInclusive":true,"BuyerContact":null,"Date":"2026-01-31T08:00:01+02:00",' +
        '"LineItems":[{"Description":null,"UnitAmount":11.5,"TaxCode":"VAT15","ProductCode":"12345678",' +
        '"LineAmount":28.75,"DiscountAmount":null,"Quantity":2.5,"CustomFields":null}],' +
        '"SubTotal":25.00,"TotalTax":3.75,"Total":28.75,"CurrencyCode":"USD","IsRetry":true}'
    )
  })

  it.prop(
    "decodes to the document that it was written from",
    { invoice, creditNote },
    ({ creditNote, invoice }) => {
      for (const document of [invoice, creditNote]) {
        const read = Result.getOrThrow(WireCodec.decode(document.kind, WireCodec.encode(document)))
        assert.isTrue(Equal.equals(read, document), WireCodec.encode(document))
        assert.strictEqual(WireCodec.encode(read), WireCodec.encode(document))
      }
    },
    seeded()
  )

  it.prop(
    "equals the schema's encoding, except for the absent payment method",
    { invoice, creditNote },
    (generated) => {
      const encoded = {
        invoice: Schema.encodeUnknownSync(Invoice)(generated.invoice.payload),
        creditNote: Schema.encodeUnknownSync(CreditNote)(generated.creditNote.payload)
      }
      for (const name of ["invoice", "creditNote"] as const) {
        const bySchema = literally(JSON.stringify(encoded[name]))
        if (bySchema["PaymentMethod"] === null) delete bySchema["PaymentMethod"]
        assert.deepStrictEqual(literally(WireCodec.encode(generated[name])), bySchema)
      }
    },
    seeded()
  )
})

/** Parses JSON with every number as its source text. */
const literally = (text: string): Record<string, unknown> =>
  JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? `number ${context?.source}` : value
  )

describe("decoding a body", () => {
  const body = WireCodec.encode(anInvoice)

  it("keeps numbers that are written as strings", () => {
    const quoted = body.replaceAll(/"(\w+)":(\d[\d.]*)/g, '"$1":"$2"')
    assert.isTrue(Equal.equals(Result.getOrThrow(WireCodec.decode("invoice", quoted)), anInvoice))
  })

  it("names the field that does not match, without quoting its value", () => {
    const damaged = body.replace('"Total":12345678901234632.41', '"Total":"Somebody"')
    const problem = Option.getOrThrow(Result.getFailure(WireCodec.decode("invoice", damaged)))
    assert.include(problem.toLowerCase(), '["total"]')
    assert.notInclude(problem, "Somebody")
  })

  it("does not accept an invoice as a credit note", () => {
    assert.isTrue(Result.isFailure(WireCodec.decode("credit-note", body)))
    assert.isTrue(Result.isFailure(WireCodec.decode("invoice", WireCodec.encode(aCreditNote))))
  })

  it.each(["", "{", "null", "[]", '"text"', "<html>"])("fails on %j without throwing", (text) => {
    assert.isTrue(Result.isFailure(WireCodec.decode("invoice", text)))
  })
})

describe("a document before its receipt date", () => {
  it("is identified by its own id and number", () => {
    assert.deepStrictEqual([idOf(anInvoice), numberOf(anInvoice)], ["a1b2", DocumentNumber.make("INV-0042")])
    assert.deepStrictEqual([idOf(aCreditNote), numberOf(aCreditNote)], ["c9", DocumentNumber.make("CN-3")])
  })

  it("is completed by a date and by a flag for repeated attempts", () => {
    const later = Option.getOrThrow(Instant.parse("2026-02-01T00:00:00+02:00"))
    for (const document of [anInvoice, aCreditNote]) {
      const retried = stamp(document, later, "retry")
      assert.strictEqual(retried.kind, document.kind)
      assert.isTrue(Equal.equals(retried.payload, { ...document.payload, date: later, isRetry: true }))
      assert.isFalse(stamp(document, later, "first").payload.isRetry)
    }
  })
})

/** Peculiarities of QuickBooks-shaped exports, each in a small export. */
import { adapter, type QuickBooksLikeOptions } from "@fiscal-connector/adapter-quickbooks-like"
import * as Money from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"

const lineOf = (code: string) => ({
  Id: "1",
  Description: "Lamp",
  Amount: 100,
  DetailType: "SalesItemLineDetail",
  SalesItemLineDetail: { Qty: 1, UnitPrice: 100, TaxCodeRef: { value: code } }
})

const invoice = (changes: object) => ({
  Id: "1",
  DocNumber: "A-1",
  TxnDate: "2026-03-02",
  CurrencyRef: { value: "USD" },
  CustomerRef: { value: "24", name: "Mwamba" },
  Line: [lineOf("TAX")],
  TotalAmt: 108,
  ...changes
})

const rate = { TaxRateRef: { value: "5" }, TaxPercent: 8, NetAmountTaxable: 100 }
const due = { TxnTaxCodeRef: { value: "3" }, TotalTax: 8, TaxLine: [{ Amount: 8, TaxLineDetail: rate }] }
const lists = {
  TaxCode: [{ Id: "3", SalesTaxRateList: { TaxRateDetail: [{ TaxRateRef: { value: "5" } }] } }],
  TaxRate: [{ Id: "5", RateValue: 8 }]
}

/**
 * Reads the records, by collection. Returns documents with their line taxes and their refusals, and
 * the reasons of all other readings.
 */
const read = (records: object, options: QuickBooksLikeOptions = {}) => {
  const bytes = Stream.succeed(new TextEncoder().encode(JSON.stringify({ QueryResponse: records })))
  return Stream.runCollect(adapter.read({ files: [{ name: "f.json", bytes }] }, options)).pipe(
    Effect.map((readings) =>
      readings.map((reading) => {
        if (reading._tag === "Skipped") return `skipped, ${reading.reason}`
        if (reading._tag === "Finding") return reading.message
        const findings: ReadonlyArray<string> = reading.findings.map(({ message }) => message)
        return {
          kind: reading.kind,
          id: reading.id,
          taxes: reading.lines.flatMap(({ taxes }) =>
            taxes.map(({ code, percent }) => `${code} ${percent ? Money.formatPlain(percent) : "?"}`)
          ),
          originals: reading.originals,
          findings
        }
      })
    )
  )
}

const as = { kind: "invoice", id: "Invoice-1", originals: [], findings: [] } as const

/** Returns the findings of the only document of an export. */
const found = (records: object) =>
  Effect.map(read(records), ([document]) =>
    typeof document === "object" ? document.findings : assert.fail("there is no document")
  )

describe("a QuickBooks-like export of the United States", () => {
  it.effect("has the document's tax code on lines marked TAX, and no tax code on lines marked NON", function* () {
    const both = invoice({ Line: [lineOf("TAX"), lineOf("NON")], TxnTaxDetail: due, TotalAmt: 208 })
    assert.deepStrictEqual(yield* read({ Invoice: [both], ...lists }), [{ ...as, taxes: ["TAX 3 8", "NON ?"] }])
  })

  it.effect("is refused if its total in the company's currency is not its total at the rate", function* () {
    const at = (HomeTotalAmt: number) => ({
      Invoice: [invoice({ TxnTaxDetail: due, ExchangeRate: 1.5, HomeTotalAmt })],
      ...lists
    })
    assert.deepStrictEqual(yield* found(at(162)), [])
    assert.deepStrictEqual(yield* found(at(108)), ["HomeTotalAmt is not what the document adds up to"])
  })

  it.effect("states TAX if the document has tax and no code, so that the book decides", function* () {
    const plain = invoice({ TxnTaxDetail: { TotalTax: 8 } })
    assert.deepStrictEqual(yield* read({ Invoice: [plain], ...lists }), [{ ...as, taxes: ["TAX ?"] }])
  })

  it.effect("is refused if a line is marked TAX and the document has neither code nor tax", function* () {
    for (const detail of [{}, { TxnTaxDetail: { TotalTax: 0 } }]) {
      assert.deepStrictEqual(yield* found({ Invoice: [invoice({ ...detail, TotalAmt: 100 })] }), [
        "the line is marked TAX, and the document has neither a tax code nor tax"
      ])
    }
  })
})

describe("a QuickBooks-like record", () => {
  it.effect("with only a part of a document is refused", function* () {
    assert.deepStrictEqual(yield* found({ Invoice: [invoice({ sparse: true, TxnTaxDetail: due })], ...lists }), [
      "this is only a part of the document"
    ])
  })

  it.effect("of a refund names no sale, even if payments are linked", function* () {
    const refund = invoice({ CustomerRef: undefined, TxnTaxDetail: due })
    const linked = {
      Id: "9",
      Line: [
        {
          LinkedTxn: [
            { TxnId: "1", TxnType: "CreditMemo" },
            { TxnId: "7", TxnType: "Invoice" }
          ]
        }
      ]
    }
    assert.deepStrictEqual(yield* read({ RefundReceipt: [refund], Payment: [linked], ...lists }), [
      { ...as, kind: "credit-note", id: "RefundReceipt-1", taxes: ["TAX 3 8"] }
    ])
    const [memo] = yield* read({ CreditMemo: [refund], Payment: [linked], ...lists }, { missingCustomers: "as-stated" })
    const originals = typeof memo === "object" ? memo.originals : undefined
    assert.deepStrictEqual(originals, [{ by: "id", value: "Invoice-7" }])
  })

  it.effect("that was voided or emptied is skipped; a note that only begins with Voided refuses it", function* () {
    const nought = { Line: [{ ...lineOf("NON"), Amount: 0 }], TotalAmt: 0 }
    assert.deepStrictEqual(
      yield* read({ Invoice: [invoice({ PrivateNote: "Voided" }), invoice({ ...nought, Id: "2" })] }),
      ["skipped, voided", "skipped, every amount in it is nought, as in one that was voided"]
    )
    assert.deepStrictEqual(
      yield* found({ Invoice: [invoice({ PrivateNote: "Voided the old one", TxnTaxDetail: due })] }),
      ["the note begins with Voided, and the amounts are still there"]
    )
  })

  it.effect("with a discount on a line, a discount over two tax codes, or a wrong amount is refused", function* () {
    const cheap = lineOf("TAX")
    const own = { ...cheap, SalesItemLineDetail: { ...cheap.SalesItemLineDetail, DiscountRate: 10 } }
    const onLine = yield* found({ Invoice: [invoice({ Line: [own], TxnTaxDetail: due })] })
    assert.include(onLine, "a discount on a line is not read")
    const discount = { Amount: 10, DetailType: "DiscountLineDetail", DiscountLineDetail: { PercentBased: false } }
    const over = yield* found({
      Invoice: [invoice({ Line: [cheap, lineOf("NON"), discount], TxnTaxDetail: due, TotalAmt: 198 })]
    })
    assert.include(over, "a discount over lines of several tax codes: TAX, NON")
    const [wrong] = yield* found({ Invoice: [invoice({ TxnTaxDetail: due, TotalAmt: 109 })] })
    assert.match(wrong!, /TotalAmt/)
  })
})

/** Returns the values that no option maps, each with its possible answers. */
const unmapped = (options: QuickBooksLikeOptions & { readonly unmapped?: "unread" }) => {
  const line = {
    ...lineOf("TAX"),
    SalesItemLineDetail: { ...lineOf("TAX").SalesItemLineDetail, ItemRef: { value: "4", name: "Lamp" } }
  }
  const records = {
    Invoice: [invoice({ Line: [line], TxnTaxDetail: due })],
    Customer: [{ Id: "24", DisplayName: "Mwamba", BusinessNumber: "2000111222", ResaleNum: null }],
    ...lists
  }
  const bytes = Stream.succeed(new TextEncoder().encode(JSON.stringify({ QueryResponse: records })))
  return Effect.map(Stream.runCollect(adapter.read({ files: [{ name: "f.json", bytes }] }, options)), ([document]) =>
    document?._tag === "SourceDocument"
      ? (document.words ?? []).map(({ answers, text }, i) => [text, document.where(["words", i]).pointer, answers?.[0]])
      : []
  )
}

describe("unmapped numbers of a customer and names of items", () => {
  it.effect("are stated with their places, so that no default replaces them", function* () {
    assert.deepStrictEqual(yield* unmapped({}), [
      ["2000111222", "/QueryResponse/Customer/0/BusinessNumber", { settings: { tin: "BusinessNumber" } }],
      [
        "Lamp",
        "/QueryResponse/Invoice/0/Line/0/SalesItemLineDetail/ItemRef/name",
        { settings: { productCode: "item-name" } }
      ]
    ])
  })

  it.effect("are not stated if an option maps them or leaves them unread", function* () {
    assert.deepStrictEqual(yield* unmapped({ vatNumber: "BusinessNumber", productCode: "item-id" }), [])
    assert.deepStrictEqual(yield* unmapped({ unmapped: "unread" }), [])
  })
})

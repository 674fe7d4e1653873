import { assert, describe, it } from "../../core/test/It.ts"
import { formatPlain } from "../../core/src/document/Money.ts"
import { defineAdapter } from "@fiscal-connector/adapter-kit"
import type { SourceDocument } from "../../core/src/source/SourceDocument.ts"
import { Effect, Stream } from "effect"

const adapter = defineAdapter({
  name: "shop",
  none: ["n/a"],
  async *read(file, kit) {
    for await (const record of kit.json.items(file, "/*")) {
      const kind = record.choice("type", { sale: "invoice" })
      yield kit.document(record, {
        kind,
        id: record.text("id"),
        date: record.date("date"),
        currency: record.text("/currency/code"),
        taxMode: "exclusive",
        lines: record.each("lines", (line) => ({ unitPrice: line.decimal("price"), taxCode: line.text("tax") }))
      })
    }
  }
})

const bytesOf = (records: ReadonlyArray<object>) => ({
  files: [{ name: "a.json", bytes: Stream.succeed(new TextEncoder().encode(JSON.stringify(records))) }]
})

const documentOf = (more: object, line: object = {}, options: { readonly unmapped?: "unread" } = {}) => {
  const record = {
    type: "sale",
    id: "S-1",
    date: "2026-03-02",
    currency: { code: "USD" },
    lines: [
      { price: "1.00", tax: "A" },
      { price: "2.00", tax: "A", ...line }
    ],
    ...more
  }
  return Effect.map(
    Stream.runCollect(adapter.read(bytesOf([record]), options)),
    ([document]) => document as SourceDocument
  )
}

const read = (...given: Parameters<typeof documentOf>) =>
  Effect.map(documentOf(...given), (document) => {
    const { where, words = [] } = document
    return words.map(({ line, name, subject, text }, i) => {
      const at = where.call(document, ["words", i])
      return [subject, name, text, ...(line === undefined ? [] : [line]), at.pointer ?? ""]
    })
  })

describe("a field that the adapter does not read", () => {
  it.effect("is a number of the document in any form, also inside objects, and with its sum in lines", function* () {
    const document = yield* documentOf(
      { due: "$1,230.50", back: "(5.00)", note: "5 days", sums: { net: "7.00 USD", "deep er": { x: 2 } }, id2: "A1" },
      { weight: "4.50", size: { cm: 9 } }
    )
    assert.deepStrictEqual(
      document.amounts?.map(({ name, values }, i) => [
        name,
        values.map(formatPlain).join(),
        document.where(["amounts", i]).pointer
      ]),
      [
        ["due", "1230.5", "/0/due"],
        ["back", "-5", "/0/back"],
        ["net", "7", "/0/sums/net"],
        ["x", "2", "/0/sums/deep er/x"],
        ["weight", "4.5", "/0/lines/1/weight"],
        ["cm", "9", "/0/lines/1/size/cm"]
      ]
    )
  })

  it.effect("is a word of the document if the vocabulary knows its name", function* () {
    assert.deepStrictEqual(yield* read({ Voided: true, invoiceStatus: "Draft", note: "Was voided", tags: ["void"] }), [
      ["unissued", "Voided", "true", "/0/Voided"],
      ["status", "invoiceStatus", "Draft", "/0/invoiceStatus"]
    ])
  })

  it.effect("is a word of the document if its whole value states that nothing was sold, under any name", function* () {
    assert.deepStrictEqual(
      yield* read({ x_a: "CANCELLED", x_b: "Purchase invoice", x_c: "Credit note", x_d: "paid", x_e: "order" }),
      [
        ["status", "x_a", "CANCELLED", "/0/x_a"],
        ["kind", "x_b", "Purchase invoice", "/0/x_b"],
        ["kind", "x_c", "Credit note", "/0/x_c"]
      ]
    )
    assert.deepStrictEqual(yield* read({}, { x_a: "CANCELLED" }), [])
  })

  it.effect("is a word of its line if it belongs to a line", function* () {
    assert.deepStrictEqual(yield* read({}, { taxable: false, type: "refund" }), [
      ["taxable", "taxable", "false", 1, "/0/lines/1/taxable"]
    ])
  })

  it.effect("is not a word if it is empty, or if the adapter reads it or a part of it", function* () {
    assert.deepStrictEqual(yield* read({ Voided: null, state: " ", deleted: "n/a" }), [])
  })

  it.effect("has the code or name of the referenced record", function* () {
    assert.deepStrictEqual(
      (yield* read({ currency_id: [1, "ZAR"], company_id: { name: "Own Ltd" } })).map(([, , text]) => text),
      ["ZAR", "Own Ltd"]
    )
  })
})

describe("a value that only an operator can map", () => {
  it.effect(
    "is a number of the buyer, in the document or in a buyer object, or a code of the item in a line",
    function* () {
      const buyer = { name: "Ada", vat: "220088812", since: "2026" }
      assert.deepStrictEqual(
        yield* read(
          { tax_id: "2000000001", customer: buyer },
          { sku: "LAMP-1", item: { code: 7, "HS Code": "85131000" } }
        ),
        [
          ["buyer-number", "tax_id", "2000000001", "/0/tax_id"],
          ["buyer-name", "customer", "Ada", "/0/customer"],
          ["buyer-number", "vat", "220088812", "/0/customer/vat"],
          ["item-code", "sku", "LAMP-1", 1, "/0/lines/1/sku"],
          ["item-code", "HS Code", "85131000", 1, "/0/lines/1/item/HS Code"]
        ]
      )
      const { words = [] } = yield* documentOf({ tax_id: "2000000001" })
      assert.deepStrictEqual(words[0]?.answers, [{ settings: { unmapped: "unread" } }])
    }
  )

  it.effect("is ignored if the operator chooses so, or if the adapter reads it at any depth", function* () {
    assert.deepStrictEqual(yield* read({ tax_id: "2000000001" }, {}, { unmapped: "unread" }), [])
    const reading = defineAdapter({
      name: "reading",
      async *read(file, kit) {
        for await (const record of kit.json.items(file, "/*"))
          yield kit.document(record, {
            kind: "invoice",
            id: record.text("id"),
            date: record.date("date"),
            taxMode: "exclusive",
            buyer: { name: record.text("/customer/name"), vatNumber: record.optional.text("/customer/vat") },
            lines: []
          })
      }
    })
    const record = { id: "1", date: "2026-03-02", customer: { name: "Ada", vat: "220088812", tin: "2000000001" } }
    const [document] = yield* Stream.runCollect(reading.read(bytesOf([record]), {}))
    assert.deepStrictEqual(
      (document as SourceDocument).words?.map(({ name }) => name),
      ["tin"]
    )
  })
})

describe("an unread discount of the document", () => {
  it.effect("is stated as an unread amount, with its place", function* () {
    const document = yield* documentOf({ discount_total: "5.00", TotalDiscount: null, total_discount: "much" })
    assert.deepStrictEqual(
      document.amounts?.map(({ name, values }) => [name, ...values.map(formatPlain)]),
      [["discount_total", "5"]]
    )
    assert.strictEqual(document.where(["amounts", 0]).pointer, "/0/discount_total")
  })
})

describe("a date that is only compared", () => {
  const due = defineAdapter({
    name: "due",
    async *read(file, kit) {
      for await (const record of kit.json.items(file, "/*")) {
        const id = record.text("id")
        record.warn("note", "somebody should look at it")
        yield kit.document(record, {
          kind: "invoice",
          id,
          date: record.date("date"),
          due: record.compared("due"),
          currency: record.text("currency"),
          taxMode: "exclusive",
          lines: []
        })
      }
    }
  })
  const found = (record: object) =>
    Effect.map(Stream.runCollect(due.read(bytesOf([record]), {})), ([document]) => {
      const { due, findings } = document as SourceDocument
      return [due, ...findings.map(({ code, path }) => `${code} ${path.join(".")}`.trim())]
    })

  it.effect("is absent if it is unreadable, and does not suppress other findings", function* () {
    const stated = { id: "1", date: "2026-03-02", due: "2026-04-02" }
    const missing = ["EXPORT_VALUE_DOUBTFUL", "EXPORT_VALUE_MISSING currency"]
    assert.deepStrictEqual(yield* found(stated), ["2026-04-02", ...missing])
    assert.deepStrictEqual(yield* found({ ...stated, due: undefined }), [undefined, ...missing])
    assert.deepStrictEqual(yield* found({ ...stated, due: "soon" }), [undefined, ...missing])
  })
})

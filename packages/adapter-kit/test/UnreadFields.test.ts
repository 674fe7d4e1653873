import { assert, describe, it } from "@effect/vitest"
import { defineAdapter } from "@fiscal-connector/adapter-kit"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
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

const read = (more: object, line: object = {}) => {
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
  const bytes = Stream.succeed(new TextEncoder().encode(JSON.stringify([record])))
  return Effect.map(Stream.runCollect(adapter.read({ files: [{ name: "a.json", bytes }] }, {})), ([document]) => {
    const { where, words = [] } = document as SourceDocument
    return words.map(({ line, name, subject, text }, i) => {
      const at = where.call(document, ["words", i])
      return [subject, name, text, ...(line === undefined ? [] : [line]), at.pointer ?? ""]
    })
  })
}

describe("a field that the adapter does not look at", () => {
  it.effect("is a word of the document, where the vocabulary knows its name", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ Voided: true, invoiceStatus: "Draft", note: "Voided", tags: ["void"] }), [
        ["unissued", "Voided", "true", "/0/Voided"],
        ["status", "invoiceStatus", "Draft", "/0/invoiceStatus"]
      ])
    })
  )

  it.effect("is one of its line, where it stands there", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({}, { taxable: false, type: "refund" }), [
        ["taxable", "taxable", "false", 1, "/0/lines/1/taxable"]
      ])
    })
  )

  it.effect("is none where it is empty, and none where the adapter reads it or looks into it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ Voided: null, state: " ", deleted: "n/a" }), [])
    })
  )

  it.effect("says the code or name of what it refers to", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        (yield* read({ currency_id: [1, "ZAR"], company_id: { name: "Own Ltd" } })).map(([, , text]) => text),
        ["ZAR", "Own Ltd"]
      )
    })
  )
})

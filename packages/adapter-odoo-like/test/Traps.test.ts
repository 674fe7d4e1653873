/** Peculiarities of Odoo-shaped exports, each in a small export. */
import { adapter, type OdooLikeOptions } from "@fiscal-connector/adapter-odoo-like"
import * as Money from "../../core/src/document/Money.ts"
import type { Reading } from "../../core/src/source/Adapter.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"

const move = {
  id: 1,
  name: "INV/1",
  move_type: "out_invoice",
  state: "posted",
  payment_state: "not_paid",
  invoice_date: "2026-03-02",
  currency_id: [1, "USD"],
  partner_id: [41, "Mwamba"],
  amount_untaxed: 100,
  amount_tax: 15.5,
  amount_total: 115.5,
  invoice_line_ids: [11]
}

const line = {
  id: 11,
  move_id: [1, "INV/1"],
  display_type: "product",
  name: "Desk",
  quantity: 1,
  price_unit: 100,
  price_subtotal: 100,
  price_total: 115.5,
  tax_ids: [5]
}

const tax = { id: 5, name: "VAT 15.5 %", amount_type: "percent", amount: 15.5, price_include: false }

const models = (changes: { readonly move?: object; readonly line?: object; readonly tax?: object } = {}) => ({
  "account.move": [{ ...move, ...changes.move }],
  "account.move.line": [{ ...line, ...changes.line }],
  "account.tax": [{ ...tax, ...changes.tax }]
})

const read = (records: object, options: OdooLikeOptions = {}): Effect.Effect<ReadonlyArray<Reading>, unknown> => {
  const bytes = Stream.succeed(new TextEncoder().encode(JSON.stringify(records)))
  return Stream.runCollect(adapter.read({ files: [{ name: "f.json", bytes }] }, options))
}

/** Returns the reasons for refusing the first document; its tax mode if no reason exists. */
const said = (records: object, options?: OdooLikeOptions) =>
  Effect.map(read(records, options), ([first]) => {
    if (first?._tag === "Skipped") return [`skipped, ${first.reason}`]
    if (first?._tag !== "SourceDocument") return [String(first?.message)]
    const found = first.findings.map(({ message }) => message)
    return found.length > 0 ? found : [first.taxMode]
  })

const exactly = (expected: string, records: object, options?: OdooLikeOptions) =>
  Effect.map(said(records, options), (found) => assert.deepStrictEqual(found, [expected]))

describe("an Odoo-like export", () => {
  it.effect(
    "states for each tax whether prices include it, in the words of its version, or else by the company's setting",
    function* () {
      const included = { price_unit: 115.5 }
      yield* exactly("exclusive", models())
      yield* exactly("inclusive", models({ line: included, tax: { price_include: true } }))
      yield* exactly("inclusive", models({ line: included, tax: { price_include_override: "tax_included" } }))
      const open = models({ line: included, tax: { price_include: undefined, price_include_override: false } })
      yield* exactly("the tax 5 does not say whether prices include it", open)
      yield* exactly("inclusive", open, { amounts: "inclusive" })
    }
  )

  it.effect("is refused if its signed totals are those of the other kind", function* () {
    yield* exactly("exclusive", models({ move: { amount_total_signed: 3005.2, amount_untaxed_signed: 2600 } }))
    const other = "amount_total_signed has the sign of a credit note"
    yield* exactly(other, models({ move: { amount_total_signed: -115.5 } }))
  })

  it.effect("is refused if taxes of both kinds are mixed, are not percents, or are missing", function* () {
    const both = {
      ...models({ line: { tax_ids: [5, 6] } }),
      "account.tax": [tax, { ...tax, id: 6, price_include: true }]
    }
    yield* exactly("some prices include their tax and others do not", both)
    yield* exactly("a tax of the kind fixed is not read", models({ tax: { amount_type: "fixed" } }))
    yield* exactly("account.tax 7 is not in the export", models({ line: { tax_ids: [7] } }))
  })

  it.effect("is refused without lines, with a line of another document, or with a cash rounding line", function* () {
    const bare = models({ move: { invoice_line_ids: [], amount_untaxed: 0, amount_tax: 0, amount_total: 0 } })
    assert.include(yield* said({ ...bare, "account.move.line": [] }), "the export has no lines of the document")
    yield* exactly("the line 11 is listed by the document 1 and belongs to another one", {
      ...models({ line: { move_id: [2, "INV/2"] } })
    })
    assert.include(yield* said(models({ line: { display_type: "rounding" } })), "cash rounding is not read")
  })

  it.effect("is refused if its own list omits one of its lines; postings are not in the list", function* () {
    const other = { ...line, id: 12, name: "Lamp" }
    const of = (fields: object) => ({ ...models(), "account.move.line": [line, { ...other, ...fields }] })
    yield* exactly("the line 12 belongs to the document, and its list of lines omits it", of({}))
    yield* exactly("exclusive", of({ display_type: "tax" }))
  })

  it.effect(
    "is refused if amounts differ from its totals; amounts in the company's currency are distinguished",
    function* () {
      assert.match((yield* said(models({ move: { amount_total: 116 } })))[0]!, /amount_total/)
      const [document] = yield* read(models({ move: { amount_total_signed: 4000, company_currency_id: [2, "ZWG"] } }))
      assert.strictEqual(document?._tag === "SourceDocument" ? document.currency : undefined, "USD")
      const total = document?._tag === "SourceDocument" ? document.totals?.total : undefined
      assert.strictEqual(total && Money.formatPlain(total), "115.5")
    }
  )

  it.effect(
    "reports why drafts, cancelled documents, bills and entries are not sent; a paid draft is refused",
    function* () {
      yield* exactly("skipped, draft", models({ move: { state: "draft" } }))
      yield* exactly(
        "it is a draft, and its payment_state is paid",
        models({ move: { state: "draft", payment_state: "paid" } })
      )
      yield* exactly("skipped, cancelled", models({ move: { state: "cancel" } }))
      yield* exactly("skipped, a bill, which is a purchase", models({ move: { move_type: "in_invoice" } }))
      yield* exactly("a posted document has no number yet", models({ move: { name: "/" } }))
    }
  )
})

/** Returns the values that no option maps, each with its possible answers. */
const unmapped = (options: OdooLikeOptions & { readonly unmapped?: "unread" }) =>
  Effect.map(
    read(
      {
        ...models({ line: { product_id: [3, "[FURN-7] Desk"] } }),
        "res.partner": [{ id: 41, name: "Mwamba", vat: "220088812", company_registry: false }]
      },
      options
    ),
    ([document]) =>
      document?._tag === "SourceDocument"
        ? (document.words ?? []).map(({ answers, text }, i) => [
            text,
            document.where(["words", i]).pointer,
            answers?.[0]
          ])
        : []
  )

describe("unmapped numbers of a partner and codes of products", () => {
  it.effect("are stated with their places, so that no default replaces them", function* () {
    assert.deepStrictEqual(yield* unmapped({}), [
      ["220088812", "/res.partner/0/vat", { settings: { tin: "vat" } }],
      ["FURN-7", "/account.move.line/0/product_id/1", { settings: { productCode: "default-code" } }]
    ])
  })

  it.effect("are not stated if an option maps them or leaves them unread", function* () {
    assert.deepStrictEqual(yield* unmapped({ vatNumber: "vat", productCode: "default-code" }), [])
    assert.deepStrictEqual(yield* unmapped({ unmapped: "unread" }), [])
  })
})

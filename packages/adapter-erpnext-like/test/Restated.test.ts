/** Totals that an ERPNext-shaped document states again, and fields that nothing reads. */
import { adapter } from "@fiscal-connector/adapter-erpnext-like"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"

const invoice = {
  doctype: "Sales Invoice",
  name: "EX-A",
  docstatus: 1,
  customer: "CUST-1",
  customer_name: "Joe",
  posting_date: "2026-03-02",
  currency: "EUR",
  conversion_rate: 1.08,
  total: 100,
  net_total: 100,
  total_taxes_and_charges: 15,
  grand_total: 115,
  rounded_total: 0,
  rounding_adjustment: 0,
  items: [{ item_name: "Lamp", qty: 1, rate: 100, amount: 100, net_amount: 100, item_tax_rate: "{}" }],
  taxes: [
    {
      charge_type: "On Net Total",
      account_head: "VAT15",
      description: "VAT",
      rate: 15,
      included_in_print_rate: 0,
      tax_amount: 15,
      tax_amount_after_discount_amount: 15,
      total: 115
    }
  ]
}

const read = (changes: object) =>
  Effect.map(
    Stream.runCollect(
      adapter.read(
        {
          files: [
            {
              name: "f.json",
              bytes: Stream.succeed(new TextEncoder().encode(JSON.stringify([{ ...invoice, ...changes }])))
            }
          ]
        },
        {}
      )
    ),
    (readings) =>
      readings.flatMap((reading) =>
        reading._tag === "SourceDocument"
          ? reading.findings.map(({ message }) => message)
          : reading._tag === "Finding"
            ? [reading.message]
            : []
      )
  )

describe("totals that are stated again", () => {
  it.effect("that agree refuse nothing", function* () {
    const agreeing = { base_grand_total: 124.21, base_net_total: 108, base_total: 108 }
    assert.deepStrictEqual(yield* read(agreeing), [])
    assert.deepStrictEqual(yield* read({ rounded_total: 115, ...agreeing }), [])
  })

  it.effect.each([
    [{ rounded_total: 120 }, "rounded_total"],
    [{ base_grand_total: 103.5 }, "base_grand_total"],
    [{ base_net_total: 90 }, "base_net_total"]
  ] as const)("that differ refuse the document: %o", ([changes, field]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read(changes), [`${field} is not what the document adds up to`])
    })
  )
})

describe("a field that nothing reads", () => {
  it.effect("is named, in the document and in its lines", function* () {
    const [item] = invoice.items
    assert.deepStrictEqual(
      yield* read({
        in_words: "EUR Two Hundred only.",
        items: [{ ...item, is_free_item: 1 }],
        pickup: { fee: 12.5 }
      }),
      ['not read: numbers "pickup/fee" 12.5; the same everywhere "items/is_free_item" 1, "in_words"']
    )
  })
})

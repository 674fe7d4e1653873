import { assert, describe, it } from "../../core/test/It.ts"
import { adapter } from "../src/XeroLikeAdapter.ts"
import { inputOf, plain } from "./Fixture.ts"
import { invoice, line } from "./Sample.ts"

describe("draftBook", () => {
  it.effect("counts the spellings of issued documents, with up to three examples", function* () {
    const documents = [
      ...[1, 2, 3, 4].map((n) =>
        invoice({
          InvoiceNumber: `INV-${n}`,
          CurrencyCode: n === 4 ? "ZWG" : "USD",
          LineItems: [line(), line(), line({ TaxType: "NONE" })],
          Payments: n === 1 ? [{ Account: { Code: "090" } }] : []
        })
      ),
      invoice({ Status: "DRAFT", CurrencyCode: "EUR", LineItems: [line({ TaxType: "INPUT" })] }),
      invoice({ Type: "ACCPAY", LineItems: [line({ TaxType: "INPUT2" })] })
    ]
    const rates = [
      { TaxType: "OUTPUT", EffectiveRate: 15 },
      { TaxType: "UNUSED", EffectiveRate: 5 }
    ]
    const input = inputOf({
      "export.json": JSON.stringify(documents),
      "rates.json": JSON.stringify({ TaxRates: rates })
    })
    const draft = yield* adapter.draftBook(input, { paymentMethod: "paying-account" })
    const examples = ["INV-1", "INV-2", "INV-3"]
    assert.deepStrictEqual(plain(draft), {
      taxes: [
        { spelling: "OUTPUT", count: 8, examples, percents: ["15"] },
        { spelling: "NONE", count: 4, examples }
      ],
      currencies: [
        { spelling: "USD", count: 3, examples },
        { spelling: "ZWG", count: 1, examples: ["INV-4"] }
      ],
      payments: [{ spelling: "090", count: 1, examples: ["INV-1"] }]
    })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { refuses } from "../../src/finding/Finding.ts"
import { translate } from "../../src/translate/translate.ts"
import { formatAmount } from "../../src/document/Money.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"
import * as TaxShares from "../../src/import/TaxShares.ts"
import { bookWith, lenient, source } from "../translate/GeneratedSources.ts"
import { seeded } from "../Property.ts"

const books = (["per-group", "per-line", "as-inclusive"] as const).map((rounding) =>
  bookWith({ policies: lenient, rounding })
)

describe("the shares of a document's taxes", () => {
  it.prop(
    "add up to its net amount, tax and total in every rounding mode",
    { source },
    ({ source }) => {
      for (const book of books) {
        const { findings, translated } = translate(source, book)
        if (findings.some(refuses) || translated?.completeness !== "complete") continue
        const { document } = translated
        const shares = TaxShares.of(WrittenDocument.of(document), TaxShares.percentsOf(book))
        const sum = (figure: "net" | "tax" | "total") =>
          formatAmount(BigDecimal.sumAll((shares ?? []).map((share) => share[figure])))
        const { subTotal, total, totalTax } = document.payload
        assert.deepStrictEqual(
          [sum("net"), sum("tax"), sum("total")],
          [subTotal, totalTax, total].map((figure) => formatAmount(figure))
        )
      }
    },
    seeded({ runs: 300 })
  )
})

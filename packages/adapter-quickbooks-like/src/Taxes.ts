import type { Item, TaxFields } from "@fiscal-connector/adapter-kit"
import { Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import type { QuickBooksJoined } from "./Joined.ts"

export interface Taxes {
  readonly total: Money.Money | undefined
  of(line: Item, code: string | undefined, gross: Money.Money | undefined, net: Money.Money): ReadonlyArray<TaxFields>
}

const halfCent = BigDecimal.make(5n, 3)
const hundredth = BigDecimal.make(1n, 2)

export const taxesOf = (row: Item, { percents, rates }: QuickBooksJoined): Taxes => {
  const total = row.has("/TxnTaxDetail/TotalTax") ? row.decimal("/TxnTaxDetail/TotalTax") : undefined
  // in the United States a line only says if it is taxed; the document names the tax
  const documentCode = row.optional.text("/TxnTaxDetail/TxnTaxCodeRef/value")
  const stated = new Map<string, Money.Money | "differ">()
  // each line of the document is rounded separately
  const rounding = BigDecimal.multiply(
    halfCent,
    BigDecimal.make(BigInt(row.quietly().optional.each("Line", () => 1).length), 0)
  )
  const lines = row.optional.each("/TxnTaxDetail/TaxLine", (line) => {
    const detail = line.optional.item("TaxLineDetail")
    const [rate, percent] = [detail?.optional.text("/TaxRateRef/value"), detail?.optional.decimal("TaxPercent")]
    const amount = line.decimal("Amount")
    const taxable = detail?.optional.decimal("NetAmountTaxable")
    if (percent !== undefined && taxable !== undefined) {
      const due = BigDecimal.multiply(BigDecimal.multiply(taxable, percent), hundredth)
      line.hold("Amount", { sum: [due], within: rounding })
    }
    if (rate !== undefined && percent !== undefined) {
      const known = stated.get(rate)
      stated.set(
        rate,
        known === undefined || (known !== "differ" && BigDecimal.equals(known, percent)) ? percent : "differ"
      )
    }
    return { amount }
  })
  if (lines.length > 0) row.hold("/TxnTaxDetail/TotalTax", { sum: lines.map(({ amount }) => amount) })

  const percentOf = (code: string | undefined): Money.Money | undefined => {
    const rate = code === undefined ? undefined : rates.get(code)
    const percent = rate === undefined || rate === "several" ? undefined : (stated.get(rate) ?? percents.get(rate))
    return percent === "differ" ? undefined : percent
  }

  return {
    total,
    of: (line, code, gross, net) => {
      const amount = gross === undefined ? undefined : BigDecimal.subtract(gross, net)
      if (code === undefined) return []
      if (code === "TAX") {
        if (documentCode !== undefined)
          return [{ code: `TAX ${documentCode}`, percent: percentOf(documentCode), amount }]
        if (total === undefined || BigDecimal.equals(total, Money.zero))
          line.refuse(
            "/SalesItemLineDetail/TaxCodeRef/value",
            "the line is marked TAX, and the document has neither a tax code nor tax",
            "Choose the document's tax in the source and export it again."
          )
      }
      return [{ code, percent: percentOf(code), amount }]
    }
  }
}

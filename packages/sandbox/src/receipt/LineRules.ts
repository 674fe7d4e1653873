import * as BigDecimal from "effect/BigDecimal"
import { everyLine, type Rule } from "./Rule.ts"
import * as TaxGroup from "./TaxGroup.ts"

const zero = BigDecimal.fromBigInt(0n)
const cent = BigDecimal.make(1n, 2)

export const lineRules: ReadonlyArray<Rule> = [
  {
    code: "RCPT016",
    color: "red",
    check: ({ receipt }) => (receipt.lines.length === 0 ? "the receipt has no lines" : undefined)
  },
  {
    code: "RCPT021",
    color: "red",
    check: everyLine((line, { context, taxDate }) => {
      const percent = TaxGroup.taxAt(context.taxes, line.taxId, context.zone, taxDate)?.taxPercent
      return context.taxpayer === "not-vat-registered" && percent !== undefined && BigDecimal.isPositive(percent)
        ? "tax above 0 % by a taxpayer who is not registered for VAT"
        : undefined
    })
  },
  {
    code: "RCPT022",
    color: "red",
    check: everyLine((line) =>
      BigDecimal.isPositive(line.unitAmount) ? undefined : "the unit price is not greater than 0"
    )
  },
  {
    code: "RCPT023",
    color: "red",
    check: everyLine((line) =>
      BigDecimal.isPositive(line.quantity) ? undefined : "the quantity is not greater than 0"
    )
  },
  {
    code: "RCPT024",
    color: "red",
    check: everyLine((line) => {
      const product = BigDecimal.subtract(
        BigDecimal.multiply(line.unitAmount, line.quantity),
        line.discountAmount ?? zero
      )
      const off = BigDecimal.abs(BigDecimal.subtract(line.lineAmount, product))
      return BigDecimal.isGreaterThan(off, cent) ? "the amount is not price x quantity - discount" : undefined
    })
  },
  {
    code: "RCPT025",
    color: "red",
    check: everyLine((line, { context, taxDate }) => {
      const tax = TaxGroup.taxAt(context.taxes, line.taxId, context.zone, taxDate)
      if (tax === undefined) return `tax ${line.taxId} is not among the device's applicable taxes`
      return TaxGroup.isValid(tax, context.zone, taxDate) ? undefined : `tax ${line.taxId} is not valid on the date`
    })
  },
  {
    code: "RCPT047",
    color: "red",
    check: everyLine((line) => (line.productCode === null ? "the HS code is missing" : undefined))
  },
  {
    code: "RCPT048",
    color: "red",
    check: everyLine((line, { context, taxDate }) => {
      if (line.productCode === null || /^\d{8}$/.test(line.productCode)) return undefined
      if (!/^\d{4}$/.test(line.productCode)) return "the HS code is not 8 or 4 digits long"
      const percent = TaxGroup.taxAt(context.taxes, line.taxId, context.zone, taxDate)?.taxPercent
      return percent === undefined || BigDecimal.isZero(percent)
        ? "the HS code of a line at 0 % or exempt is not 8 digits long"
        : undefined
    })
  }
]

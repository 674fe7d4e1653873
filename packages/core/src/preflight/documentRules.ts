/**
 * One entry per code (docs/gateway.md#rules), in decimal arithmetic, with the tolerances of DOC-7.
 * Pure.
 */
import { BigDecimal } from "effect"
import * as CurrencyPlaces from "../document/CurrencyPlaces.ts"
import type { LineItem } from "../document/LineItem.ts"
import * as Money from "../document/Money.ts"
import * as Rounding from "../translate/Rounding.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import type { Translated } from "../translate/Translated.ts"
import * as R from "../finding/ReceiptRule.ts"
import type { Rule, Violation } from "../finding/Rule.ts"

/** Cached, because two rules use the groups of the same document. */
export interface Tolerances {
  /** Tolerance for sums and group taxes; 0 by default, at most 0.02. */
  readonly sums: Money.Money
  readonly lineProduct: Money.Money
}

/** A rule that needs only the document. `totals` rules apply only to a complete document. */
export interface DocumentRule {
  readonly rule: Rule
  readonly scope: "document" | "totals"
  check(translated: Translated, tolerances: Tolerances): Iterable<Violation>
}

const { formatAmount, formatPlain } = Money

const differs = (a: Money.Money, b: Money.Money, tolerance: Money.Money) => !Money.within(a, b, tolerance)

const none: ReadonlyArray<Violation> = []

const eachLine =
  (
    breach: (line: LineItem, translated: Translated, tolerances: Tolerances) => Omit<Violation, "path"> | undefined,
    field: string
  ): DocumentRule["check"] =>
  (translated, tolerances) => {
    const { lineItems } = translated.document.payload
    let violations: Array<Violation> | undefined
    for (let i = 0; i < lineItems.length; i++) {
      const violation = breach(lineItems[i]!, translated, tolerances)
      if (violation === undefined) continue
      violations ??= []
      violations.push({ ...violation, path: [...(translated.origins[i] ?? ["lines", i]), field] })
    }
    return violations ?? none
  }

const when = (breach: boolean, violation: () => Violation): ReadonlyArray<Violation> => (breach ? [violation()] : none)

const basisOf = ({ document }: Translated): Rounding.Basis =>
  document.payload.isTaxInclusive ? "inclusive" : "exclusive"

let lastGroups: { readonly of: Translated; readonly groups: ReadonlyArray<Rounding.TaxGroup> } | undefined

/**
 * Returns the device's tax groups, cached because two rules use the groups of the same document.
 */
const groupsOf = (translated: Translated): ReadonlyArray<Rounding.TaxGroup> => {
  if (lastGroups?.of !== translated) lastGroups = { of: translated, groups: madeGroups(translated) }
  return lastGroups.groups
}

const madeGroups = (translated: Translated) =>
  Rounding.groups(
    translated.document.payload.lineItems,
    ({ taxCode }) => translated.taxes.get(taxCode),
    basisOf(translated)
  )

const sumOf = (amounts: Iterable<Money.Money>) => BigDecimal.sumAll(amounts)
const lineSum = ({ document }: Translated) => Rounding.sumOf(document.payload.lineItems)

let lastWhole = "00000000"

const isWhole = (productCode: string): boolean => {
  if (productCode === lastWhole) return true
  const isWhole = /^\d{8}$/.test(productCode)
  if (isWhole) lastWhole = productCode
  return isWhole
}

/**
 * Last guard against too many decimal places, whatever computed the figure: the gateway rejects the
 * body (DOC-8).
 */
const PRECISION: Rule = { ...TranslateFinding.PRECISION_EXCEEDED, color: "refuse" }

export const documentRules: ReadonlyArray<DocumentRule> = [
  {
    rule: PRECISION,
    scope: "document",
    check: ({ deviceCurrency, document, origins }) => {
      const { lineItems, subTotal, total, totalTax } = document.payload
      const places = CurrencyPlaces.of(deviceCurrency)
      const found: Array<Violation> = []
      const amount = (path: Violation["path"], field: string, number: Money.Money | null, most: number) => {
        if (number === null || number.scale <= most || BigDecimal.normalize(number).scale <= most) return
        found.push({ path, message: `${field} has more than ${most} decimal places`, detail: formatPlain(number) })
      }
      amount(["totals", "net"], "net", subTotal, places)
      amount(["totals", "tax"], "tax", totalTax, places)
      amount(["totals", "total"], "total", total, places)
      for (let i = 0; i < lineItems.length; i++) {
        const { discountAmount, lineAmount, quantity, unitAmount } = lineItems[i]!
        const origin = origins[i] ?? ["lines", i]
        amount([...origin, "lineAmount"], "lineAmount", lineAmount, places)
        amount([...origin, "discount"], "discount", discountAmount, places)
        amount([...origin, "quantity"], "quantity", quantity, 6)
        amount([...origin, "unitPrice"], "unitPrice", unitAmount, 6)
      }
      return found
    }
  },
  {
    rule: R.RCPT016,
    scope: "totals",
    check: ({ document }) => when(document.payload.lineItems.length === 0, () => ({ path: ["lines"] }))
  },
  {
    rule: R.RCPT017,
    scope: "totals",
    check: eachLine((line, { taxes }) => (taxes.has(line.taxCode) ? undefined : { detail: line.taxCode }), "taxes")
  },
  {
    rule: R.RCPT019,
    scope: "totals",
    check: (translated) => {
      const { isTaxInclusive, total } = translated.document.payload
      if (!isTaxInclusive) return none
      const lines = lineSum(translated)
      return when(!BigDecimal.equals(total, lines), () => ({
        path: ["totals", "total"],
        detail: `lines ${formatAmount(lines)}, total ${formatAmount(total)}`
      }))
    }
  },
  {
    rule: R.RCPT022,
    scope: "document",
    check: eachLine(
      ({ unitAmount }) => (BigDecimal.isPositive(unitAmount) ? undefined : { detail: formatPlain(unitAmount) }),
      "unitPrice"
    )
  },
  {
    rule: R.RCPT023,
    scope: "document",
    check: eachLine(
      ({ quantity }) => (BigDecimal.isPositive(quantity) ? undefined : { detail: formatPlain(quantity) }),
      "quantity"
    )
  },
  {
    rule: R.RCPT024,
    scope: "document",
    check: eachLine(({ discountAmount, lineAmount, quantity, unitAmount }, _, { lineProduct }) => {
      const due = BigDecimal.subtract(BigDecimal.multiply(quantity, unitAmount), discountAmount ?? Money.zero)
      if (!differs(due, lineAmount, lineProduct)) return undefined
      const discount = discountAmount === null ? "" : ` − ${formatAmount(discountAmount)}`
      const product = `${formatPlain(quantity)} × ${formatPlain(unitAmount)}${discount}`
      return { detail: `${product} = ${formatAmount(due)}, stated ${formatAmount(lineAmount)}` }
    }, "lineAmount")
  },
  {
    rule: R.RCPT026,
    scope: "totals",
    check: (translated, { sums }) => {
      const { totalTax } = translated.document.payload
      const due = sumOf(groupsOf(translated).map(({ taxAmount }) => taxAmount))
      return when(differs(totalTax, due, sums), () => ({
        path: ["totals", "tax"],
        detail: `the device computes ${formatAmount(due)}, the document says ${formatAmount(totalTax)}`
      }))
    }
  },
  {
    rule: R.RCPT027,
    scope: "totals",
    check: ({ document: { payload } }) => {
      const due = BigDecimal.subtract(payload.total, payload.totalTax)
      return when(!BigDecimal.equals(payload.subTotal, due), () => ({
        path: ["totals", "net"],
        detail: `${formatAmount(payload.total)} − ${formatAmount(payload.totalTax)} = ${formatAmount(due)}, not ${formatAmount(payload.subTotal)}`
      }))
    }
  },
  {
    rule: R.RCPT034,
    scope: "document",
    check: ({ document }) =>
      when(document.kind === "credit-note" && (document.payload.reference ?? "").trim() === "", () => ({
        path: ["reason"]
      }))
  },
  {
    rule: R.RCPT037,
    scope: "totals",
    check: (translated) => {
      const { isTaxInclusive, total, totalTax } = translated.document.payload
      if (isTaxInclusive) return none
      const due = BigDecimal.sum(lineSum(translated), totalTax)
      return when(!BigDecimal.equals(total, due), () => ({
        path: ["totals", "total"],
        detail: `lines and tax ${formatAmount(due)}, total ${formatAmount(total)}`
      }))
    }
  },
  {
    rule: R.RCPT038,
    scope: "totals",
    check: (translated, { sums }) => {
      const { isTaxInclusive, total } = translated.document.payload
      const gross = sumOf(
        groupsOf(translated).map(({ amount, taxAmount }) =>
          isTaxInclusive ? amount : BigDecimal.sum(amount, taxAmount)
        )
      )
      return when(differs(total, gross, sums), () => ({
        path: ["totals", "total"],
        detail: `tax groups ${formatAmount(gross)}, total ${formatAmount(total)}`
      }))
    }
  },
  {
    rule: R.RCPT040,
    scope: "totals",
    check: ({ document: { payload } }) =>
      when(BigDecimal.isNegative(payload.total), () => ({
        path: ["totals", "total"],
        detail: formatAmount(payload.total)
      }))
  },
  {
    rule: R.RCPT043,
    scope: "document",
    check: ({ document: { payload } }) => {
      const { buyerContact } = payload
      if (buyerContact === null) return none
      if (buyerContact.name === null) {
        const fix =
          "State the name in the source; or set `policies.namelessBuyers` of the mapping book to `walk-in`, which sends the document without its buyer where neither a TIN nor a VAT number is stated."
        return [{ path: ["buyer", "name"], message: "the buyer has no name", fix }]
      }
      const isCash = buyerContact.name.startsWith("Cash")
      return when(buyerContact.tin === null && !isCash, () => ({
        path: ["buyer", "tin"],
        message: "the buyer has no TIN"
      }))
    }
  },
  {
    rule: R.RCPT047,
    scope: "document",
    check: eachLine(({ productCode }) => (productCode === null ? {} : undefined), "productCode")
  },
  {
    rule: R.RCPT048,
    scope: "document",
    check: eachLine(({ productCode, taxCode }, { taxes }) => {
      if (productCode === null || isWhole(productCode)) return undefined
      const tax = taxes.get(taxCode)
      const isTaxed = tax === undefined || (tax.percent !== null && BigDecimal.isPositive(tax.percent))
      return isTaxed && /^\d{4}$/.test(productCode) ? undefined : { detail: `"${productCode}"` }
    }, "productCode")
  }
]

/**
 * An invoice with its credit notes: what the source states of them now, less their receipts. Pure.
 * A credit note prepared here is a receipt without a document of the source.
 */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { Figures } from "./Account.ts"

/** Amounts of a family under one tax of the device. */
interface Sum {
  gross: Money.Money
  tax: Money.Money
}

/** Result of a comparison. `tax-cent`: the amounts agree, and the tax is off by at most a cent. */
export type Agreement = "same" | "tax-cent" | "other" | "not-known"

/** Collects families by the name of their invoice. */
export const make = () => {
  const families = new Map<string, Map<string, Sum>>()

  const plus = (family: string, figures: Figures, sign: 1 | -1) => {
    const own = families.get(family) ?? new Map<string, Sum>()
    families.set(family, own)
    const isAdded = (figures.kind === "invoice") === (sign === 1)
    const add = (sum: Money.Money, amount: Money.Money) => (isAdded ? BigDecimal.sum : BigDecimal.subtract)(sum, amount)
    for (const { device, gross, tax } of figures.shares) {
      const key = `${figures.currency} ${device ?? ""}`
      const sum = own.get(key) ?? { gross: Money.zero, tax: Money.zero }
      own.set(key, { gross: add(sum.gross, gross), tax: add(sum.tax, tax) })
    }
  }

  return {
    /** Adds a document: the figures that the source states now, null for none, and its receipt. */
    add: (family: string, stated: Figures | null, receipt: Figures): void => {
      if (stated !== null) plus(family, stated, 1)
      plus(family, receipt, -1)
    },
    /** Compares a family. `not-known`: nothing of it was added, or the tax of an amount is not known. */
    agreement: (family: string): Agreement => {
      const own = families.get(family)
      if (own === undefined || [...own.keys()].some((key) => key.endsWith(" "))) return "not-known"
      const sums = [...own.values()]
      if (sums.some(({ gross }) => !BigDecimal.isZero(gross))) return "other"
      const off = BigDecimal.sumAll(sums.map(({ tax }) => BigDecimal.abs(tax)))
      return BigDecimal.isZero(off) ? "same" : Money.within(off, Money.zero, Money.cent) ? "tax-cent" : "other"
    }
  }
}

/** The amount charged to the customer with tax, for documents without a stated total. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { SourceLine } from "../source/SourceDocument.ts"
import type { DraftLine } from "./DraftLine.ts"
import type { Basis } from "./Rounding.ts"

type LineTotals = NonNullable<SourceLine["totals"]>

export class Charged {
  private sum = Money.zero
  private isKnown = true
  private isStated = false

  add(
    amount: Money.Money,
    { statedTax, tax }: Pick<DraftLine, "statedTax" | "tax">,
    basis: Basis,
    { net, tax: wholeTax, total }: LineTotals = {}
  ): void {
    const taxAmount = wholeTax ?? statedTax
    if (total !== undefined) return this.take(total, "stated")
    if (net !== undefined && taxAmount !== undefined) return this.take(BigDecimal.sum(net, taxAmount), "stated")
    if (basis === "inclusive") return this.take(amount, "computed")
    if (taxAmount !== undefined) return this.take(BigDecimal.sum(amount, taxAmount), "stated")
    const isUntaxed = tax !== undefined && (tax.percent === null || BigDecimal.isZero(tax.percent))
    if (isUntaxed) this.take(amount, "computed")
    else this.isKnown = false
  }

  private take(charged: Money.Money, how: "stated" | "computed"): void {
    this.sum = BigDecimal.sum(this.sum, charged)
    this.isStated ||= how === "stated"
  }

  get total(): Money.Money | undefined {
    return this.isKnown && this.isStated ? Money.round(this.sum, 2) : undefined
  }
}

/** The amount charged to the customer with tax, for documents without a stated total. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { SourceLine } from "../source/SourceDocument.ts"
import type { DraftLine } from "./DraftLine.ts"
import * as Rounding from "./Rounding.ts"

type LineTotals = NonNullable<SourceLine["totals"]>

export class Charged {
  private sum = Money.zero
  private isKnown = true
  private isStated = false
  private isInCents = true
  private hasCharge = false

  add(
    amount: Money.Money,
    { statedTax, tax }: Pick<DraftLine, "statedTax" | "tax">,
    basis: Rounding.Basis,
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

  /** Adds a charge without a stated tax: a line whose tax is rounded like the stated ones. */
  addCharge(amount: Money.Money, { tax }: Pick<DraftLine, "tax">, basis: Rounding.Basis): void {
    this.hasCharge = true
    const due = tax === undefined || basis === "inclusive" ? Money.zero : Rounding.taxOn(amount, tax.percent, basis)
    this.take(BigDecimal.sum(amount, due), "computed")
  }

  private take(charged: Money.Money, how: "stated" | "computed"): void {
    this.sum = BigDecimal.sum(this.sum, charged)
    this.isStated ||= how === "stated"
    this.isInCents &&= BigDecimal.normalize(charged).scale <= 2
  }

  get total(): Money.Money | undefined {
    return this.isKnown && this.isStated && (this.isInCents || !this.hasCharge) ? Money.round(this.sum, 2) : undefined
  }
}

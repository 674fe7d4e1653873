/** Sum of what a document's lines and charges state with their tax: what the customer was charged, where no total of the document says it. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { SourceLine } from "../source/SourceDocument.ts"
import type { DraftLine } from "./DraftLine.ts"
import type { Basis } from "./Rounding.ts"

type Figures = NonNullable<SourceLine["totals"]>

export class Charged {
  private sum = Money.zero
  /** Whether every line or charge so far states its amount with tax. */
  private isKnown = true
  private isStated = false
  private figures = 0
  private places = 2

  /** Adds a line or a charge. `basis`: of its amount. */
  add(
    amount: Money.Money,
    { statedTax, tax }: Pick<DraftLine, "statedTax" | "tax">,
    basis: Basis,
    { net, tax: wholeTax, total }: Figures = {}
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
    this.figures++
    this.places = Math.max(this.places, BigDecimal.normalize(charged).scale)
  }

  /** Undefined where the lines do not state it. */
  get total(): Money.Money | undefined {
    return this.isKnown && this.isStated ? this.sum : undefined
  }

  /**
   * Whether the lines come to this total: to the cent, or rounded to it where they are stated to more places. `roundings`: how many taxes were
   * rounded for the total.
   */
  comesTo(total: Money.Money, roundings: () => number): boolean {
    if (this.places === 2) return BigDecimal.equals(this.sum, total)
    const ofFigures = BigDecimal.make(5n * BigInt(this.figures), this.places + 1)
    const ofTaxes = BigDecimal.multiply(halfCent, BigDecimal.make(BigInt(Math.max(roundings(), 1)), 0))
    return Money.within(this.sum, total, BigDecimal.sum(ofTaxes, ofFigures))
  }
}

const halfCent = BigDecimal.make(5n, 3)

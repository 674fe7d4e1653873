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
  }

  /** Sum of what the lines state, in cents. Undefined where the lines do not state it. */
  get total(): Money.Money | undefined {
    return this.isKnown && this.isStated ? Money.round(this.sum, 2) : undefined
  }
}

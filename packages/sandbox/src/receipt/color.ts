/**
 * The device's rules as one table, and a receipt's marks under them. Pure: the same receipt and context, the same marks.
 */
import { buyerRules } from "./BuyerRules.ts"
import { creditRules } from "./CreditRules.ts"
import { lineRules } from "./LineRules.ts"
import { orderRules } from "./OrderRules.ts"
import type { Receipt } from "./Receipt.ts"
import type { ColorContext, Mark, Rule } from "./Rule.ts"
import * as TaxGroup from "./TaxGroup.ts"
import { totalRules } from "./TotalRules.ts"

/** Every rule the device colours by, in the order of their codes (docs/gateway.md#rules). */
export const rules: ReadonlyArray<Rule> = [
  ...lineRules,
  ...totalRules,
  ...creditRules,
  ...orderRules,
  ...buyerRules
].toSorted((left, right) => (left.code < right.code ? -1 : 1))

/** When a receipt's taxes must be valid, in seconds since 1970: a credit note's on its original's date (DOC-15). */
const taxDate = (receipt: Receipt, context: ColorContext): number =>
  receipt.kind === "credit-note" && context.original !== undefined
    ? context.original.epochSeconds
    : receipt.date.epochSeconds

/** The device's tax groups of a receipt. */
export const taxGroups = (receipt: Receipt, context: ColorContext): ReadonlyArray<TaxGroup.TaxGroup> =>
  TaxGroup.groups(receipt, context.taxes, context.zone, taxDate(receipt, context))

/** The marks the device puts on a receipt; none when it breaks no rule. */
export const marksOf = (receipt: Receipt, context: ColorContext): ReadonlyArray<Mark> => {
  const subject = { receipt, context, groups: taxGroups(receipt, context), taxDate: taxDate(receipt, context) }
  return rules.flatMap((rule) => {
    const message = rule.check(subject)
    return message === undefined ? [] : [{ code: rule.code, colour: rule.colour, message }]
  })
}

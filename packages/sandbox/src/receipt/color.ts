/** The device's rules as one table. Pure: same receipt and context, same marks. */
import { buyerRules } from "./BuyerRules.ts"
import { creditRules } from "./CreditRules.ts"
import { lineRules } from "./LineRules.ts"
import { orderRules } from "./OrderRules.ts"
import type { Receipt } from "./Receipt.ts"
import type { ColorContext, ReceiptMark, Rule } from "./Rule.ts"
import * as TaxGroup from "./TaxGroup.ts"
import { totalRules } from "./TotalRules.ts"

/** All rules that mark receipts, in the order of their codes (docs/gateway.md#rules). */
export const rules: ReadonlyArray<Rule> = [
  ...lineRules,
  ...totalRules,
  ...creditRules,
  ...orderRules,
  ...buyerRules
].toSorted((left, right) => (left.code < right.code ? -1 : 1))

/**
 * Returns the instant at which a receipt's taxes must be valid, in seconds since 1970: for a credit
 * note, the date of its original (DOC-15).
 */
const taxDate = (receipt: Receipt, context: ColorContext): number =>
  receipt.kind === "credit-note" && context.original !== undefined
    ? context.original.epochSeconds
    : receipt.date.epochSeconds

export const taxGroups = (receipt: Receipt, context: ColorContext): ReadonlyArray<TaxGroup.TaxGroup> =>
  TaxGroup.groups(receipt, context.taxes, context.zone, taxDate(receipt, context))

export const marksOf = (receipt: Receipt, context: ColorContext): ReadonlyArray<ReceiptMark> => {
  const subject = { receipt, context, groups: taxGroups(receipt, context), taxDate: taxDate(receipt, context) }
  return rules.flatMap((rule) => {
    const message = rule.check(subject)
    return message === undefined ? [] : [{ code: rule.code, colour: rule.color, message }]
  })
}

/** A document without a buyer has a walk-in customer (DOC-3). */
import type { Buyer } from "../wire/Document.ts"
import type { Rule } from "./Rule.ts"

const problem = (buyer: Buyer): string | undefined => {
  if (buyer.Name === null) return "the buyer has no name"
  if (buyer.Tin === null && !buyer.Name.startsWith("Cash")) return "the buyer has no TIN"
  if (buyer.Tin !== null && !/^\d{10}$/.test(buyer.Tin)) return "the buyer's TIN is not 10 digits long"
  if (buyer.VatNumber !== null && !/^\d{9}$/.test(buyer.VatNumber)) return "the buyer's VAT number is not 9 digits long"
  return undefined
}

export const buyerRules: ReadonlyArray<Rule> = [
  {
    code: "RCPT043",
    color: "red",
    check: ({ receipt }) => (receipt.buyer === null ? undefined : problem(receipt.buyer))
  }
]

import * as BigDecimal from "effect/BigDecimal"
import type { Rule, RuleSubject } from "./Rule.ts"
import * as TaxGroup from "./TaxGroup.ts"

const sumOf = (amounts: ReadonlyArray<BigDecimal.BigDecimal>) => BigDecimal.sumAll(amounts)
const lineTotal = ({ receipt }: RuleSubject) => sumOf(receipt.lines.map((line) => line.lineAmount))
const taxTotal = ({ groups }: RuleSubject) => sumOf(groups.map((group) => group.tax))

const isOff = (
  stated: BigDecimal.BigDecimal,
  right: BigDecimal.BigDecimal,
  tolerance: BigDecimal.BigDecimal
): boolean => BigDecimal.isGreaterThan(BigDecimal.abs(BigDecimal.subtract(stated, right)), tolerance)

// Returns false if the device does not know a tax, and so cannot calculate the right amount;
// RCPT025 reports the unknown tax.
const isComputable = ({ context, receipt, taxDate }: RuleSubject): boolean =>
  receipt.lines.every((line) => TaxGroup.taxAt(context.taxes, line.taxId, context.zone, taxDate) !== undefined)

export const totalRules: ReadonlyArray<Rule> = [
  {
    code: "RCPT019",
    color: "red",
    check: (subject) =>
      subject.receipt.amounts === "inclusive" && !BigDecimal.equals(subject.receipt.total, lineTotal(subject))
        ? "the total is not the sum of the lines"
        : undefined
  },
  {
    code: "RCPT026",
    color: "red",
    check: (subject) =>
      isComputable(subject) && isOff(subject.receipt.totalTax, taxTotal(subject), subject.context.taxTolerance)
        ? "the tax is not what the device computes per tax"
        : undefined
  },
  {
    code: "RCPT027",
    color: "red",
    check: (subject) => {
      const { context, groups, receipt } = subject
      const net = sumOf(groups.map((group) => group.net))
      const isWrong =
        !BigDecimal.equals(receipt.subTotal, BigDecimal.subtract(receipt.total, receipt.totalTax)) ||
        (isComputable(subject) && isOff(receipt.subTotal, net, context.taxTolerance))
      return isWrong ? "the taxed amount is not total - tax" : undefined
    }
  },
  {
    code: "RCPT037",
    color: "red",
    check: (subject) =>
      subject.receipt.amounts === "exclusive" &&
      !BigDecimal.equals(subject.receipt.total, BigDecimal.sum(lineTotal(subject), subject.receipt.totalTax))
        ? "the total is not the sum of the lines and the stated tax"
        : undefined
  },
  {
    code: "RCPT038",
    color: "red",
    check: (subject) =>
      subject.receipt.amounts === "exclusive" &&
      isComputable(subject) &&
      isOff(subject.receipt.total, BigDecimal.sum(lineTotal(subject), taxTotal(subject)), subject.context.taxTolerance)
        ? "the total is not the sum of the lines and the taxes the device computes"
        : undefined
  },
  {
    code: "RCPT040",
    color: "red",
    check: ({ receipt }) => (BigDecimal.isNegative(receipt.total) ? "the total is negative" : undefined)
  }
]

/** Rules between the counters of one fiscal day (DOC-14). Pure and exact. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { ZReport, ZReportSummary } from "../gateway/operation/ZReport.ts"
import * as AuthorityCode from "../preflight/AuthorityCode.ts"
import { ZReportFinding } from "./ZReportFinding.ts"

/**
 * Returns the findings about the report alone. Empty if the day was closed and no rule is broken,
 * or no summaries are given.
 */
export const check = ({ fiscalDayNumber, isSuccess, message, summaries }: ZReport): ReadonlyArray<Finding.Finding> => {
  const day = `fiscal day ${fiscalDayNumber ?? "without a number"}`
  const counters = summaries ?? []
  return [
    ...(isSuccess === false ? [failed(day, message ?? "")] : []),
    ...Array.from(
      Map.groupBy(counters, ({ currency }) => currency ?? ""),
      ([currency, ofCurrency]) => unbalanced(day, currency, ofCurrency)
    ).flat(),
    ...counters.filter(hasWrongSign).map((counter) =>
      Finding.make(ZReportFinding.Z_REPORT_SIGN, {
        message: `${day}: a ${counter.counterType} counter is ${Money.formatAmount(counter.amount)} ${counter.currency ?? ""}`
      })
    )
  ]
}

const failed = (day: string, message: string): Finding.Finding => {
  const codes = AuthorityCode.explain(message).map((line) => line.replace(/\.$/, ""))
  return Finding.make(ZReportFinding.Z_REPORT_FAILED, {
    message: `${day} could not be closed: ${message || "no message"}`,
    ...(codes.length > 0 && { detail: codes.join("; ") })
  })
}

const sumOf = (counters: ReadonlyArray<ZReportSummary>, ...types: ReadonlyArray<string>): Money.Money =>
  BigDecimal.sumAll(counters.filter(({ counterType }) => types.includes(counterType)).map(({ amount }) => amount))

const unbalanced = (
  day: string,
  currency: string,
  counters: ReadonlyArray<ZReportSummary>
): ReadonlyArray<Finding.Finding> => {
  const balance = sumOf(counters, "Balance")
  const turnover = sumOf(counters, "Sale", "CreditNote", "DebitNote")
  if (BigDecimal.equals(balance, turnover)) return []
  const message = `${day}, ${currency}: balances ${Money.formatAmount(balance)}, sales, credit and debit notes ${Money.formatAmount(turnover)}`
  return [Finding.make(ZReportFinding.Z_REPORT_UNBALANCED, { message })]
}

const hasWrongSign = ({ amount, counterType }: ZReportSummary): boolean =>
  counterType.startsWith("CreditNote")
    ? BigDecimal.isPositive(amount)
    : /^(Sale|DebitNote)/.test(counterType) && BigDecimal.isNegative(amount)

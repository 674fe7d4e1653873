/** The rules a credit note is held against beside its original: currency, taxes, age, and what is left to credit. Pure. */
import { BigDecimal } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import * as Money from "../document/Money.ts"
import type { Translated } from "../translate/Translated.ts"
import { RCPT033, RCPT035, RCPT036, RCPT042 } from "./ReceiptRule.ts"
import type { Rule, Violation } from "./Rule.ts"

/** The original as the rules see it; amounts in its currency. */
export interface CreditedInvoice {
  readonly number: string
  readonly day: CivilDate
  readonly currency: CurrencyCode
  readonly total: Money.Money
  readonly taxCodes: ReadonlySet<TaxCode>
  /** Credits before this one, in flight ones counted. */
  readonly credited: Money.Money
}

export interface CreditRule {
  readonly rule: Rule
  /** `day`: the credit note's own. */
  check(note: Translated, original: CreditedInvoice, day: CivilDate): Iterable<Violation>
}

/** The same day of the month a year later; a leap day ends with February. */
const twelveMonthsAfter = (day: CivilDate): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`

export const creditRules: ReadonlyArray<CreditRule> = [
  {
    rule: RCPT033,
    check: (_, original, day) =>
      day <= twelveMonthsAfter(original.day)
        ? []
        : [{ path: ["originals"], detail: `${original.number} is of ${original.day}, the credit note of ${day}` }]
  },
  {
    rule: RCPT035,
    check: ({ completeness, document }, original) => {
      const { total } = document.payload
      const after = BigDecimal.sum(original.credited, total)
      if (completeness === "partial" || !BigDecimal.isGreaterThan(after, original.total)) return []
      const before = BigDecimal.isZero(original.credited)
        ? ""
        : `${Money.formatAmount(original.credited)} credited before + `
      const detail = `${before}${Money.formatAmount(total)} > ${Money.formatAmount(original.total)} of ${original.number}`
      return [{ path: ["totals", "total"], detail }]
    }
  },
  {
    rule: RCPT036,
    *check({ document, origins, taxes }, original) {
      for (const code of taxes.keys()) {
        if (original.taxCodes.has(code)) continue
        const index = document.payload.lineItems.findIndex(({ taxCode }) => taxCode === code)
        const message = `tax code ${code} is not on the original`
        yield {
          path: [...(origins[index] ?? ["lines"]), "taxes"],
          message,
          detail: `${original.number} has ${[...original.taxCodes].join(", ")}`
        }
      }
    }
  },
  {
    rule: RCPT042,
    check: ({ document }, original) =>
      document.payload.currencyCode === original.currency
        ? []
        : [
            {
              path: ["currency"],
              detail: `${document.payload.currencyCode}, ${original.number} is in ${original.currency}`
            }
          ]
  }
]

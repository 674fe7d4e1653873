import * as BigDecimal from "effect/BigDecimal"
import * as Zone from "../wire/Zone.ts"
import { creditNote, type Original, type Rule, type RuleSubject } from "./Rule.ts"

const againstOriginal = (check: (original: Original, subject: RuleSubject) => string | undefined) =>
  creditNote((subject) =>
    subject.context.original === undefined ? undefined : check(subject.context.original, subject)
  )

/** Returns the civil date twelve months later; 29 February becomes 28 February. */
const twelveMonthsAfter = (date: string): string => {
  const year = Number(date.slice(0, 4)) + 1
  const monthAndDay = date.slice(4)
  return `${String(year).padStart(4, "0")}${monthAndDay === "-02-29" ? "-02-28" : monthAndDay}`
}

export const creditRules: ReadonlyArray<Rule> = [
  {
    code: "RCPT015",
    color: "red",
    check: creditNote(({ context, receipt }) =>
      receipt.originalInvoiceId === null && context.creditWithoutInvoice === "forbidden"
        ? "the credit note names no original invoice"
        : undefined
    )
  },
  {
    code: "RCPT032",
    color: "red",
    check: creditNote(({ context, receipt }) =>
      receipt.originalInvoiceId !== null && context.original === undefined
        ? "the device knows no receipt of the original invoice"
        : undefined
    )
  },
  {
    code: "RCPT033",
    color: "red",
    check: againstOriginal((original, { context, receipt }) => {
      const day = (epochSeconds: number) => Zone.civil(context.zone, epochSeconds * 1000).slice(0, 10)
      return day(receipt.date.epochSeconds) > twelveMonthsAfter(day(original.epochSeconds))
        ? "the original invoice is older than 12 months"
        : undefined
    })
  },
  {
    code: "RCPT034",
    color: "red",
    check: creditNote(({ receipt }) =>
      receipt.reference === null || receipt.reference.trim() === "" ? "the credit note gives no reason" : undefined
    )
  },
  {
    code: "RCPT035",
    color: "red",
    check: againstOriginal((original, { receipt }) =>
      BigDecimal.isGreaterThan(BigDecimal.sum(original.credited, receipt.total), original.total)
        ? "the credit notes exceed the original invoice"
        : undefined
    )
  },
  {
    code: "RCPT036",
    color: "red",
    check: againstOriginal((original, { receipt }) => {
      const foreign = receipt.lines.find((line) => !original.taxIds.includes(line.taxId))
      return foreign === undefined ? undefined : `tax ${foreign.taxId} is not on the original invoice`
    })
  },
  {
    code: "RCPT042",
    color: "red",
    check: againstOriginal((original, { receipt }) =>
      receipt.currency === original.currency ? undefined : "the currency is not that of the original invoice"
    )
  }
]

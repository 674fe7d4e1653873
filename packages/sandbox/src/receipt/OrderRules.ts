import type { Rule } from "./Rule.ts"

export const orderRules: ReadonlyArray<Rule> = [
  {
    code: "RCPT013",
    color: "red",
    check: ({ context, receipt }) =>
      context.numbers.has(receipt.number) ? "the taxpayer has used the number before" : undefined
  },
  {
    code: "RCPT014",
    color: "yellow",
    check: ({ context, receipt }) =>
      context.dayOpenedAt !== undefined && receipt.date.epochSeconds <= context.dayOpenedAt
        ? "the date is not after the opening of the fiscal day"
        : undefined
  },
  {
    code: "RCPT030",
    color: "red",
    check: ({ context, receipt }) =>
      context.previousReceiptAt !== undefined && receipt.date.epochSeconds <= context.previousReceiptAt
        ? "the date is not later than that of the previous receipt"
        : undefined
  },
  {
    code: "RCPT031",
    color: "yellow",
    check: ({ context, receipt }) =>
      receipt.date.epochSeconds > context.now + context.clockToleranceSeconds ? "the date is in the future" : undefined
  },
  {
    code: "RCPT041",
    color: "yellow",
    check: ({ context, receipt }) =>
      context.dayOpenedAt !== undefined && receipt.date.epochSeconds > context.dayOpenedAt + context.dayMaxHours * 3600
        ? "the date is after the maximum length of the fiscal day"
        : undefined
  }
]

/** Registered originals as a person lists them, and as programs read them. */
import * as Instant from "@fiscal-connector/core/document/Instant"
import * as Money from "@fiscal-connector/core/document/Money"
import type { RegisteredOriginal } from "@fiscal-connector/core/submission/SubmissionStore"
import type { Column } from "./Table.ts"

const amount = (currency: string, figure: Money.Money) => `${currency} ${Money.formatAmount(figure)}`

export const columns: ReadonlyArray<Column<RegisteredOriginal>> = [
  { title: "Number", limit: 24, keep: "always", value: ({ number }) => number },
  { title: "Total", align: "right", keep: "always", value: ({ currency, total }) => amount(currency, total) },
  {
    title: "Credited elsewhere",
    align: "right",
    value: ({ credited, currency }) => amount(currency, credited)
  },
  { title: "Date", value: ({ date }) => Instant.format(date) },
  { title: "Account", value: ({ account }) => account }
]

/** Amounts are decimal texts. */
export const record = ({ account, credited, currency, date, invoiceId, number, total }: RegisteredOriginal) => ({
  account,
  id: invoiceId,
  number,
  date: Instant.format(date),
  currency,
  total: Money.formatAmount(total),
  credited: Money.formatAmount(credited)
})

/** Table columns and JSON form of registered originals. */
import * as Instant from "@fiscal-connector/core/document/Instant"
import * as Money from "@fiscal-connector/core/document/Money"
import type { RegisteredOriginal } from "@fiscal-connector/core/submission/SubmissionStore"
import type { DateTime } from "effect"
import type { Column } from "../../output/Table.ts"
import * as Times from "../../output/Times.ts"

const amount = (currency: string, figure: Money.Money) => `${currency} ${Money.formatAmount(figure)}`

export const columnsIn = (zone: DateTime.TimeZone): ReadonlyArray<Column<RegisteredOriginal>> => [
  { title: "Number", limit: 24, keep: "always", value: ({ number }) => number },
  { title: "Total", align: "right", keep: "always", value: ({ currency, total }) => amount(currency, total) },
  {
    title: "Credited elsewhere",
    align: "right",
    value: ({ credited, currency }) => amount(currency, credited)
  },
  { title: Times.title("Date", zone), value: ({ date }) => Times.shown(date, zone) },
  { title: "Account", value: ({ account }) => account }
]

/** Returns the JSON form. Amounts are decimal texts. */
export const record = ({ account, credited, currency, date, invoiceId, number, total }: RegisteredOriginal) => ({
  account,
  id: invoiceId,
  number,
  date: Instant.format(date),
  currency,
  total: Money.formatAmount(total),
  credited: Money.formatAmount(credited)
})

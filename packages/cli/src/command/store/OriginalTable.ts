import { Instant, Money } from "@fiscal-connector/core/adapter"
import type { SubmissionStore } from "@fiscal-connector/core/store"
import type { DateTime } from "effect"
import type { Column } from "../../output/Table.ts"
import * as Times from "../../output/Times.ts"

const amount = (currency: string, figure: Money.Money) => `${currency} ${Money.formatAmount(figure)}`

export const columnsIn = (zone: DateTime.TimeZone): ReadonlyArray<Column<SubmissionStore.RegisteredOriginal>> => [
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

export const record = ({
  account,
  credited,
  currency,
  date,
  invoiceId,
  number,
  total
}: SubmissionStore.RegisteredOriginal) => ({
  account,
  id: invoiceId,
  number,
  date: Instant.format(date),
  currency,
  total: Money.formatAmount(total),
  credited: Money.formatAmount(credited)
})

/** Sums for comparison by a bookkeeper: by state, currency and kind, with the taxes of each. */
import { Money } from "@fiscal-connector/core/adapter"
import type { ImportSummary } from "@fiscal-connector/core/session"
import { SignedSums } from "@fiscal-connector/core/host/import"
import type { ScreenShape } from "../output/Screen.ts"
import { type Column, table } from "../output/Table.ts"
import { columnsOf } from "../output/Terminal.ts"

type SummedFigures = Pick<ImportSummary.ImportSummary, "totals" | "taxes">

interface SumRow extends Pick<ImportSummary.TaxTotal, "net" | "tax" | "total"> {
  readonly state: string
  readonly currency: string
  readonly documents: string
  readonly code: string
}

const amount = (figure: Money.Money | null): string => (figure === null ? "" : Money.formatAmount(figure))

const columns: ReadonlyArray<Column<SumRow>> = [
  { title: "State", value: ({ state }) => state },
  { title: "Currency", value: ({ currency }) => currency },
  { title: "Documents", align: "right", value: ({ documents }) => documents },
  { title: "Tax code", limit: 20, keep: "always", value: ({ code }) => code },
  { title: "Net", align: "right", value: ({ net }) => amount(net) },
  { title: "Tax", align: "right", value: ({ tax }) => amount(tax) },
  { title: "Total", align: "right", keep: "always", value: ({ total }) => amount(total) }
]

const narrowColumns = columns.slice(3)

const documents = ({ documents: count, kind }: ImportSummary.Total): string => {
  const one = kind === "invoice" ? "invoice" : "credit note"
  return `${count} ${count === 1 ? one : `${one}s`}`
}

const inOrder = <A extends ImportSummary.Total>(totals: ReadonlyArray<A>): ReadonlyArray<A> =>
  totals.toSorted(
    (a, b) => a.state.localeCompare(b.state) || a.currency.localeCompare(b.currency) || b.kind.localeCompare(a.kind)
  )

const codeOf = ({ taxCode }: ImportSummary.TaxTotal): string => taxCode ?? "(not known)"

const byCode = (a: ImportSummary.TaxTotal, b: ImportSummary.TaxTotal): number => codeOf(a).localeCompare(codeOf(b))

const rowsOf = (total: ImportSummary.Total, taxes: ReadonlyArray<ImportSummary.TaxTotal>): ReadonlyArray<SumRow> => {
  const { currency, kind, state } = total
  const own = taxes.filter((one) => one.state === state && one.currency === currency && one.kind === kind)
  const [all] = SignedSums.of(own).sums
  return [
    {
      state,
      currency,
      documents: documents(total),
      code: own.length === 1 ? codeOf(own[0]!) : "",
      net: all?.net ?? null,
      tax: all?.tax ?? null,
      total: SignedSums.signed(kind, total.total)
    },
    ...(own.length === 1 ? [] : own.toSorted(byCode)).map((one) => ({
      state: "",
      currency: "",
      documents: "",
      code: codeOf(one),
      net: SignedSums.signed(kind, one.net),
      tax: SignedSums.signed(kind, one.tax),
      total: SignedSums.signed(kind, one.total)
    }))
  ]
}

const narrow = (rows: ReadonlyArray<SumRow>, screen: ScreenShape): string => {
  const [first, ...ofTaxes] = rows as [SumRow, ...Array<SumRow>]
  const { currency, documents, state } = first
  const all = ofTaxes.length === 0 ? first : { ...first, code: "all taxes" }
  return `${state} ${currency}, ${documents}\n${table(narrowColumns, [all, ...ofTaxes], screen)}`
}

export const print = ({ taxes, totals }: SummedFigures, screen: ScreenShape): string => {
  if (totals.length === 0) return ""
  const groups = inOrder(totals).map((total) => rowsOf(total, taxes))
  const wide = table(columns, groups.flat())
  const isNarrow = screen.width !== undefined && wide.split("\n").some((line) => columnsOf(line) > screen.width!)
  const text = isNarrow ? groups.map((rows) => narrow(rows, screen)).join("\n\n") : wide
  return `Sums:\n\n${text}`
}

export const toJson = ({ taxes, totals }: SummedFigures) => ({
  totals: inOrder(totals).map(({ total, ...figures }) => ({ ...figures, total: Money.formatAmount(total) })),
  taxes: inOrder(taxes).map(({ net, tax, total, ...figures }) => ({
    ...figures,
    net: net === null ? null : Money.formatAmount(net),
    tax: tax === null ? null : Money.formatAmount(tax),
    total: Money.formatAmount(total)
  }))
})

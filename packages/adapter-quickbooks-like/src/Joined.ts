import type { Item, JoinKit, Lookup } from "@fiscal-connector/adapter-kit"
import type { Adapter, Instant, Money } from "@fiscal-connector/core/adapter"
import { BigDecimal, DateTime } from "effect"
import { places } from "./Entities.ts"
import { isVoided } from "./Issued.ts"

export interface QuickBooksJoined {
  readonly customers: Lookup
  readonly paymentMethods: Lookup
  /** Only rate of a tax code, by the code's id; `several` if the code has more rates. */
  readonly rates: ReadonlyMap<string, string | "several">
  /** Percent of a rate, by the rate's id; `differ` if two statements contradict each other. */
  readonly percents: ReadonlyMap<string, Money.Money | "differ">
  readonly invoicesOf: ReadonlyMap<string, ReadonlySet<string>>
}

export const modifiedOf = (record: Item): Instant.Instant | undefined =>
  record.optional.instant("/MetaData/LastUpdatedTime")

interface Payment {
  readonly modified: number
  readonly links: ReadonlyArray<readonly [memo: string, invoice: string]>
}

const linksOf = (payment: Item): Payment["links"] => {
  const lines = payment.optional.each("Line", (line) => {
    const linked = line.optional.each("LinkedTxn", (txn) => ({
      type: txn.optional.text("TxnType"),
      id: txn.optional.text("TxnId") ?? ""
    }))
    const of = (wanted: string) => linked.flatMap(({ id, type }) => (type === wanted && id !== "" ? [id] : []))
    return { memos: of("CreditMemo"), invoices: of("Invoice") }
  })
  const paired = lines.filter(({ invoices, memos }) => invoices.length > 0 && memos.length > 0)
  const apart = lines.filter((line) => !paired.includes(line))
  const rest = { memos: apart.flatMap(({ memos }) => memos), invoices: apart.flatMap(({ invoices }) => invoices) }
  return [...paired, rest].flatMap(({ invoices, memos }) =>
    memos.flatMap((memo) => invoices.map((invoice) => [memo, invoice] as const))
  )
}

export const join = async (
  files: ReadonlyArray<Adapter.InputFile>,
  { json, newLookup }: JoinKit<object>
): Promise<QuickBooksJoined> => {
  const [customers, paymentMethods] = [newLookup(), newLookup()]
  const rates = new Map<string, string>()
  const percents = new Map<string, Money.Money | "differ">()
  const payments = new Map<string, Payment>()
  for (const file of files)
    for await (const record of json.items(file, ...places)) {
      const id = record.optional.text("Id")
      if (id === undefined) continue
      switch (record.list) {
        case "Customer":
          customers.add(id, record)
          break
        case "PaymentMethod":
          paymentMethods.add(id, record)
          break
        case "TaxCode": {
          const details = record.optional.each("/SalesTaxRateList/TaxRateDetail", (detail) =>
            detail.optional.text("/TaxRateRef/value")
          )
          const [rate, ...more] = details
          if (rate !== undefined) rates.set(id, more.length > 0 ? "several" : rate)
          break
        }
        case "TaxRate": {
          const percent = record.optional.decimal("RateValue")
          const known = percents.get(id)
          if (percent === undefined) break
          percents.set(id, known === undefined || isSame(known, percent) ? percent : "differ")
          break
        }
        case "Payment": {
          const time = modifiedOf(record)
          const modified = time === undefined ? 0 : DateTime.toEpochMillis(time)
          const before = payments.get(id)
          const links = isVoided(record) === "issued" ? linksOf(record) : []
          if (before === undefined || modified > before.modified) payments.set(id, { modified, links })
          else if (modified === before.modified) payments.set(id, { modified, links: [...before.links, ...links] })
        }
      }
    }
  const invoicesOf = new Map<string, Set<string>>()
  for (const { links } of payments.values())
    for (const [memo, invoice] of links) invoicesOf.set(memo, (invoicesOf.get(memo) ?? new Set()).add(invoice))
  return { customers, paymentMethods, rates, percents, invoicesOf }
}

const isSame = (one: Money.Money | "differ", other: Money.Money): boolean =>
  one !== "differ" && BigDecimal.equals(one, other)

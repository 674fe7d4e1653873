/**
 * Compares a day's counters with the documents that the store counts as fiscalized on the day: per
 * currency, tax and payment method.
 */
import { BigDecimal } from "effect"
import { numberOf, signed as signedBy, type UndatedDocument } from "../document/FiscalDocument.ts"
import * as Money from "../document/Money.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import type { GatewayMappings } from "../mapping/GatewayMappings.ts"
import { counterTypes, type ZReport } from "../gateway/operation/ZReport.ts"
import * as Rounding from "../translate/Rounding.ts"

export interface CounterRow {
  readonly counter: string
  readonly currency: string
  readonly tax: number | null
  readonly payment: string | null
  readonly device: Money.Money | null
  readonly store: Money.Money | null
}

export interface ZReportComparison {
  readonly rows: ReadonlyArray<CounterRow>
  readonly documents: number
  /** Numbers of documents whose codes have no known meaning on the device: left out. */
  readonly unplaced: ReadonlyArray<string>
  /** Device minus store, per currency that differs. */
  readonly differences: ReadonlyArray<CounterDifference>
}

export interface CounterDifference {
  readonly currency: string
  readonly vector: Vector
  readonly text: string
}

/**
 * Amounts of one currency by counter. `left-out`: counters that cannot be computed. If a document
 * states no payment method, only the sum of the balances has a meaning.
 */
export interface Vector {
  readonly amounts: ReadonlyMap<string, Money.Money>
  readonly leftOut: ReadonlySet<string>
  readonly payments: "each" | "sum"
}

export type DayCodes = Pick<GatewayMappings, "taxes" | "currencies">

/** A document with the meaning of its codes on the device. Null if it is not known. */
export interface PlacedDocument {
  readonly document: UndatedDocument
  readonly meaning: CodeMeaning | null
}

export const meaningBy = ({ payload }: UndatedDocument, { currencies, taxes }: DayCodes): CodeMeaning | null => {
  const currency = currencies.find(({ sourceCurrency }) => sourceCurrency === payload.currencyCode)
  const codes = new Set(payload.lineItems.map(({ taxCode }) => taxCode))
  const meant = taxes.flatMap(({ destinationTaxId, taxCode }) =>
    codes.delete(taxCode) ? [[taxCode, destinationTaxId, null] as const] : []
  )
  return currency === undefined || codes.size > 0 ? null : { currency: currency.destinationCurrency, taxes: meant }
}

interface CounterKey {
  readonly counter: string
  readonly currency: string
  readonly tax: number | null
  readonly payment: string | null
}

type ComparedCounter = CounterKey & { readonly amount: Money.Money | "several percents" }

/** The percent that a report states for a tax; null if the tax is exempt. */
type StatedPercent = Money.Money | null | "several percents"
type TaxPercents = ReadonlyMap<number, StatedPercent>

export interface CounterFigures {
  readonly kind: UndatedDocument["kind"]
  readonly currency: string
  readonly basis: "inclusive" | "exclusive"
  readonly taxes: ReadonlyMap<number, Money.Money>
  readonly total: Money.Money
  readonly payment: string | null
}

/** Returns the figures of a document. Undefined if the meaning of a code is not known. */
export const figuresOf = ({ document: { kind, payload }, meaning }: PlacedDocument): CounterFigures | undefined => {
  const taxes = new Map<number, Money.Money>()
  for (const { lineAmount, taxCode } of payload.lineItems) {
    const tax = meaning?.taxes.find(([code]) => code === taxCode)?.[1]
    if (tax === undefined) return undefined
    taxes.set(tax, BigDecimal.sum(taxes.get(tax) ?? Money.zero, lineAmount))
  }
  if (meaning === null) return undefined
  return {
    kind,
    currency: meaning.currency,
    basis: payload.isTaxInclusive ? "inclusive" : "exclusive",
    taxes,
    total: payload.total,
    payment: payload.paymentMethod
  }
}

const countersOf = (figures: CounterFigures, percents: TaxPercents): ReadonlyArray<ComparedCounter> => {
  const { basis, currency, kind, payment, taxes, total } = figures
  const name = kind === "invoice" ? "Sale" : "CreditNote"
  const signed = (amount: Money.Money) => signedBy(kind, amount)
  const counters = Array.from(taxes).flatMap(([tax, amount]): ReadonlyArray<ComparedCounter> => {
    const key = { currency, tax, payment: null }
    // a report that states no percent for the tax has no counter of the tax
    const percent = percents.get(tax) ?? null
    if (percent === "several percents") {
      const gross = basis === "inclusive" ? signed(amount) : percent
      return [
        { ...key, counter: name, amount: gross },
        { ...key, counter: `${name}Tax`, amount: percent }
      ]
    }
    const taxAmount = Rounding.taxOn(amount, percent, basis)
    const gross = basis === "inclusive" ? amount : BigDecimal.sum(amount, taxAmount)
    return [
      { ...key, counter: name, amount: signed(gross) },
      ...(percents.has(tax) ? [{ ...key, counter: `${name}Tax`, amount: signed(taxAmount) }] : [])
    ]
  })
  return [...counters, { counter: "Balance", currency, tax: null, payment, amount: signed(total) }]
}

export const withTax = (
  figures: CounterFigures,
  from: number,
  to: number,
  percents: TaxPercents
): CounterFigures | undefined => {
  const { basis, total } = figures
  const taxes = new Map(figures.taxes)
  const moved = taxes.get(from)
  const [before, after] = [percents.get(from) ?? null, percents.get(to) ?? null]
  if (moved === undefined || before === "several percents" || after === "several percents") return undefined
  taxes.delete(from)
  taxes.set(to, BigDecimal.sum(taxes.get(to) ?? Money.zero, moved))
  const more = BigDecimal.subtract(Rounding.taxOn(moved, after, basis), Rounding.taxOn(moved, before, basis))
  return { ...figures, taxes, total: basis === "inclusive" ? total : BigDecimal.sum(total, more) }
}

/** Orders by currency, then as DOC-14 lists the counters, then by tax and payment method. */
const inOrder = (a: CounterRow, b: CounterRow): number =>
  a.currency.localeCompare(b.currency) ||
  place(a.counter) - place(b.counter) ||
  (a.tax ?? 0) - (b.tax ?? 0) ||
  (a.payment ?? "").localeCompare(b.payment ?? "")

const place = (counter: string): number => {
  const known: ReadonlyArray<string> = counterTypes
  return known.includes(counter) ? known.indexOf(counter) : known.length
}

const nameOf = ({ counter, currency, payment, tax }: CounterKey): string =>
  JSON.stringify({ counter, currency, tax, payment })

const add = (side: Map<string, Money.Money>, key: string, amount: Money.Money) =>
  side.set(key, BigDecimal.sum(side.get(key) ?? Money.zero, amount))

export const percentsOf = ({ summaries }: Pick<ZReport, "summaries">): TaxPercents => {
  const stated = Map.groupBy(
    (summaries ?? []).flatMap(({ counterType, taxId, taxPercent }) =>
      taxId === null || counterType === "Balance" ? [] : [{ taxId, taxPercent }]
    ),
    ({ taxId }) => taxId
  )
  return new Map(
    Array.from(stated, ([taxId, counters]) => {
      const percents = new Map(
        counters.map(({ taxPercent }) => [taxPercent && Money.formatPlain(taxPercent), taxPercent])
      )
      return [taxId, percents.size === 1 ? ([...percents.values()][0] ?? null) : "several percents"] as const
    })
  )
}

export const vectorOf = (figures: CounterFigures, percents: TaxPercents): Vector => {
  const amounts = new Map<string, Money.Money>()
  const leftOut = new Set<string>()
  for (const { amount, ...key } of countersOf(figures, percents)) {
    if (amount === "several percents") leftOut.add(nameOf(key))
    else add(amounts, nameOf(key), amount)
  }
  return { amounts, leftOut, payments: figures.payment === null ? "sum" : "each" }
}

export const combine = (a: Vector, b: Vector): Vector => {
  const amounts = new Map(a.amounts)
  for (const [key, amount] of b.amounts) add(amounts, key, amount)
  return {
    amounts,
    leftOut: new Set([...a.leftOut, ...b.leftOut]),
    payments: a.payments === "sum" || b.payments === "sum" ? "sum" : "each"
  }
}

export const countersIn = ({ amounts, leftOut }: Vector) =>
  Array.from(amounts).flatMap(([key, amount]) =>
    leftOut.has(key) ? [] : [{ counter: (JSON.parse(key) as CounterKey).counter, amount }]
  )

export const balanceOf = (vector: Vector): Money.Money =>
  BigDecimal.sumAll(countersIn(vector).flatMap(({ amount, counter }) => (counter === "Balance" ? [amount] : [])))

export const negated = (vector: Vector): Vector => ({
  ...vector,
  amounts: new Map(Array.from(vector.amounts, ([key, amount]) => [key, BigDecimal.negate(amount)]))
})

/** True if both vectors are equal in every counter that both can compute. Zero does not count. */
export const areEqual = (a: Vector, b: Vector): boolean => isZero(combine(a, negated(b)))

const isZero = ({ amounts, leftOut, payments }: Vector): boolean => {
  const counted = Array.from(amounts).filter(([key]) => !leftOut.has(key))
  const isBalance = (key: string) => payments === "sum" && (JSON.parse(key) as CounterKey).counter === "Balance"
  const balances = counted.filter(([key]) => isBalance(key)).map(([, amount]) => amount)
  return (
    BigDecimal.isZero(BigDecimal.sumAll(balances)) &&
    counted.every(([key, amount]) => BigDecimal.isZero(amount) || isBalance(key))
  )
}

/**
 * Compares the report's counters with the documents. Amounts are exact. The tax of a group is
 * computed as the device does, with the percent that the report states for the tax. If the report
 * states several percents for one tax, the counters that need the percent are not compared: the
 * balances still show a document that one side does not have. If documents state no payment method,
 * only the sum of the balances is compared.
 */
export const compare = (
  report: Pick<ZReport, "summaries">,
  documents: ReadonlyArray<PlacedDocument>
): ZReportComparison => {
  const percents = percentsOf(report)
  const sides = { device: new Map<string, Money.Money>(), store: new Map<string, Money.Money>() }
  for (const { amount, counterType, currency, paymentMethod, taxId } of report.summaries ?? []) {
    const key = { counter: counterType, currency: currency ?? "", tax: taxId, payment: paymentMethod }
    add(sides.device, nameOf(key), amount)
  }
  const unplaced: Array<string> = []
  const uncertain = new Set<string>()
  for (const placed of documents) {
    const figures = figuresOf(placed)
    if (figures === undefined) {
      unplaced.push(numberOf(placed.document))
      continue
    }
    for (const { amount, ...key } of countersOf(figures, percents)) {
      if (amount === "several percents") uncertain.add(nameOf(key))
      else add(sides.store, nameOf(key), amount)
    }
  }
  const keys = new Set([...sides.device.keys(), ...sides.store.keys()])
  const rows = Array.from(keys, (key): CounterRow => ({
    ...(JSON.parse(key) as CounterKey),
    device: sides.device.get(key) ?? null,
    store: sides.store.get(key) ?? null
  })).toSorted(inOrder)
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  return {
    rows,
    documents: documents.length,
    unplaced,
    differences: Array.from(byCurrency, ([currency, own]) => differing(currency, own, uncertain)).flat()
  }
}

const minus = ({ device, store }: CounterRow): Money.Money =>
  BigDecimal.subtract(device ?? Money.zero, store ?? Money.zero)

const differing = (
  currency: string,
  rows: ReadonlyArray<CounterRow>,
  leftOut: ReadonlySet<string>
): ReadonlyArray<CounterDifference> => {
  const balances = rows.filter(({ counter }) => counter === "Balance")
  const payments = balances.some(({ payment }) => payment === null) ? "sum" : "each"
  const vector: Vector = { amounts: new Map(rows.map((row) => [nameOf(row), minus(row)])), leftOut, payments }
  if (isZero(vector)) return []
  const total = (side: "device" | "store") => BigDecimal.sumAll(balances.map((row) => row[side] ?? Money.zero))
  const judged = rows.filter((row) => !leftOut.has(nameOf(row)) && (row.counter !== "Balance" || payments === "each"))
  const off = judged.filter((row) => !BigDecimal.isZero(minus(row))).map(describe)
  const isSumOff = payments === "sum" && !BigDecimal.equals(total("device"), total("store"))
  const sum = isSumOff
    ? [`Balance ${Money.formatAmount(total("device"))}, store ${Money.formatAmount(total("store"))}`]
    : []
  return [{ currency, vector, text: [...off, ...sum].join("; ") }]
}

const describe = ({ counter, device, payment, store, tax }: CounterRow): string => {
  const what = [counter, tax === null ? undefined : `tax ${tax}`, payment].filter(Boolean).join(" ")
  const amount = (money: Money.Money | null) => (money === null ? "none" : Money.formatAmount(money))
  return `${what} ${amount(device)}, store ${amount(store)}`
}

/**
 * Compares a day's counters with the documents that the store counts as fiscalized on the day: per
 * currency, tax and payment method.
 */
import { BigDecimal } from "effect"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { GatewayMappings } from "../mapping/GatewayMappings.ts"
import { counterTypes, type ZReport } from "../gateway/operation/ZReport.ts"
import * as Rounding from "../translate/Rounding.ts"
import { ZReportFinding } from "./ZReportFinding.ts"

/**
 * One counter on both sides. Null if a side does not have the counter. Credit notes are negative.
 */
export interface CounterRow {
  readonly counter: string
  readonly currency: string
  readonly tax: number | null
  /** Null on counters other than Balance, and if documents state no payment method. */
  readonly payment: string | null
  readonly device: Money.Money | null
  readonly store: Money.Money | null
}

export interface ZReportComparison {
  readonly rows: ReadonlyArray<CounterRow>
  /** Number of the store's documents for the day. */
  readonly documents: number
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** Mappings of an account's codes at the gateway. */
export type Codes = Pick<GatewayMappings, "taxes" | "currencies">

/** A document with the mappings of its account, because several accounts may feed one device. */
export interface PlacedDocument {
  readonly document: UndatedDocument
  readonly codes: Codes
}

/**
 * Compares the report's counters with the documents. Amounts are exact. The tax of a group is
 * computed as the device does, with the percent that the report states for the tax. If the report
 * states several percents for one tax, the counters that need the percent are not compared: the
 * balances still show a document that one side does not have. If documents state no payment method,
 * only the sum of the balances is compared.
 */
export const compare = (
  report: Pick<ZReport, "fiscalDayNumber" | "summaries">,
  documents: ReadonlyArray<PlacedDocument>
): ZReportComparison => {
  const summaries = report.summaries ?? []
  const percents = percentsOf(summaries)
  const sides = { device: new Map<string, Money.Money>(), store: new Map<string, Money.Money>() }
  for (const { amount, counterType, currency, paymentMethod, taxId } of summaries) {
    add(sides.device, { counter: counterType, currency: currency ?? "", tax: taxId, payment: paymentMethod }, amount)
  }
  const unplaced: Array<string> = []
  const uncertain = new Set<string>()
  for (const { codes, document } of documents) {
    const counters = countersOf(document, codes, percents)
    if (counters === undefined) unplaced.push(numberOf(document))
    for (const { amount, ...key } of counters ?? []) {
      if (amount === "several percents") uncertain.add(nameOf(key))
      else add(sides.store, key, amount)
    }
  }
  const keys = new Set([...sides.device.keys(), ...sides.store.keys()])
  const rows = Array.from(keys, (key): CounterRow => ({
    ...(JSON.parse(key) as Key),
    device: sides.device.get(key) ?? null,
    store: sides.store.get(key) ?? null
  })).toSorted(inOrder)
  return {
    rows,
    documents: documents.length,
    findings: [
      ...differing(
        report.fiscalDayNumber ?? 0,
        rows.filter((row) => !uncertain.has(nameOf(row)))
      ),
      ...left(unplaced)
    ]
  }
}

interface Key {
  readonly counter: string
  readonly currency: string
  readonly tax: number | null
  readonly payment: string | null
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

const nameOf = ({ counter, currency, payment, tax }: Key): string => JSON.stringify({ counter, currency, tax, payment })

const add = (side: Map<string, Money.Money>, counter: Key, amount: Money.Money) => {
  const key = nameOf(counter)
  side.set(key, BigDecimal.sum(side.get(key) ?? Money.zero, amount))
}

const numberOf = (document: UndatedDocument): string =>
  document.kind === "invoice" ? document.payload.invoiceNumber : document.payload.creditNoteNumber

/** The percent that a report states for a tax; null if the tax is exempt. */
type StatedPercent = Money.Money | null | "several percents"

/** Returns the stated percent of each tax. */
const percentsOf = (summaries: NonNullable<ZReport["summaries"]>): ReadonlyMap<number, StatedPercent> => {
  const stated = Map.groupBy(
    summaries.flatMap(({ counterType, taxId, taxPercent }) =>
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

/**
 * Returns a document's contribution to the counters. Undefined if a code of the document is not
 * mapped.
 */
const countersOf = (
  { kind, payload }: UndatedDocument,
  { currencies, taxes }: Codes,
  percents: ReadonlyMap<number, StatedPercent>
): ReadonlyArray<Key & { readonly amount: Money.Money | "several percents" }> | undefined => {
  const currency = currencies.find(({ sourceCurrency }) => sourceCurrency === payload.currencyCode)?.destinationCurrency
  const sums = new Map<number, Money.Money>()
  for (const { lineAmount, taxCode } of payload.lineItems) {
    const tax = taxes.find((mapping) => mapping.taxCode === taxCode)?.destinationTaxId
    if (tax === undefined) return undefined
    sums.set(tax, BigDecimal.sum(sums.get(tax) ?? Money.zero, lineAmount))
  }
  if (currency === undefined) return undefined
  const name = kind === "invoice" ? "Sale" : "CreditNote"
  const signed = (amount: Money.Money) => (kind === "invoice" ? amount : BigDecimal.negate(amount))
  const basis = payload.isTaxInclusive ? "inclusive" : "exclusive"
  const counters = Array.from(sums).flatMap(([tax, amount]) => {
    const key = { currency, tax, payment: null }
    // A report that states no percent for the tax has no counter of the tax.
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
  const balance = {
    counter: "Balance",
    currency,
    tax: null,
    payment: payload.paymentMethod,
    amount: signed(payload.total)
  }
  return [...counters, balance]
}

const isSame = (a: Money.Money | null, b: Money.Money | null) => BigDecimal.equals(a ?? Money.zero, b ?? Money.zero)

const differing = (day: number, rows: ReadonlyArray<CounterRow>): ReadonlyArray<Finding.Finding> =>
  Array.from(
    Map.groupBy(rows, ({ currency }) => currency),
    ([currency, ofCurrency]) => {
      const balances = ofCurrency.filter(({ counter }) => counter === "Balance")
      const isUnstated = balances.some(({ payment }) => payment === null)
      const total = (side: "device" | "store") => BigDecimal.sumAll(balances.map((row) => row[side] ?? Money.zero))
      const judged = ofCurrency.filter(({ counter }) => counter !== "Balance" || !isUnstated)
      const off = judged.filter(({ device, store }) => !isSame(device, store)).map(describe)
      const sum = isUnstated && !isSame(total("device"), total("store"))
      const details = [
        ...off,
        ...(sum ? [`Balance ${Money.formatAmount(total("device"))}, store ${Money.formatAmount(total("store"))}`] : [])
      ]
      if (details.length === 0) return []
      const message = `fiscal day ${day}, ${currency || "no currency"}: the counters differ from the store`
      return [Finding.make(ZReportFinding.Z_REPORT_DIFFERS, { message, detail: details.join("; ") })]
    }
  ).flat()

const describe = ({ counter, device, payment, store, tax }: CounterRow): string => {
  const what = [counter, tax === null ? undefined : `tax ${tax}`, payment].filter(Boolean).join(" ")
  const amount = (money: Money.Money | null) => (money === null ? "none" : Money.formatAmount(money))
  return `${what} ${amount(device)}, store ${amount(store)}`
}

const left = (numbers: ReadonlyArray<string>): ReadonlyArray<Finding.Finding> =>
  numbers.length === 0
    ? []
    : [
        Finding.make(ZReportFinding.Z_REPORT_UNPLACED, {
          detail: `${numbers.slice(0, 10).join(", ")}${numbers.length > 10 ? ", …" : ""}`
        })
      ]

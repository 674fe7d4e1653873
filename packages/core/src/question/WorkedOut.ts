/**
 * Tax percents from lines and documents that state their tax: evidence for a proposal, never used
 * in a document to send.
 */
import { BigDecimal, Option } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { SourceDocument, SourceLine } from "../source/SourceDocument.ts"
import { statedAmountOf } from "../translate/LineTax.ts"

interface TaxSample {
  readonly net: Money.Money
  readonly tax: Money.Money
  readonly lines: number
  readonly day: string
  /** `line`: stated by the line itself. */
  readonly of: "line" | "document"
}

interface WholeTax {
  readonly tax: Money.Money
  readonly amounts: "with-tax" | "without-tax"
  readonly day: string
  readonly parts: ReadonlyMap<string, { readonly amount: Money.Money; readonly lines: number }>
}

/**
 * A percent as "15.5", the number of matching amounts, and the first and last day in the export.
 */
export interface Rate {
  readonly percent: string
  readonly of: number
  readonly first: string
  readonly last: string
}

/** More would not improve the evidence. */
const most = 200

const tenths = Array.from({ length: 400 }, (_, i) => `${Math.floor(i / 10)}.${i % 10}`)

/** If the device's are unknown: whole numbers, then halves, then tenths. */
const usual: ReadonlyArray<ReadonlyArray<string>> = [
  Array.from({ length: 41 }, (_, i) => String(i)),
  Array.from({ length: 40 }, (_, i) => `${i}.5`),
  tenths
]

const hundred = BigDecimal.make(100n, 0)

/** Decimal places of a quotient, far more precise than half a cent per line. */
const places = 10

const percentOf = (text: string): Money.Money => Option.getOrElse(Money.parse(text), () => Money.zero)

/**
 * Half a cent per rounded line, half a cent for the whole, and the remainder of quotients. In
 * hundredths, like `net × percent`.
 */
const toleranceOf = ({ lines }: TaxSample): Money.Money => BigDecimal.make(5n * BigInt(lines + 1) * 10n ** 7n + 1n, 8)

const isAt = (percent: Money.Money) => (sample: TaxSample) =>
  Money.within(BigDecimal.multiply(sample.net, percent), BigDecimal.multiply(sample.tax, hundred), toleranceOf(sample))

const sumOf = (lines: ReadonlyArray<SourceLine>): Money.Money | undefined => {
  const amounts = lines.flatMap(({ lineAmount }) => lineAmount ?? [])
  return amounts.length < lines.length ? undefined : BigDecimal.sumAll(amounts)
}

const minus = BigDecimal.subtract

const dayOf = ({ date }: SourceDocument): string =>
  date === undefined ? "" : typeof date === "string" ? date : CivilDate.of(date)

export class WorkedOut {
  private readonly samples = new Map<string, Array<TaxSample>>()
  private readonly mixed: Array<WholeTax> = []
  private readonly found = new Map<string, ReadonlyArray<Rate>>()

  private take(key: string, sample: TaxSample): void {
    const known = this.samples.get(key) ?? []
    this.samples.set(key, known)
    if (known.length < most && !BigDecimal.isZero(sample.net)) known.push(sample)
  }

  /**
   * `keysOf`: keys of a line, the most specific first. The document's totals count for a key shared
   * by all its lines.
   */
  add(source: SourceDocument, keysOf: (line: SourceLine, index: number) => ReadonlyArray<string>): void {
    const { charges, lines, taxMode, totals } = source
    const day = dayOf(source)
    const keys = lines.map(keysOf)
    lines.forEach((line, i) => {
      const tax = line.totals?.tax ?? statedAmountOf(line, taxMode)
      const amount = line.lineAmount
      const net =
        line.totals?.net ??
        (amount === undefined || tax === undefined || taxMode === "unstated"
          ? undefined
          : taxMode === "inclusive"
            ? minus(amount, tax)
            : amount)
      if (tax === undefined || net === undefined || line.taxes.length > 1) return
      for (const key of keys[i] ?? []) this.take(key, { net, tax, lines: 1, day, of: "line" })
    })
    const { net, tax, total } = totals
    const sum = taxMode === "exclusive" && tax === undefined ? sumOf(lines) : undefined
    const whole = net ?? (total !== undefined && tax !== undefined ? minus(total, tax) : sum)
    const taxed = tax ?? (total !== undefined && whole !== undefined ? minus(total, whole) : undefined)
    if (whole === undefined || taxed === undefined || charges.length > 0) return
    const shared = (keys[0] ?? []).filter((key) => keys.every((each) => each.includes(key)))
    for (const key of shared) this.take(key, { net: whole, tax: taxed, lines: lines.length, day, of: "document" })
    if (shared.length === 0) this.addMixed(source, keys, taxed, day)
  }

  private addMixed(
    { lines, taxMode }: SourceDocument,
    keys: ReadonlyArray<ReadonlyArray<string>>,
    tax: Money.Money,
    day: string
  ): void {
    if (this.mixed.length >= most || (taxMode !== "inclusive" && taxMode !== "exclusive")) return
    const parts = new Map<string, { amount: Money.Money; lines: number }>()
    for (const [i, { lineAmount }] of lines.entries()) {
      const key = keys[i]?.[0]
      if (lineAmount === undefined || key === undefined) return
      const known = parts.get(key) ?? { amount: Money.zero, lines: 0 }
      parts.set(key, { amount: BigDecimal.sum(known.amount, lineAmount), lines: known.lines + 1 })
    }
    this.mixed.push({ tax, day, parts, amounts: taxMode === "inclusive" ? "with-tax" : "without-tax" })
  }

  private samplesOf(key: string, among: ReadonlyArray<string> | undefined): ReadonlyArray<TaxSample> {
    const own = this.samples.get(key) ?? []
    const rest = this.mixed.flatMap(({ amounts, day, parts, tax }): ReadonlyArray<TaxSample> => {
      const part = parts.get(key)
      if (part === undefined) return []
      let left = tax
      let lines = 0
      for (const [other, { amount, lines: its }] of parts) {
        lines += its
        if (other === key) continue
        const rate = this.known(other, among).find(({ first, last }) => first <= day && day <= last)
        if (rate === undefined) return []
        const percent = percentOf(rate.percent)
        const whole = amounts === "with-tax" ? BigDecimal.sum(hundred, percent) : hundred
        left = minus(left, Money.quotient(BigDecimal.multiply(amount, percent), whole, places))
      }
      return [
        { net: amounts === "with-tax" ? minus(part.amount, left) : part.amount, tax: left, lines, day, of: "document" }
      ]
    })
    return [...own, ...rest].toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  }

  /** The first and last rate extend to the days outside. */
  private known(key: string, among: ReadonlyArray<string> | undefined): ReadonlyArray<Rate> {
    const rates = inTurn(this.samples.get(key) ?? [], among)
    return rates.map((rate, i) => ({
      ...rate,
      ...(i === 0 && { first: "" }),
      ...(i === rates.length - 1 && { last: "9999" })
    }))
  }

  /** Percents of lines that state their amount of tax: each amount works out at one of them. */
  severalOf(key: string, among?: ReadonlyArray<string>): ReadonlyArray<Rate> {
    return sideBySide(this.samplesOf(key, among), among)
  }

  ratesOf(key: string, among?: ReadonlyArray<string>): ReadonlyArray<Rate> {
    const asked = `${key} ${among?.join() ?? ""}`
    const found = this.found.get(asked) ?? inTurn(this.samplesOf(key, among), among)
    this.found.set(asked, found)
    return found
  }
}

/** More percents at once are not treated as taxes. */
const mostRates = 5

const sideBySide = (
  samples: ReadonlyArray<TaxSample>,
  among: ReadonlyArray<string> | undefined
): ReadonlyArray<Rate> => {
  const taxed = samples.filter(({ of, tax }) => of === "line" && !BigDecimal.isZero(tax))
  for (const percents of among === undefined ? usual : [[...new Set(among)]]) {
    const fits = taxed.map((sample) => percents.filter((percent) => isAt(percentOf(percent))(sample)))
    // an amount that fits several percents shows none of them
    const found = new Set(fits.flatMap((each) => (each.length === 1 ? each : [])))
    if (found.size < 2 || found.size > mostRates || !fits.every((each) => each.some((one) => found.has(one)))) continue
    return [...found].map((percent) => {
      const own = taxed.filter((_, i) => fits[i]!.find((one) => found.has(one)) === percent)
      return { percent, of: own.length, first: own[0]!.day, last: own.at(-1)!.day }
    })
  }
  return []
}

const only = (
  samples: ReadonlyArray<TaxSample>,
  among: ReadonlyArray<string> | undefined
): string | "several" | undefined => {
  for (const percents of among === undefined ? usual : [among]) {
    // the lines of one document may have several percents
    if (percents === tenths && samples.length < 2) break
    const found = [...new Set(percents)].filter((percent) => samples.every(isAt(percentOf(percent))))
    if (found.length > 1) return "several"
    if (found[0] !== undefined) return found[0]
  }
  return undefined
}

/** A tax changes at most once within an export. More changes are not treated as a rate. */
const inTurn = (samples: ReadonlyArray<TaxSample>, among: ReadonlyArray<string> | undefined): ReadonlyArray<Rate> => {
  if (samples.length === 0) return []
  const all = only(samples, among)
  const rate = (percent: string, part: ReadonlyArray<TaxSample>): Rate => ({
    percent,
    of: part.length,
    first: part[0]!.day,
    last: part.at(-1)!.day
  })
  if (all !== undefined) return all === "several" ? [] : [rate(all, samples)]
  const days = [...new Set(samples.map(({ day }) => day))]
  const splits = days.slice(1).flatMap((day): ReadonlyArray<ReadonlyArray<Rate>> => {
    const at = samples.findIndex((sample) => sample.day === day)
    const [before, after] = [samples.slice(0, at), samples.slice(at)]
    const [one, two] = [only(before, among), only(after, among)]
    if (one === undefined || two === undefined || one === "several" || two === "several") return []
    return [[rate(one, before), rate(two, after)]]
  })
  // small amounts match both percents: prefer a split at the start of a month
  return splits.find(([before, after]) => `${after!.first.slice(0, 8)}01` > before!.last) ?? splits[0] ?? []
}

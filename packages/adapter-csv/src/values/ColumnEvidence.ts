/**
 * Evidence of a column's cells for competing readings: a cell can exclude a reading, and never
 * prove a reading.
 */
import { BigDecimal } from "effect"
import * as DateForm from "./DateForm.ts"
import * as NumberForm from "./NumberForm.ts"

export interface Differing<Reading extends string> {
  readonly text: string
  readonly meanings: ReadonlyMap<Reading, string>
}

export class ColumnEvidence<Reading extends string> {
  readonly against = new Map<Reading, string>()
  readonly differing: Array<Differing<Reading>> = []
  private readonly readings: ReadonlyArray<Reading>
  private readonly meaning: (text: string, reading: Reading) => string | undefined

  constructor(readings: ReadonlyArray<Reading>, meaning: (text: string, reading: Reading) => string | undefined) {
    this.readings = readings
    this.meaning = meaning
  }

  take(text: string): void {
    const meanings = new Map<Reading, string>()
    for (const reading of this.readings) {
      const meaning = this.meaning(text, reading)
      if (meaning !== undefined) meanings.set(reading, meaning)
    }
    // a cell that no reading can read proves nothing, and becomes a finding at its place
    if (meanings.size === 0) return
    for (const reading of this.readings) if (!meanings.has(reading)) this.exclude(reading, text)
    if (new Set(meanings.values()).size < 2 || this.differing.length === 3) return
    if (!this.differing.some((other) => other.text === text)) this.differing.push({ text, meanings })
  }

  exclude(reading: Reading, text: string): void {
    if (!this.against.has(reading)) this.against.set(reading, text)
  }

  proof(reading: Reading): ReadonlyArray<string> {
    const others = this.readings.filter((other) => other !== reading)
    const cells = [...new Set(others.flatMap((other) => this.against.get(other) ?? []))]
    const alone = cells.find((text) => others.every((other) => this.meaning(text, other) === undefined))
    return alone === undefined ? cells : [alone]
  }

  get possible(): ReadonlyArray<Reading> {
    return this.readings.filter((reading) => !this.against.has(reading))
  }

  get undecided(): boolean {
    const { possible } = this
    return (
      possible.length > 1 &&
      this.differing.some(({ meanings }) => new Set(possible.map((reading) => meanings.get(reading))).size > 1)
    )
  }
}

export type DateEvidence = ColumnEvidence<DateForm.DateOrder>
export type DecimalEvidence = ColumnEvidence<NumberForm.DecimalMark>

/** Year for dates without a year: a leap year, so that every day can be read. */
const anyYear = 2024

export const dates = (): DateEvidence =>
  new ColumnEvidence(["dmy", "mdy", "ymd"], (text, order) => {
    const date = DateForm.read(text, { order, utc: false, year: anyYear })
    return date === undefined ? undefined : String(date)
  })

const decimal = (
  text: string,
  mark: NumberForm.DecimalMark,
  read: (text: string, mark: NumberForm.DecimalMark) => NumberForm.ParsedNumber
) => {
  const number = read(text, mark)
  return BigDecimal.isBigDecimal(number) ? BigDecimal.normalize(number) : undefined
}

const format = (number: BigDecimal.BigDecimal | undefined) =>
  number === undefined ? undefined : BigDecimal.format(number)

export const decimals = (signs?: NumberForm.MoneySigns): DecimalEvidence =>
  new ColumnEvidence(["point", "comma"], (text, mark) =>
    format(decimal(text, mark, (text, mark) => NumberForm.read(text, mark, signs)))
  )

const hundred = BigDecimal.make(100n, 0)

/**
 * Creates the evidence for percents. A percent is at most 100: a larger value means a wrong
 * reading.
 */
export const percents = (): DecimalEvidence =>
  new ColumnEvidence(["point", "comma"], (text, mark) => {
    const percent = decimal(text, mark, NumberForm.readPercent)
    const possible = percent !== undefined && BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(percent), hundred)
    return possible ? format(percent) : undefined
  })

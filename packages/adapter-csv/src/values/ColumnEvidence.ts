/** What the cells of a column say about the readings that compete for it: one cell can put a reading out, none can prove it. */
import { BigDecimal } from "effect"
import * as DateForm from "./DateForm.ts"
import * as NumberForm from "./NumberForm.ts"

export interface Differing<Reading extends string> {
  readonly text: string
  /** What the cell means under each reading that can read it. */
  readonly meanings: ReadonlyMap<Reading, string>
}

/** Evidence about one column. */
export class ColumnEvidence<Reading extends string> {
  /** Cells that the reading cannot read and another can: the first of them. */
  readonly against = new Map<Reading, string>()
  /** Cells that mean different things; three of them. */
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
    // what nobody can read is no evidence: it becomes a finding where it stands
    if (meanings.size === 0) return
    for (const reading of this.readings) if (!meanings.has(reading)) this.exclude(reading, text)
    if (new Set(meanings.values()).size < 2 || this.differing.length === 3) return
    if (!this.differing.some((other) => other.text === text)) this.differing.push({ text, meanings })
  }

  /** The cell can be read, but not like that. */
  exclude(reading: Reading, text: string): void {
    if (!this.against.has(reading)) this.against.set(reading, text)
  }

  /** The cells that together put every other reading out: one, where one can be read in no other way. */
  proof(reading: Reading): ReadonlyArray<string> {
    const others = this.readings.filter((other) => other !== reading)
    const cells = [...new Set(others.flatMap((other) => this.against.get(other) ?? []))]
    const alone = cells.find((text) => others.every((other) => this.meaning(text, other) === undefined))
    return alone === undefined ? cells : [alone]
  }

  /** The readings that no cell speaks against. */
  get standing(): ReadonlyArray<Reading> {
    return this.readings.filter((reading) => !this.against.has(reading))
  }

  /** Whether it matters which of the standing readings is taken. */
  get undecided(): boolean {
    const { standing } = this
    return (
      standing.length > 1 &&
      this.differing.some(({ meanings }) => new Set(standing.map((reading) => meanings.get(reading))).size > 1)
    )
  }
}

export type DateEvidence = ColumnEvidence<DateForm.DateOrder>
export type DecimalEvidence = ColumnEvidence<NumberForm.DecimalMark>

/** For dates without one: a leap year, so that every day can be read. */
const anyYear = 2024

export const dates = (): DateEvidence =>
  new ColumnEvidence(["dmy", "mdy", "ymd"], (text, order) => {
    const date = DateForm.read(text, { order, utc: false, year: anyYear })
    return date === undefined ? undefined : String(date)
  })

const decimal = (
  text: string,
  mark: NumberForm.DecimalMark,
  read: (text: string, mark: NumberForm.DecimalMark) => NumberForm.Read
) => {
  const number = read(text, mark)
  return BigDecimal.isBigDecimal(number) ? BigDecimal.normalize(number) : undefined
}

const format = (number: BigDecimal.BigDecimal | undefined) =>
  number === undefined ? undefined : BigDecimal.format(number)

/** Beside figures the money signs are understood. */
export const decimals = (signs?: NumberForm.MoneySigns): DecimalEvidence =>
  new ColumnEvidence(["point", "comma"], (text, mark) =>
    format(decimal(text, mark, (text, mark) => NumberForm.read(text, mark, signs)))
  )

const hundred = BigDecimal.make(100n, 0)

/** A percent is at most 100: what would be more is read wrongly. */
export const percents = (): DecimalEvidence =>
  new ColumnEvidence(["point", "comma"], (text, mark) => {
    const percent = decimal(text, mark, NumberForm.readPercent)
    const possible = percent !== undefined && BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(percent), hundred)
    return possible ? format(percent) : undefined
  })

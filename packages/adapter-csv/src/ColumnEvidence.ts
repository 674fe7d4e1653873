/** What the cells of whole columns say about the order of dates and the decimal mark. */
import { BigDecimal } from "effect"
import * as DateForm from "./DateForm.ts"
import * as NumberForm from "./NumberForm.ts"

/** How the cells of one column fare under each reading. */
export interface Evidence<Reading extends string> {
  /** Cells that can be read only otherwise, per reading: with one, the reading is out. */
  readonly against: { readonly [R in Reading]: number }
  /** Cells that mean something else under different readings, three of them kept. */
  readonly differing: ReadonlyArray<string>
}

abstract class Collector<Reading extends string> implements Evidence<Reading> {
  readonly against: { [R in Reading]: number }
  readonly differing: Array<string> = []
  private readonly readings: ReadonlyArray<Reading>

  constructor(readings: ReadonlyArray<Reading>) {
    this.readings = readings
    this.against = Object.fromEntries(readings.map((reading) => [reading, 0])) as { [R in Reading]: number }
  }

  protected abstract meaning(text: string, reading: Reading): string | undefined
  protected abstract indifferent(text: string): boolean

  take(text: string): void {
    if (this.indifferent(text)) return
    const meanings = this.readings.map((reading) => this.meaning(text, reading))
    if (meanings.every((meaning) => meaning === undefined)) return
    for (const [i, reading] of this.readings.entries()) if (meanings[i] === undefined) this.against[reading]++
    const distinct = new Set(meanings.filter((meaning) => meaning !== undefined))
    if (distinct.size > 1 && this.differing.length < 3 && !this.differing.includes(text)) this.differing.push(text)
  }
}

export class DateEvidence extends Collector<"dmy" | "mdy"> {
  constructor() {
    super(["dmy", "mdy"])
  }
  protected indifferent(text: string): boolean {
    return !DateForm.inFigures(text)
  }
  protected meaning(text: string, order: DateForm.DateOrder): string | undefined {
    const date = DateForm.read(text, order)
    return date === undefined ? undefined : String(date)
  }
}

export class DecimalEvidence extends Collector<NumberForm.DecimalMark> {
  constructor() {
    super(["point", "comma"])
  }
  protected indifferent(text: string): boolean {
    return !text.includes(".") && !text.includes(",")
  }
  protected meaning(text: string, mark: NumberForm.DecimalMark): string | undefined {
    const number = NumberForm.read(text, mark)
    return BigDecimal.isBigDecimal(number) ? BigDecimal.format(BigDecimal.normalize(number)) : undefined
  }
}

/** The readings that no cell speaks against. */
export const standing = <Reading extends string>(evidence: Evidence<Reading>): ReadonlyArray<Reading> =>
  (Object.keys(evidence.against) as Array<Reading>).filter((reading) => evidence.against[reading] === 0)

/** What a mapping book has to know of an export, gathered from its readings: an adapter's `draftBook` (core, source/Adapter). */
import { Effect, Stream } from "effect"
import { formatPlain, type Money } from "../document/Money.ts"
import type { BookDraft, Occurrence, Reading } from "./Adapter.ts"
import * as ReadingCheck from "./ReadingCheck.ts"
import type { SourceDocument, SourceTax } from "./SourceDocument.ts"

/** Counts spellings; white space round them is none of theirs. */
class Tally {
  private readonly occurrences = new Map<
    string,
    { count: number; examples: Set<string>; percents: Map<string, Money> }
  >()

  add(stated: string | undefined, example: string, percent?: Money): void {
    const spelling = stated?.trim() ?? ""
    if (spelling === "") return
    const known = this.occurrences.get(spelling) ?? { count: 0, examples: new Set(), percents: new Map() }
    this.occurrences.set(spelling, known)
    known.count++
    if (known.examples.size < 3) known.examples.add(example)
    if (percent !== undefined) known.percents.set(formatPlain(percent), percent)
  }

  /** The most frequent first. */
  get result(): ReadonlyArray<Occurrence> {
    return Array.from(this.occurrences, ([spelling, { count, examples, percents }]) => ({
      spelling,
      count,
      examples: [...examples],
      ...(percents.size > 0 && { percents: [...percents.values()] })
    })).toSorted((a, b) => b.count - a.count || (a.spelling < b.spelling ? -1 : 1))
  }
}

/** Taxes are counted by line and charge, currencies and payment methods by document. */
export const draft = <E, R>(readings: Stream.Stream<Reading, E, R>): Effect.Effect<BookDraft, E, R> =>
  Effect.suspend(() => {
    const taxes = new Tally()
    const currencies = new Tally()
    const payments = new Tally()
    const add = ({ charges, currency, id, lines, number, paymentMethod }: SourceDocument) => {
      const example = number || id
      const addTax = ({ code, percent }: SourceTax) => taxes.add(code, example, percent)
      for (const taxed of [...lines, ...charges]) taxed.taxes.forEach(addTax)
      currencies.add(currency, example)
      payments.add(paymentMethod, example)
    }
    return Effect.map(
      Stream.runForEach(readings, (reading) =>
        Effect.sync(() => {
          // what is wrong with a reading is said when it is planned; here it must not break off
          for (const each of [ReadingCheck.checked(reading, 0)].flat()) if (each._tag === "SourceDocument") add(each)
        })
      ),
      () => ({ taxes: taxes.result, currencies: currencies.result, payments: payments.result })
    )
  })

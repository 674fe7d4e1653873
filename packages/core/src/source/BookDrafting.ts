/** Spellings that a mapping book needs: an adapter's `draftBook` (source/Adapter). */
import { Effect, Stream } from "effect"
import { formatPlain, type Money } from "../document/Money.ts"
import type { BookDraft, Occurrence, Reading } from "./Adapter.ts"
import * as ReadingCheck from "./ReadingCheck.ts"
import type { SourceDocument, SourceTax } from "./SourceDocument.ts"

class SpellingTally {
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

  get result(): ReadonlyArray<Occurrence> {
    return Array.from(this.occurrences, ([spelling, { count, examples, percents }]) => ({
      spelling,
      count,
      examples: [...examples],
      ...(percents.size > 0 && { percents: [...percents.values()] })
    })).toSorted((a, b) => b.count - a.count || (a.spelling < b.spelling ? -1 : 1))
  }
}

/**
 * Drafts a mapping book. Counts taxes by line and charge, currencies and payment methods by
 * document.
 */
export const draft = <E, R>(readings: Stream.Stream<Reading, E, R>): Effect.Effect<BookDraft, E, R> =>
  Effect.suspend(() => {
    const taxes = new SpellingTally()
    const currencies = new SpellingTally()
    const payments = new SpellingTally()
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
          // planning reports the faults of a reading; a fault must not stop the draft
          for (const each of [ReadingCheck.checked(reading, 0)].flat()) if (each._tag === "SourceDocument") add(each)
        })
      ),
      () => ({ taxes: taxes.result, currencies: currencies.result, payments: payments.result })
    )
  })

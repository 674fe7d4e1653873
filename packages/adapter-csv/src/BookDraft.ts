/** What occurs in an export that a mapping book must know: taxes, currencies, payment methods. */
import type { AdapterError, BookDraft, Occurrence, Reading } from "@fiscal-connector/core/source/Adapter"
import { Effect, Stream } from "effect"

class Occurrences {
  private readonly found = new Map<string, { count: number; readonly examples: Array<string> }>()

  add(spelling: string | undefined, number: string): void {
    if (spelling === undefined) return
    const entry = this.found.get(spelling) ?? { count: 0, examples: [] }
    this.found.set(spelling, entry)
    entry.count++
    if (entry.examples.length < 3 && !entry.examples.includes(number)) entry.examples.push(number)
  }

  /** The most frequent first. */
  list(): ReadonlyArray<Occurrence> {
    return [...this.found]
      .map(([spelling, { count, examples }]) => ({ spelling, count, examples }))
      .toSorted((a, b) => b.count - a.count)
  }
}

/** Counts every spelling, taxes per line and the rest per document, with up to three document numbers. */
export const draft = <E extends AdapterError>(readings: Stream.Stream<Reading, E>): Effect.Effect<BookDraft, E> =>
  Effect.suspend(() => {
    const taxes = new Occurrences()
    const currencies = new Occurrences()
    const payments = new Occurrences()
    return readings.pipe(
      Stream.runForEach((reading) =>
        Effect.sync(() => {
          if (reading._tag !== "SourceDocument") return
          currencies.add(reading.currency, reading.number)
          payments.add(reading.paymentMethod, reading.number)
          for (const line of reading.lines) for (const { code } of line.taxes) taxes.add(code, reading.number)
        })
      ),
      Effect.map(() => ({ taxes: taxes.list(), currencies: currencies.list(), payments: payments.list() }))
    )
  })

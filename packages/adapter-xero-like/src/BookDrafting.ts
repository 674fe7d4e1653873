/** What of an export the mapping book has to know, gathered from its issued documents. */
import type { AdapterError, BookDraft, Occurrence, Reading } from "@fiscal-connector/core/source/Adapter"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import { Effect, Stream } from "effect"

class Tally {
  private readonly occurrences = new Map<string, { count: number; readonly examples: Array<string> }>()

  add(spelling: string, document: string): void {
    const known = this.occurrences.get(spelling)
    if (known === undefined) {
      this.occurrences.set(spelling, { count: 1, examples: [document] })
      return
    }
    known.count++
    if (known.examples.length < 3 && !known.examples.includes(document)) known.examples.push(document)
  }

  /** The most frequent first. */
  get result(): ReadonlyArray<Occurrence> {
    return Array.from(this.occurrences, ([spelling, { count, examples }]) => ({ spelling, count, examples })).toSorted(
      (a, b) => b.count - a.count || (a.spelling < b.spelling ? -1 : 1)
    )
  }
}

/** Taxes are counted by line, currencies and payment methods by document. */
export const draftBook = (readings: Stream.Stream<Reading, AdapterError>): Effect.Effect<BookDraft, AdapterError> =>
  Effect.suspend(() => {
    const taxes = new Tally()
    const currencies = new Tally()
    const payments = new Tally()
    const add = ({ charges, currency, id, lines, number, paymentMethod }: SourceDocument) => {
      const example = number === "" ? id : number
      for (const { code } of [...lines, ...charges].flatMap((line) => line.taxes)) taxes.add(code, example)
      if (currency !== undefined) currencies.add(currency, example)
      if (paymentMethod !== undefined) payments.add(paymentMethod, example)
    }
    return Effect.map(
      Stream.runForEach(readings, (reading) =>
        Effect.sync(() => (reading._tag === "SourceDocument" ? add(reading) : undefined))
      ),
      () => ({ taxes: taxes.result, currencies: currencies.result, payments: payments.result })
    )
  })

/** Counts, totals, period and spellings of an export before a mapping book exists. */
import { BigDecimal, Effect, Stream } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { Money } from "../document/Money.ts"
import type { Finding } from "../finding/Finding.ts"
import type { AdapterError, BookDraft, Reading } from "../source/Adapter.ts"
import * as BookDrafting from "../source/BookDrafting.ts"
import * as Readings from "../source/Readings.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"

/**
 * Total of the documents of one kind and currency, as the export spells the currency; empty if the
 * export states no currency.
 */
export interface StatedTotal {
  readonly kind: DocumentKind
  readonly currency: string
  readonly documents: number
  readonly total: Money
  readonly stated: number
}

export interface ExportContents {
  readonly documents: number
  readonly skipped: number
  readonly period: { readonly from: CivilDate.CivilDate; readonly to: CivilDate.CivilDate } | undefined
  readonly totals: ReadonlyArray<StatedTotal>
  /** Spellings that a mapping book must map. */
  readonly spellings: BookDraft
}

/**
 * Reads the export once and passes each finding to `found`, with the document's number. Keeps no
 * document in memory.
 */
export const read = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  found: (finding: Finding, number: string | undefined) => void
): Effect.Effect<ExportContents, AdapterError, R> =>
  Effect.suspend(() => {
    let [documents, skipped] = [0, 0]
    let period: ExportContents["period"]
    const totals = new Map<string, StatedTotal>()
    const add = ({ currency = "", date, findings, kind, number, totals: { total } }: SourceDocument) => {
      documents += 1
      for (const finding of findings) found(finding, number || undefined)
      if (date !== undefined) {
        const day = typeof date === "string" ? date : CivilDate.of(date)
        period = {
          from: period === undefined || day < period.from ? day : period.from,
          to: period === undefined || day > period.to ? day : period.to
        }
      }
      const key = `${kind} ${currency.trim()}`
      const known = totals.get(key)
      totals.set(key, {
        kind,
        currency: currency.trim(),
        documents: (known?.documents ?? 0) + 1,
        total: BigDecimal.sum(known?.total ?? BigDecimal.make(0n, 0), total ?? BigDecimal.make(0n, 0)),
        stated: (known?.stated ?? 0) + (total === undefined ? 0 : 1)
      })
    }
    const entered = Stream.map(Readings.entering(readings), ({ reading }) => {
      if (reading._tag === "SourceDocument") add(reading)
      else if (reading._tag === "Skipped") skipped += 1
      else found(reading, undefined)
      return reading
    })
    return Effect.map(BookDrafting.draft(entered), (spellings) => ({
      documents,
      skipped,
      period,
      totals: [...totals.values()],
      spellings
    }))
  })

/** Sum of a document's lines, and if it is one of the totals that the document states. */
export interface SumOfLines {
  readonly lines: Money | undefined
  readonly agree: "equal" | "different" | "not-known"
}

/** Adds up the lines, and compares the sum with the total with tax or without. */
export const sumOfLines = ({ charges, lines, totals: { net, tax, total } }: SourceDocument): SumOfLines => {
  const amounts = lines.flatMap(({ lineAmount }) => lineAmount ?? [])
  if (amounts.length < lines.length || lines.length === 0) return { lines: undefined, agree: "not-known" }
  const sum = BigDecimal.sumAll(amounts)
  if ((net === undefined && total === undefined) || charges.length > 0) return { lines: sum, agree: "not-known" }
  const without = tax === undefined || total === undefined ? undefined : BigDecimal.subtract(total, tax)
  const isOne = [total, net, without].some((one) => one !== undefined && BigDecimal.equals(sum, one))
  return { lines: sum, agree: isOne ? "equal" : "different" }
}

/** Minimal source documents, a mapping book for them, and a store in memory to plan them in. */
import { planBatch } from "../../src/session/Planning.ts"
import { Effect, Layer, Option, Stream } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import type { Instant } from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import type { ImportEntry } from "../../src/import/ImportEntry.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import * as SqliteStaging from "../../src/node/SqliteStaging.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import type { Reading } from "../../src/source/Adapter.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"

export const money = (text: string): Money.Money => Option.getOrThrow(Money.parse(text))
export const day = (text: string): CivilDate.CivilDate => Option.getOrThrow(CivilDate.parse(text))

export const bookWith = (fields: object = {}) =>
  Effect.runSync(
    BookFile.load(
      "book.json",
      JSON.stringify({
        version: 1,
        zone: "+02:00",
        taxes: [
          { from: ["Standard"], until: "2025-12-31", code: "VAT15", device: 1, percent: "15" },
          { from: ["Standard"], since: "2026-01-01", code: "VAT155", device: 515, percent: "15.5" },
          { from: ["Exempt"], code: "EXEMPT", device: 3, percent: null }
        ],
        currencies: [
          { code: "USD", device: "USD" },
          { code: "ZAR", device: "ZAR" }
        ],
        ...fields
      })
    )
  )

let order = 0

/** Returns an invoice of one line: 1 × 100.00, tax included. */
export const invoice = (number: string, date: string, fields: Partial<SourceDocument> = {}): SourceDocument => ({
  _tag: "SourceDocument",
  kind: "invoice",
  id: number,
  number,
  order: order++,
  date: day(date),
  currency: "USD",
  taxMode: "inclusive",
  lines: [
    {
      description: "Thing",
      quantity: money("1"),
      unitPrice: money("100"),
      taxes: [{ code: "Standard" }],
      productCode: "12345678"
    }
  ],
  charges: [],
  totals: {},
  originals: [],
  findings: [],
  where: () => ({ file: "export", line: order }),
  ...fields
})

/** Returns a credit note for a whole invoice, by the invoice's number. */
export const creditNote = (
  number: string,
  date: string,
  original: string,
  fields: Partial<SourceDocument> = {}
): SourceDocument =>
  invoice(number, date, {
    kind: "credit-note",
    originals: [{ by: "number", value: original }],
    reason: "Returned",
    ...fields
  })

export const destination = { account: "main", taxpayer: "2000000001", lane: "test/1", environment: "test" } as const

export interface PlanOptions {
  readonly book?: object
  readonly originals?: Readonly<Record<string, string>>
  readonly lastClose?: Instant
}

export const plan = (readings: ReadonlyArray<Reading>, { book, lastClose, originals = {} }: PlanOptions = {}) =>
  planBatch(Stream.fromIterable(readings), {
    account: destination.account,
    book: bookWith(book),
    originals: new Map(Object.entries(originals)),
    destination,
    lastClose
  })

/** Returns the plan with all its documents in memory. */
export const planned = (readings: ReadonlyArray<Reading>, options?: PlanOptions) =>
  Effect.gen(function* () {
    const made = yield* plan(readings, options)
    return { ...made, entries: yield* Stream.runCollect(made.entries), skipped: yield* Stream.runCollect(made.skipped) }
  })

/**
 * Returns the result of each document: `planned 2026-01-05T08:00:01+02:00`, `held …`, or the codes
 * that refuse it.
 */
export const outcomesOf = (entries: ReadonlyArray<ImportEntry>): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.map((entry) => [entry.source.number, outcomeText(entry)]))

const outcomeText = (entry: ImportEntry): string => {
  switch (entry._tag) {
    case "Known":
      return `known, ${entry.submission.state}`
    case "Refused":
      return entry.findings
        .filter(({ severity }) => severity === "error")
        .map(({ code }) => code)
        .join(" ")
    case "Planned": {
      const { held, receiptDate } = entry.planned
      return held === null
        ? String(typeof receiptDate === "string" ? receiptDate : CivilDate.of(receiptDate))
        : `held: ${held}`
    }
  }
}

export const memory = Layer.merge(SqliteStore.layer({ filename: ":memory:" }), SqliteStaging.layerMemory)

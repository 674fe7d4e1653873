/** One pass over a whole file: collects the evidence for all other decisions. */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import {
  type Binding,
  type BoundCells,
  cellsOfDocument,
  filledCell,
  isCovered,
  keyOf,
  numeric,
  percents
} from "../columns/Binding.ts"
import * as ByteSource from "../scan/ByteSource.ts"
import * as ColumnEvidence from "../values/ColumnEvidence.ts"
import * as DateForm from "../values/DateForm.ts"
import type { Quotes } from "../scan/Dialect.ts"
import type { Encoding } from "../scan/Encoding.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import { KeyTable } from "../scan/KeyTable.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { widthOf } from "./Interpretation.ts"
import { fits, isFilled, type RowWidth } from "../scan/RowShape.ts"
import { NotText, NumberCell, Scanner, TroubleCell } from "../scan/Scanner.ts"
import type { Settings } from "../columns/Settings.ts"
import { isTable } from "../scan/Table.ts"

export interface Product {
  readonly quantity: Figure
  readonly unitPrice: Figure
  readonly lineAmount: Figure
  readonly signs: NumberForm.MoneySigns
}

export interface Figure {
  readonly cell: number
  readonly text: string
  readonly mark?: NumberForm.DecimalMark
}

export interface Keys {
  readonly widestGap: number
  /** Last row of every key, plus 1. */
  readonly lastRows: KeyTable
}

export interface Surveyed {
  readonly dates: ReadonlyMap<number, ColumnEvidence.DateEvidence>
  readonly typedDates: "none" | "all to the 12th" | "some after the 12th"
  readonly yearless: ReadonlyArray<string>
  readonly numbers: ReadonlyMap<number, ColumnEvidence.DecimalEvidence>
  readonly products: ReadonlyArray<Product>
  readonly signs: ReadonlySet<string>
  readonly currency: "stated" | "unstated"
  readonly amounts: ReadonlyArray<string>
  readonly backslashes: boolean
  readonly keys: Keys
  readonly buyersInDoubt: ReadonlyMap<string, string>
}

export interface CellPlace {
  readonly file: Adapter.InputFile
  readonly header: FoundHeader
  readonly encoding: Encoding
  readonly quotes: Quotes
  readonly start: { readonly offset: number; readonly line: number }
  /** Known money signs. Default: the usual signs. */
  readonly moneySigns?: NumberForm.MoneySigns
}

export interface SurveyRows extends Pick<CellPlace, "file" | "encoding" | "quotes" | "start"> {
  readonly header: Pick<FoundHeader, "delimiter" | "line">
}

export const survey = (place: CellPlace, settings: Settings): Effect.Effect<Surveyed, Adapter.AdapterError> =>
  Effect.suspend(() => {
    const surveyor = new Surveyor(place, settings)
    return pass(
      place,
      place.quotes,
      (record) => surveyor.take(record),
      (chunk) => surveyor.look(chunk)
    ).pipe(Effect.map(() => surveyor.found()))
  })

/** Counts rows that are broken or of the wrong width, and computes a digest of all cells. */
export const tryQuotes = (place: Omit<CellPlace, "quotes">, quotes: Quotes) =>
  Effect.suspend(() => {
    const width = place.header.cells.length
    const tried = { quotes, troubles: 0, digest: 0, examples: [] as Array<string> }
    return pass(place, quotes, (record) => {
      if (record.blank) return
      if (record.fault !== undefined || record.count < width) tried.troubles++
      for (let cell = 0; cell < record.count; cell++) {
        const text = record.cell(cell)
        if (cell >= width && text !== "") tried.troubles++
        for (let i = 0; i < text.length; i++) tried.digest = (Math.imul(tried.digest, 31) + text.charCodeAt(i)) | 0
        tried.digest = (Math.imul(tried.digest, 31) + 7) | 0
        if (/\\/.test(record.rawCell(cell)) && tried.examples.length < 3) tried.examples.push(text)
      }
    }).pipe(Effect.map(() => tried))
  })

export const rows = (
  place: SurveyRows,
  use: (cells: ReadonlyArray<string>) => void
): Effect.Effect<void, Adapter.AdapterError> =>
  pass(place, place.quotes, (record) => {
    if (record.blank || record.fault !== undefined) return
    use(record.cells().map((cell) => cell.trim()))
  })

export const keys = (place: CellPlace): Effect.Effect<Keys, Adapter.AdapterError> =>
  Effect.suspend(() => {
    const keys = new KeyPass(place)
    return pass(place, place.quotes, (record) => keys.take(record)).pipe(Effect.map(() => keys.finish()))
  })

const pass = (
  { encoding, file, header, start }: Omit<SurveyRows, "quotes">,
  quotes: Quotes,
  take: (record: Scanner) => void,
  look: (chunk: Uint8Array) => void = () => undefined
) =>
  Effect.suspend(() => {
    const dialect = { delimiter: header.delimiter, quotes }
    const scanner = new Scanner({ dialect, encoding, ...start }, (record) => {
      if (record.line > header.line) take(record)
    })
    return ByteSource.scannable(file, encoding, start.offset).pipe(
      Stream.runForEach((chunk) =>
        Effect.sync(() => {
          look(chunk)
          scanner.write(chunk)
        })
      ),
      Effect.map(() => scanner.finish())
    )
  })

/** Records the last row of every key; a key is stored when the next key begins. */
class KeyPass {
  private widestGap = 0
  private readonly lastRows = new KeyTable()
  private readonly binding: Binding
  private readonly continues: boolean
  private readonly covered: ((line: number, cell: number) => boolean) | undefined
  private row = -1
  private key = ""
  private asWritten = ""
  private readonly only: number | undefined
  private lastOfKey = 0

  constructor({ file, header: { binding, map } }: Pick<CellPlace, "file" | "header">) {
    this.binding = binding
    this.covered = isTable(file) ? file.table.covered : undefined
    this.continues = map.layout === "continuation"
    this.only = binding.group.length === 1 ? binding.group[0] : undefined
  }

  take(record: Scanner): void {
    if (record.blank) return
    this.row++
    const { only } = this
    if (only !== undefined && this.asWritten !== "" && only < record.count && record.isCell(only, this.asWritten)) {
      this.lastOfKey = this.row + 1
      return
    }
    const own = keyOf(this.binding, record)
    this.asWritten = only === undefined || own === "" ? "" : record.rawCell(only)
    const goesOn = own === "" && (this.continues || isCovered(this.binding.group, record, this.covered))
    const key = goesOn ? this.key : own
    if (key === "") return
    if (key !== this.key) {
      this.note()
      const last = this.lastRows.get(key)
      if (last > 0) this.widestGap = Math.max(this.widestGap, this.row - last)
      this.key = key
    }
    this.lastOfKey = this.row + 1
  }

  finish(): Keys {
    this.note()
    return { widestGap: this.widestGap, lastRows: this.lastRows }
  }

  private note(): void {
    if (this.key !== "") this.lastRows.set(this.key, this.lastOfKey)
  }
}

/** Maximum number of quantity × price checks kept as evidence: the sample has bounded memory. */
const longestSample = 50

const typed = NumberCell | NotText | TroubleCell

/** Matches `Due Date` and `DueDate`, but not `lastUpdate`. */
const namesDates = /\b([Dd]ate|DATE|[Dd]atum|[Dd]ato)\b|[a-z]Date$/

class Surveyor {
  private readonly binding: Binding
  private readonly dates = new Map<number, ColumnEvidence.DateEvidence>()
  private readonly numbers = new Map<number, ColumnEvidence.DecimalEvidence>()
  /** Same evidence as lists, because every row uses them. */
  private readonly dateCells: ReadonlyArray<{ readonly cell: number; readonly evidence: ColumnEvidence.DateEvidence }>
  private readonly figureCells: ReadonlyArray<{
    readonly cell: number
    readonly evidence: ColumnEvidence.DecimalEvidence
  }>
  private readonly dateCell: number | undefined
  private typedDates: Surveyed["typedDates"] = "none"
  private readonly yearless: Array<string> = []
  private readonly lastDates: Array<string> = []
  private readonly products: Array<Product> = []
  private readonly currencyCells: BoundCells
  private readonly numberCells: BoundCells | undefined
  private currency: "stated" | "unstated" = "unstated"
  private readonly signs = new Set<string>()
  private readonly shown: ReadonlySet<number>
  private readonly amounts: Array<string> = []
  private backslashes = false
  private previousByte = 0
  private readonly keys: KeyPass

  private readonly moneySigns: NumberForm.MoneySigns
  private readonly width: RowWidth
  private readonly buyerCells: { readonly id: BoundCells; readonly facts: ReadonlyArray<BoundCells> }
  private readonly buyers = new Map<string, string>()
  private readonly buyersInDoubt = new Map<string, string>()

  constructor({ file, header, moneySigns = NumberForm.usualSigns }: CellPlace, settings: Settings) {
    this.moneySigns = moneySigns
    this.width = widthOf(header, settings)
    this.binding = header.binding
    this.dateCell = cellsOfDocument(header.binding, "date")[0]
    this.currencyCells = cellsOfDocument(header.binding, "currency")
    this.numberCells = header.map.layout === "report" ? cellsOfDocument(header.binding, "number") : undefined
    this.keys = new KeyPass({ file, header })
    this.buyerCells = {
      id: cellsOfDocument(header.binding, "customerId"),
      facts: (["customerName", "customerTin", "customerVat"] as const).map((field) =>
        cellsOfDocument(header.binding, field)
      )
    }
    for (const cell of cellsOfDocument(header.binding, "date")) this.dates.set(cell, ColumnEvidence.dates())
    for (const [cell, name] of header.cells.entries()) {
      if (!this.dates.has(cell) && namesDates.test(name) && !header.binding.passed.has(cell))
        this.dates.set(cell, ColumnEvidence.dates())
    }
    const { line } = header.binding
    const ofLines = [...line.unitPrice, ...line.lineAmount]
    this.shown = new Set(ofLines.length > 0 ? ofLines : numeric(header.binding))
    for (const cell of numeric(header.binding)) this.numbers.set(cell, ColumnEvidence.decimals(moneySigns))
    for (const cell of percents(header.binding)) this.numbers.set(cell, ColumnEvidence.percents())
    this.dateCells = Array.from(this.dates, ([cell, evidence]) => ({ cell, evidence }))
    this.figureCells = Array.from(this.numbers, ([cell, evidence]) => ({ cell, evidence }))
  }

  look(chunk: Uint8Array): void {
    if (this.backslashes || chunk.length === 0) return
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const split = this.previousByte === 0x5c && (bytes[0] === 0x22 || bytes[0] === 0x5c)
    this.backslashes = split || bytes.includes('\\"') || bytes.includes("\\\\")
    this.previousByte = bytes[bytes.length - 1]!
  }

  take(record: Scanner): void {
    if (record.blank) return
    this.keys.take(record)
    // in a row of the wrong width, any cell may be in a wrong column
    if (record.fault !== undefined || !fits(record, this.width)) return
    for (let i = 0; i < this.dateCells.length; i++) {
      const { cell, evidence } = this.dateCells[i]!
      if (!isFilled(record, cell)) continue
      const flags = record.flags[cell]!
      if (flags === 0 && record.isCell(cell, this.lastDates[cell] ?? "")) continue
      const text = record.cell(cell)
      if ((flags & NotText) !== 0) this.takeDate(text, cell)
      if (text === this.lastDates[cell]) continue
      this.lastDates[cell] = text
      if (DateForm.inFigures(text) || DateForm.isYearless(text)) evidence.take(text)
      if (cell === this.dateCell && DateForm.isYearless(text) && this.yearless.length < 3) this.yearless.push(text)
    }
    if (this.buyerCells.id.length > 0) this.takeBuyer(record)
    if (this.currency === "unstated" && filledCell(record, this.currencyCells) >= 0) this.currency = "stated"
    let asked = false
    const inDocument = this.numberCells === undefined || filledCell(record, this.numberCells) >= 0
    for (let i = 0; i < this.figureCells.length; i++) {
      const { cell, evidence } = this.figureCells[i]!
      if (!isFilled(record, cell)) continue
      const flags = record.flags[cell]!
      if (this.amounts.length < 3 && this.shown.has(cell)) this.takeAmount(record.cell(cell))
      if ((flags & typed) !== 0) {
        this.takeSign(record.cell(cell), flags, inDocument)
        continue
      }
      const shape = NumberForm.shapeAt(record.bytes, record.starts[cell]!, record.ends[cell]!)
      if (shape === "whole") continue
      if (shape !== "either") {
        const other = shape === "point" ? "comma" : "point"
        if (!evidence.against.has(other)) evidence.exclude(other, record.cell(cell))
      } else {
        const text = record.cell(cell)
        evidence.take(text)
        asked ||= evidence.differing.length > 0
        const sign = inDocument ? NumberForm.moneySign(text, this.moneySigns) : undefined
        if (sign !== undefined) this.signs.add(sign)
      }
    }
    if (asked && this.products.length < longestSample) this.takeProduct(record)
  }

  found(): Surveyed {
    return {
      dates: this.dates,
      typedDates: this.typedDates,
      yearless: this.yearless,
      numbers: this.numbers,
      products: this.products,
      signs: this.signs,
      currency: this.currency,
      amounts: this.amounts,
      backslashes: this.backslashes,
      keys: this.keys.finish(),
      buyersInDoubt: this.buyersInDoubt
    }
  }

  private takeAmount(text: string): void {
    if (!this.amounts.includes(text)) this.amounts.push(text)
  }

  private takeDate(text: string, cell: number): void {
    if (cell !== this.dateCell) return
    const late = Number(text.slice(8, 10)) > 12
    this.typedDates = late || this.typedDates === "some after the 12th" ? "some after the 12th" : "all to the 12th"
  }

  private takeSign(text: string, flags: number, inDocument: boolean): void {
    const sign = inDocument && (flags & NumberCell) !== 0 ? NumberForm.moneySign(text, this.moneySigns) : undefined
    if (sign !== undefined) this.signs.add(sign)
  }

  private takeBuyer(record: Scanner): void {
    const cell = filledCell(record, this.buyerCells.id)
    if (cell < 0) return
    const facts = this.buyerCells.facts.map((cells) => {
      const filled = filledCell(record, cells)
      return filled < 0 ? "" : record.cell(filled).trim()
    })
    if (facts.every((fact) => fact === "")) return
    const id = record.cell(cell).trim()
    const summary = facts.filter((fact) => fact !== "").join(", ")
    const known = this.buyers.get(id)
    if (known === undefined) this.buyers.set(id, summary)
    else if (known !== summary && !this.buyersInDoubt.has(id)) this.buyersInDoubt.set(id, `"${known}" and "${summary}"`)
  }

  private takeProduct(record: Scanner): void {
    const { discount, discountPercent, lineAmount, quantity, unitPrice } = this.binding.line
    const isReduced = (cells: BoundCells) => {
      const cell = filledCell(record, cells)
      return cell >= 0 && /[1-9]/.test(record.cell(cell))
    }
    if (isReduced(discount) || isReduced(discountPercent)) return
    const [q, p, a] = [quantity, unitPrice, lineAmount].map((cells) => filledCell(record, cells)) as [
      number,
      number,
      number
    ]
    if (q < 0 || p < 0 || a < 0) return
    const figure = (cell: number): Figure => ({
      cell,
      text: record.cell(cell),
      ...((record.flags[cell]! & NumberCell) !== 0 && { mark: "point" })
    })
    this.products.push({ quantity: figure(q), unitPrice: figure(p), lineAmount: figure(a), signs: this.moneySigns })
  }
}

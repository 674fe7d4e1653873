/** Table of taxes and charges next to the lines of a document, on the same rows. */
import { Money, type Provenance, type SourceDocument } from "@fiscal-connector/core/adapter"
import * as Table from "@fiscal-connector/adapter-kit/TaxTable"
import { BigDecimal } from "effect"
import { type BoundCells, filledCell, type TableCells } from "../columns/Binding.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"
import * as Vocabulary from "../columns/Vocabulary.ts"
import type { Notes } from "./Notes.ts"
import { figureIn, type FigureReading } from "./RowFigure.ts"

interface TaxTableRow {
  readonly stated: Table.TableRow
  readonly row: Row.Row
  readonly cell: number
}

export interface Tabled {
  readonly taxMode: Table.ComputedTax["taxMode"]
  readonly lines: ReadonlyArray<SourceDocument.SourceLine>
  readonly charges: ReadonlyArray<SourceDocument.SourceCharge>
  readonly totals: SourceDocument.SourceDocument["totals"]
  readonly places: ReadonlyArray<{ readonly row: Row.Row; readonly cell: number }>
}

const bases: { readonly [word: string]: Table.TableBasis } = {
  actual: "fixed",
  "on net total": "lines",
  "on previous row amount": "row-amount",
  "on previous row total": "row-total",
  "on item quantity": "quantity"
}

export class TaxTable implements FigureReading {
  readonly how: Interpretation
  readonly notes: Notes
  private readonly cells: TableCells
  private readonly rows: Array<TaxTableRow> = []
  private discount: Money.Money | undefined = undefined
  private readonly ofLines = new Map<Row.Row, Pick<Table.TableLine, "net" | "rates">>()

  constructor(how: Interpretation, notes: Notes, cells: TableCells) {
    this.how = how
    this.notes = notes
    this.cells = cells
  }

  take(record: Scanner, row: Row.Row): void {
    const { cells } = this
    this.discount ??= figureIn(this, record, row, cells.discount, ["charges"])
    this.ofLines.set(row, {
      net: figureIn(this, record, row, cells.lineNet, ["lines"]),
      rates: Table.ratesIn(this.text(record, cells.lineRates))
    })
    const code = this.text(record, cells.code)
    const percent = figureIn(this, record, row, cells.percent, ["lines"], NumberForm.readPercent)
    const printed = figureIn(this, record, row, cells.amount, ["totals", "tax"])
    const amount = figureIn(this, record, row, cells.amountAfterDiscount, ["totals", "tax"]) ?? printed
    if (code === "" && percent === undefined && amount === undefined) return
    const word = this.text(record, cells.basis).toLowerCase()
    const basis = word === "" ? undefined : bases[word]
    const cell = filledCell(record, [...cells.code, ...cells.amount])
    if (word !== "" && basis === undefined)
      this.notes.report(CsvFinding.CSV_TAX_ROW, {
        path: ["lines"],
        message: `It is not known what a tax of the type ${Row.quoted(word)} is a percent of`,
        at: Row.where(row, filledCell(record, cells.basis))
      })
    // without a type, a row without a percent is a fixed amount, unless lines state the percents
    const mayBeFixed = cells.basis.length === 0 && cells.lineRates.length === 0 && cells.percent.length > 0
    const isFixed = mayBeFixed && isZero(percent) && !isZero(amount)
    const included = cells.included.length === 0 ? undefined : this.text(record, cells.included)
    this.rows.push({
      row,
      cell: cell < 0 ? 0 : cell,
      stated: {
        basis: basis ?? (isFixed ? "fixed" : "lines"),
        row: numberIn(this.text(record, cells.row)),
        code,
        text: this.text(record, cells.text),
        percent,
        amount: amount ?? Money.zero,
        prices: included === undefined ? "unstated" : Vocabulary.isNo(included) ? "exclude" : "include"
      }
    })
  }

  /** Also if the table as a whole cannot be stated. */
  get taxMode(): Tabled["taxMode"] {
    const prices = new Set(this.rows.map(({ stated }) => stated.prices))
    return prices.has("include") ? "inclusive" : prices.has("exclude") ? "exclusive" : "unstated"
  }

  /** Undefined if impossible, with the reason reported. `rows`: row of each line. */
  settle(
    lines: ReadonlyArray<SourceDocument.SourceLine>,
    rows: ReadonlyArray<Row.Row>,
    totals: SourceDocument.SourceDocument["totals"]
  ): Tabled | undefined {
    const { notes } = this
    if (this.rows.length === 0 && this.discount === undefined) return undefined
    const settled = Table.settle(
      this.rows.map(({ stated }) => stated),
      lines.map((line, i): Table.TableLine => {
        const own = this.ofLines.get(rows[i]!)
        const [code] = line.taxes
        return { amount: worth(line), net: own?.net, code: code?.code, rates: own?.rates ?? new Map() }
      }),
      { ...totals, discount: this.discount && BigDecimal.abs(this.discount) }
    )
    const sum = BigDecimal.sumAll(this.rows.map(({ stated }) => stated.amount))
    if (this.rows.length > 0 && totals.tax !== undefined && !BigDecimal.equals(totals.tax, sum)) {
      const detail = `taxes and charges ${this.rows.map(({ stated }) => Money.formatAmount(stated.amount)).join(" + ")} = ${Money.formatAmount(sum)}, stated ${Money.formatAmount(totals.tax)}`
      notes.report(CsvFinding.CSV_SUMS_DIFFER, { path: ["totals", "tax"], detail, at: this.start() })
    }
    if ("message" in settled) {
      const { fix, message, row } = settled
      const placed = this.rows[row ?? -1]
      if (placed === undefined)
        notes.report(CsvFinding.CSV_SUMS_DIFFER, { path: ["totals", "total"], detail: message, fix, at: this.start() })
      else
        notes.report(CsvFinding.CSV_TAX_ROW, { path: ["lines"], message, fix, at: Row.where(placed.row, placed.cell) })
      return undefined
    }
    if (!BigDecimal.isZero(settled.rounded))
      notes.report(CsvFinding.CSV_TAX_ROUNDED, {
        path: ["totals", "tax"],
        detail: `${Money.formatAmount(settled.rounded)} apart`,
        at: this.start()
      })
    const fixed = this.rows.filter(({ stated }) => stated.basis === "fixed" && !BigDecimal.isZero(stated.amount))
    return {
      taxMode: settled.taxMode,
      lines: lines.map((line, i) => this.lineOf(line, settled, i)),
      charges: settled.charges,
      totals: settled.totals,
      places: settled.charges.map(
        (_, i) => fixed[i] ?? this.rows[0] ?? { row: rows[0]!, cell: this.cells.discount[0] ?? 0 }
      )
    }
  }

  private lineOf(
    line: SourceDocument.SourceLine,
    { discounts, taxes }: Table.ComputedTax,
    i: number
  ): SourceDocument.SourceLine {
    const off = discounts?.[i]
    const stated = taxes[i]!
    return {
      ...line,
      taxes: stated.length > 0 ? stated : line.taxes,
      ...(off !== undefined &&
        !BigDecimal.isZero(off) && {
          discount: { amount: BigDecimal.abs(off) },
          lineAmount: BigDecimal.subtract(worth(line), off)
        })
    }
  }

  private start(): Provenance.Provenance | undefined {
    const [first] = this.rows
    return first && Row.where(first.row, first.cell)
  }

  private text(record: Scanner, cells: BoundCells): string {
    const cell = filledCell(record, cells)
    return cell < 0 ? "" : record.cell(cell).trim()
  }
}

const isZero = (figure: Money.Money | undefined): boolean => figure === undefined || BigDecimal.isZero(figure)

const worth = ({ lineAmount, quantity, unitPrice }: SourceDocument.SourceLine): Money.Money =>
  lineAmount ??
  (quantity === undefined || unitPrice === undefined
    ? Money.zero
    : Money.round(BigDecimal.multiply(quantity, unitPrice), 2))

const numberIn = (text: string): number | undefined => (/^\d{1,4}$/.test(text) ? Number(text) : undefined)

import { Money, type SourceDocument, StatedWords } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { type BoundCells, filledCell, type LineBinding } from "../columns/Binding.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import { type Interpretation, markOf, notTextOf } from "../detect/Interpretation.ts"
import * as IdentifierForm from "../values/IdentifierForm.ts"
import { type NotedCell, Notes } from "./Notes.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { present } from "../values/Present.ts"
import * as Row from "../scan/Row.ts"
import { mayBeName } from "../rows/TotalRows.ts"
import { Quoted, type Scanner } from "../scan/Scanner.ts"

type WritableLine<A> = { -readonly [Key in keyof A]: A[Key] }

const longestUnpacked = 20
const packedPart =
  /(?<quantity>(?:^|[|;{,])\s*"?(?:quantity|qty)"?\s*[:=]\s*"?\d+)|(?<price>[|;,]\s*"?(?:total|price|subtotal|sub_total)"?\s*[:=])|[\n\r\u2028\u2029]/gi

const isPacked = (text: string): boolean => {
  if (text.length <= longestUnpacked || !(text.includes(":") || text.includes("="))) return false
  let hasQuantity = false
  for (const { groups } of text.matchAll(packedPart)) {
    if (groups?.["price"] === undefined) hasQuantity = groups?.["quantity"] !== undefined
    else if (hasQuantity) return true
  }
  return false
}

export const notTaxable = "not taxable"

export class CsvLines {
  readonly lines: Array<SourceDocument.SourceLine> = []
  readonly rows: Array<Row.Row> = []
  readonly bindings: Array<LineBinding> = []
  mayHaveTotals = false
  private lastCode = ""
  private lastTaxes: ReadonlyArray<SourceDocument.SourceTax> = []
  private readonly lastProduct = { code: "", cell: -1, nth: -1 }
  private ids: Map<string, Row.Row> | undefined = undefined
  private readonly how: Interpretation
  private readonly notes: Notes
  private binding: LineBinding

  constructor(how: Interpretation, notes: Notes) {
    this.how = how
    this.notes = notes
    this.binding = how.binding
  }

  take(record: Scanner, row: Row.Row): void {
    const { binding } = this.how
    this.takeLine(record, row)
    for (const further of binding.further) {
      this.binding = further
      this.takeLine(record, row)
    }
    this.binding = binding
  }

  private takeLine(record: Scanner, row: Row.Row): void {
    const { line: cells } = this.binding
    const index = this.lines.length
    const found = this.notes.findings.length
    const line: WritableLine<SourceDocument.SourceLine> = { taxes: [] }
    if (cells.lineId.length > 0) this.takeId(record, row, index)
    const description = filledCell(record, cells.description)
    if (description >= 0) {
      line.description = this.text(record, row, description, index, "description")
      if (mayBeName(line.description)) this.mayHaveTotals = true
      if (isPacked(line.description)) {
        const at = Row.where(row, description)
        this.notes.report(CsvFinding.CSV_LINES_PACKED, { path: ["lines", index, "description"], at })
      }
    }
    const productCode = filledCell(record, cells.productCode)
    if (productCode >= 0) line.productCode = this.productCode(record, row, productCode, index)
    const account = cells.account.length === 0 ? -1 : filledCell(record, cells.account)
    if (account >= 0) line.account = this.text(record, row, account, index, "account")
    const quantity = this.number(record, row, cells.quantity, index, "quantity")
    if (quantity !== undefined) line.quantity = quantity
    const unitPrice = this.number(record, row, cells.unitPrice, index, "unitPrice")
    if (unitPrice !== undefined) line.unitPrice = unitPrice
    const lineAmount = this.number(record, row, cells.lineAmount, index, "lineAmount")
    if (lineAmount !== undefined) line.lineAmount = lineAmount
    const lineTotal =
      cells.lineTotal.length === 0 ? undefined : this.number(record, row, cells.lineTotal, index, "totals")
    const lineNet = cells.lineNet.length === 0 ? undefined : this.number(record, row, cells.lineNet, index, "totals")
    const lineGross =
      cells.lineGross.length === 0 ? undefined : this.number(record, row, cells.lineGross, index, "lineAmount")
    const amount = this.number(record, row, cells.discount, index, "discount")
    const percent = this.number(record, row, cells.discountPercent, index, "discount", NumberForm.readPercent)
    if (amount !== undefined && !BigDecimal.isZero(amount)) line.discount = { amount }
    else if (percent !== undefined && !BigDecimal.isZero(percent)) line.discount = { percent }
    if (lineGross !== undefined && lineAmount !== undefined) {
      const due = BigDecimal.subtract(BigDecimal.abs(lineGross), BigDecimal.abs(amount ?? Money.zero))
      if (!BigDecimal.equals(due, BigDecimal.abs(lineAmount))) {
        const detail = `${Money.formatAmount(lineGross)} less its discount is ${Money.formatAmount(due)}, stated ${Money.formatAmount(lineAmount)}`
        const at = Row.where(row, filledCell(record, cells.lineAmount))
        this.notes.report(CsvFinding.CSV_LINE_FIGURES_DIFFER, { path: ["lines", index, "lineAmount"], detail, at })
      }
    }
    if (lineGross !== undefined || (amount !== undefined && percent !== undefined))
      this.checkDiscount(line, lineGross, { amount, percent }, { record, row, index })
    const empty =
      line.description === undefined &&
      productCode < 0 &&
      quantity === undefined &&
      unitPrice === undefined &&
      lineAmount === undefined &&
      line.discount === undefined
    if (lineTotal !== undefined || lineNet !== undefined) line.totals = present({ total: lineTotal, net: lineNet })
    // a row of another child table next to the lines, or of the document alone
    if (empty && lineTotal === undefined && this.notes.findings.length === found) return
    line.taxes = this.taxes(record, row, index)
    this.lines.push(line)
    this.rows.push(row)
    this.bindings.push(this.binding)
  }

  private checkDiscount(
    { lineAmount, quantity, unitPrice }: SourceDocument.SourceLine,
    gross: Money.Money | undefined,
    { amount, percent }: { readonly amount: Money.Money | undefined; readonly percent: Money.Money | undefined },
    { index, record, row }: { readonly record: Scanner; readonly row: Row.Row; readonly index: number }
  ): void {
    const product = quantity && unitPrice && BigDecimal.abs(BigDecimal.multiply(quantity, unitPrice))
    const { discount, lineGross } = this.binding.line
    const report = (cells: BoundCells, field: string, detail: string) =>
      this.notes.report(CsvFinding.CSV_LINE_FIGURES_DIFFER, {
        path: ["lines", index, field],
        detail,
        at: Row.where(row, filledCell(record, cells))
      })
    if (gross !== undefined && lineAmount === undefined && product !== undefined)
      if (!Money.within(BigDecimal.abs(gross), product, Money.cent))
        report(
          lineGross,
          "unitPrice",
          `quantity × unit price is ${Money.formatAmount(product)}, stated before its discount ${Money.formatAmount(gross)}`
        )
    const before = gross === undefined ? product : BigDecimal.abs(gross)
    if (before === undefined || isZero(amount) || isZero(percent) || amount === undefined || percent === undefined)
      return
    const due = BigDecimal.multiply(BigDecimal.multiply(before, BigDecimal.abs(percent)), Money.cent)
    if (!Money.within(BigDecimal.abs(amount), due, Money.cent))
      report(
        discount,
        "discount",
        `${Money.formatPlain(percent)} % is ${Money.formatAmount(due)}, stated ${Money.formatAmount(amount)}`
      )
  }

  private productCode(record: Scanner, row: Row.Row, cell: number, index: number): string {
    const isShared = cell === this.lastProduct.cell && record.areSince(this.lastProduct.nth, cell)
    const text = isShared ? this.lastProduct.code : record.cell(cell).trim()
    if (isShared || (Notes.isOrdinary(text, record.flags[cell]!) && IdentifierForm.isPlain(text))) {
      this.lastProduct.nth = record.nth
      this.lastProduct.cell = cell
      this.lastProduct.code = text
      return text
    }
    return this.notes.identifier(this.cell(record, row, cell, index, "productCode"))
  }

  /** Consecutive lines with the same single tax code share one array. */
  private taxes(record: Scanner, row: Row.Row, index: number): ReadonlyArray<SourceDocument.SourceTax> {
    const { taxes } = this.binding
    const [only] = taxes
    const cell = only === undefined || taxes.length > 1 ? -1 : filledCell(record, only.code)
    const isCode =
      cell >= 0 &&
      only!.taxable.length === 0 &&
      filledCell(record, only!.percent) < 0 &&
      filledCell(record, only!.amount) < 0
    const isPlain = isCode && (record.flags[cell]! & ~Quoted) === 0
    if (isPlain && record.isCell(cell, this.lastCode)) return this.lastTaxes
    const found = this.notes.findings.length
    const stated = this.statedTaxes(record, row, index)
    // not shared after a finding: every line needs its own finding
    if (isPlain && this.notes.findings.length === found) {
      this.lastCode = record.rawCell(cell)
      this.lastTaxes = stated
    }
    return stated
  }

  private statedTaxes(record: Scanner, row: Row.Row, index: number): ReadonlyArray<SourceDocument.SourceTax> {
    const { taxes } = this.binding
    const stated: Array<SourceDocument.SourceTax> = []
    for (const tax of taxes) {
      const code = filledCell(record, tax.code)
      const taxable = filledCell(record, tax.taxable)
      if (taxable >= 0 && StatedWords.meaningOf("taxable", record.cell(taxable).trim()) === "exempt") {
        const amount = this.number(record, row, tax.amount, index, "taxes")
        stated.push({ code: notTaxable, ...(amount !== undefined && { amount }) })
        continue
      }
      const percent = this.number(record, row, tax.percent, index, "taxes", NumberForm.readPercent)
      const amount = this.number(record, row, tax.amount, index, "taxes")
      if (code < 0 && percent === undefined && amount === undefined) continue
      stated.push({
        code: code < 0 ? "" : this.text(record, row, code, index, "taxes"),
        ...(percent !== undefined && { percent }),
        ...(amount !== undefined && { amount })
      })
    }
    // a second tax without a name and figures does not count
    return stated.length > 1
      ? stated.filter(({ amount, code, percent }) => code !== "" || !isZero(amount, percent))
      : stated
  }

  /** Equal rows are one line. */
  private takeId(record: Scanner, row: Row.Row, index: number): void {
    const cell = filledCell(record, this.binding.line.lineId)
    if (cell < 0) return
    const id = record.cell(cell).trim()
    const ids = (this.ids ??= new Map())
    const known = ids.get(id)
    ids.set(id, row)
    if (known === undefined || Row.comparedText(known) === Row.comparedText(row)) return
    const detail = `the id "${id}" is also on line ${known.line}`
    this.notes.report(CsvFinding.CSV_LINE_ID_TWICE, { path: ["lines", index], detail, at: Row.where(row, cell) })
  }

  remove(lines: ReadonlySet<number>): void {
    for (const all of [this.lines, this.rows, this.bindings] as ReadonlyArray<Array<unknown>>)
      all.splice(0, all.length, ...all.filter((_, i) => !lines.has(i)))
  }

  private number(
    record: Scanner,
    row: Row.Row,
    cells: BoundCells,
    index: number,
    field: string,
    read: NumberForm.Reader = NumberForm.read
  ): Money.Money | undefined {
    const cell = filledCell(record, cells)
    if (cell < 0) return undefined
    const mark = markOf(this.how, cell, record.flags[cell]!)
    return (
      NumberForm.plainAt(record.bytes, record.starts[cell]!, record.ends[cell]!, mark) ??
      this.notes.number(this.cell(record, row, cell, index, field), mark, read)
    )
  }

  private text(record: Scanner, row: Row.Row, cell: number, index: number, field: string): string {
    const text = record.cell(cell)
    return Notes.isOrdinary(text, record.flags[cell]!)
      ? text.trim()
      : this.notes.text(this.cell(record, row, cell, index, field))
  }

  private cell(record: Scanner, row: Row.Row, cell: number, index: number, field: string): NotedCell {
    return {
      text: record.cell(cell),
      column: this.how.origin.header[cell] ?? "",
      path: ["lines", index, field],
      at: () => Row.where(row, cell),
      flags: record.flags[cell]!,
      notText: notTextOf(this.how, record.flags[cell]!)
    }
  }
}

const isZero = (...figures: ReadonlyArray<Money.Money | undefined>): boolean =>
  figures.every((figure) => figure === undefined || BigDecimal.isZero(figure))

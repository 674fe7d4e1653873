/** A document while its rows come in: what its first row states is held against every other row, and each row becomes a line. */
import * as Finding from "@fiscal-connector/core/finding/Finding"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import type * as Money from "@fiscal-connector/core/document/Money"
import type {
  Skipped,
  SourceBuyer,
  SourceCharge,
  SourceLine,
  SourceOriginal,
  SourceTax
} from "@fiscal-connector/core/source/SourceDocument"
import { BigDecimal } from "effect"
import type { Cells } from "./Binding.ts"
import { CsvDocument, type Statement } from "./CsvDocument.ts"
import { CsvFinding } from "./CsvFinding.ts"
import * as DateForm from "./DateForm.ts"
import { type DocumentField, pathOf } from "./Field.ts"
import * as IdentifierForm from "./IdentifierForm.ts"
import type { Interpretation } from "./Interpretation.ts"
import * as NumberForm from "./NumberForm.ts"
import * as Row from "./Row.ts"
import type { Scanner } from "./Scanner.ts"

const charges = [
  ["shipping", "shipping"],
  ["fee", "fee"],
  ["adjustment", "adjustment"],
  ["rounding", "rounding"],
  ["documentDiscount", "discount"]
] as const satisfies ReadonlyArray<readonly [DocumentField, SourceCharge["kind"]]>

type Writable<A> = { -readonly [Key in keyof A]: A[Key] }

export class OpenDocument {
  /** Its rows so far. */
  readonly rows: Array<Row.Row> = []
  readonly findings: Array<Finding.Finding> = []
  private readonly how: Interpretation
  private readonly lines: Array<SourceLine> = []
  private readonly lineRows: Array<Row.Row> = []
  /** Per bound column of the document: the first filled cell, as bytes and as text. */
  private readonly raws: Array<string | undefined> = []
  private readonly texts: Array<string> = []

  constructor(how: Interpretation) {
    this.how = how
  }

  /** Takes the scanner's current record as one more row. */
  add(record: Scanner): void {
    const row = Row.of(record, this.how.origin)
    this.rows.push(row)
    const { document } = this.how.binding
    for (let i = 0; i < document.length; i++) {
      const bound = document[i]!
      const cell = filledCell(record, bound.cells)
      if (cell < 0) continue
      const raw = record.rawCell(cell)
      const known = this.raws[i]
      if (known === undefined) {
        this.raws[i] = raw
        this.texts[i] = record.cell(cell).trim()
      } else if (known !== raw) this.compare(bound.field, i, cell, record, row)
    }
    this.addLine(record, row)
  }

  /** What the document states, once all of its rows are in. */
  close(order: number): CsvDocument | Skipped {
    const number = this.identifier("number") ?? ""
    const id = this.identifier("id") ?? number
    const skipped = this.skipped(number === "" ? id : number)
    if (skipped !== undefined) return skipped
    const buyer = this.buyer()
    const date = this.date()
    const [stated, chargeFields] = this.charges()
    const totals = { ...this.money("net"), ...this.money("tax"), ...this.money("total") }
    const currency = this.text("currency") ?? this.how.settings.currency
    const statement: Statement = {
      kind: this.kind(number, totals),
      id,
      number,
      order,
      ...(date !== undefined && { date }),
      ...(currency !== undefined && { currency }),
      amounts: this.amounts(),
      ...(buyer !== undefined && { buyer }),
      lines: this.lines,
      charges: stated,
      totals,
      originals: this.originals(),
      ...this.texts_("reason", "reference", "paymentMethod")
    }
    const places = { lines: this.lineRows, charges: chargeFields }
    return new CsvDocument(statement, this.findings, this.rows, this.how.binding, places)
  }

  report(code: FindingCode, particulars: Finding.Particulars): void {
    this.findings.push(Finding.make(code, particulars))
  }

  private compare(field: DocumentField, i: number, cell: number, record: Scanner, row: Row.Row): void {
    const text = record.cell(cell).trim()
    const known = this.texts[i]!
    if (text === known || this.sameNumber(text, known)) return
    const path = pathOf[field]
    const column = this.how.origin.header[cell] ?? ""
    if (this.findings.some(({ code, path: at }) => code === "CSV_HEADER_CONFLICT" && at === path)) return
    this.report(CsvFinding.CSV_HEADER_CONFLICT, {
      path,
      message: `Rows of one document disagree in the column "${column}"`,
      detail: `"${known}" and "${text}"`,
      at: Row.where(row, cell)
    })
  }

  private sameNumber(a: string, b: string): boolean {
    const [x, y] = [a, b].map((text) => NumberForm.read(text, this.how.decimalMark))
    return BigDecimal.isBigDecimal(x) && BigDecimal.isBigDecimal(y) && BigDecimal.equals(x, y)
  }

  private addLine(record: Scanner, row: Row.Row): void {
    const { line: cells, taxes } = this.how.binding
    const index = this.lines.length
    const line: Writable<SourceLine> = { taxes: [] }
    let filled = false
    const description = filledCell(record, cells.description)
    if (description >= 0) {
      line.description = this.cellText(record, description, row).trim()
      filled = true
    }
    const quantity = this.number(record, cells.quantity, row, ["lines", index, "quantity"])
    if (quantity !== undefined) line.quantity = quantity
    const unitAmount = this.number(record, cells.unitPrice, row, ["lines", index, "unitAmount"])
    if (unitAmount !== undefined) line.unitAmount = unitAmount
    const lineAmount = this.number(record, cells.lineAmount, row, ["lines", index, "lineAmount"])
    if (lineAmount !== undefined) line.lineAmount = lineAmount
    const amount = this.number(record, cells.discount, row, ["lines", index, "discount"])
    const percent = this.number(record, cells.discountPercent, row, ["lines", index, "discount"])
    if (amount !== undefined && !BigDecimal.isZero(amount)) line.discount = { amount }
    else if (percent !== undefined && !BigDecimal.isZero(percent)) line.discount = { percent }
    const productCode = filledCell(record, cells.productCode)
    if (productCode >= 0) {
      const path = ["lines", index, "productCode"]
      line.productCode = this.identify(record.cell(productCode), path, () => Row.where(row, productCode))
    }
    filled ||= [quantity, unitAmount, lineAmount, amount, percent, line.productCode].some(
      (value) => value !== undefined
    )
    const stated: Array<SourceTax> = []
    for (const tax of taxes) {
      const code = filledCell(record, tax.code)
      if (code < 0) continue
      const percent = this.number(record, tax.percent, row, ["lines", index, "taxes"])
      const amount = this.number(record, tax.amount, row, ["lines", index, "taxes"])
      stated.push({
        code: this.cellText(record, code, row).trim(),
        ...(percent !== undefined && { percent }),
        ...(amount !== undefined && { amount })
      })
    }
    if (!filled && !this.findings.some(({ path }) => path[0] === "lines" && path[1] === index)) return
    line.taxes = stated
    this.lines.push(line)
    this.lineRows.push(row)
  }

  private cellText(record: Scanner, cell: number, row: Row.Row): string {
    const text = record.cell(cell)
    if (text.includes("\ufffd") && !record.rawCell(cell).includes("\u00ef\u00bf\u00bd")) {
      this.report(CsvFinding.CSV_BAD_TEXT, { at: Row.where(row, cell) })
    } else if (text.includes("\0")) this.report(CsvFinding.CSV_NUL, { at: Row.where(row, cell) })
    return text
  }

  private number(record: Scanner, cells: Cells, row: Row.Row, path: Finding.Path): Money.Money | undefined {
    const cell = filledCell(record, cells)
    if (cell < 0) return undefined
    const value = NumberForm.read(record.cell(cell), this.how.decimalMark)
    return typeof value === "string" ? this.noNumber(value, cell, row, path) : value
  }

  private noNumber(problem: string, cell: number, row: Row.Row, path: Finding.Path): undefined {
    const at = Row.where(row, cell)
    this.report(problem === "is a formula" ? CsvFinding.CSV_FORMULA : CsvFinding.CSV_NUMBER_UNREADABLE, {
      path,
      message: `A cell of "${this.how.origin.header[cell] ?? ""}" ${problem}`,
      detail: `"${at.text ?? ""}"`,
      at
    })
  }

  private text(field: DocumentField): string | undefined {
    const { document } = this.how.binding
    for (let i = 0; i < document.length; i++) if (document[i]!.field === field) return this.texts[i] || undefined
    return undefined
  }

  private texts_<Field extends "reason" | "reference" | "paymentMethod">(...fields: ReadonlyArray<Field>) {
    const stated: { [Name in Field]?: string } = {}
    for (const field of fields) {
      const text = this.text(field)
      if (text !== undefined) stated[field] = text
    }
    return stated
  }

  /** Where the value of a field was first stated. */
  private place(field: DocumentField) {
    const cells = this.how.binding.document.find((bound) => bound.field === field)?.cells ?? []
    for (const row of this.rows) {
      const texts = Row.cells(row)
      const cell = cells.find((cell) => (texts[cell] ?? "").trim() !== "")
      if (cell !== undefined) return Row.where(row, cell)
    }
    return Row.where(this.rows[0]!, cells[0])
  }

  private identifier(field: DocumentField): string | undefined {
    const text = this.text(field)
    return text === undefined ? undefined : this.identify(text, pathOf[field], () => this.place(field))
  }

  private identify(text: string, path: Finding.Path, at: () => NonNullable<Finding.Finding["at"]>): string {
    const { trouble, value } = IdentifierForm.read(text)
    if (trouble !== undefined) {
      const code = {
        apostrophe: CsvFinding.CSV_APOSTROPHE,
        damaged: CsvFinding.CSV_IDENTIFIER_DAMAGED,
        formula: CsvFinding.CSV_FORMULA
      }[trouble]
      this.report(code, { path, detail: `"${text.trim()}"`, at: at() })
    }
    return value
  }

  private money<Field extends DocumentField>(field: Field): { [Name in Field]?: Money.Money } {
    const text = this.text(field)
    if (text === undefined) return {}
    const value = NumberForm.read(text, this.how.decimalMark)
    if (value === undefined) return {}
    if (typeof value !== "string") return { [field]: value } as { [Name in Field]?: Money.Money }
    const at = this.place(field)
    const code = value === "is a formula" ? CsvFinding.CSV_FORMULA : CsvFinding.CSV_NUMBER_UNREADABLE
    this.report(code, { path: pathOf[field], message: `The document's ${field} ${value}`, detail: `"${text}"`, at })
    return {}
  }

  private date(): Statement["date"] {
    const text = this.text("date")
    if (text === undefined) return undefined
    const date = DateForm.read(text, this.how.dateOrder, this.how.utc)
    if (date === undefined) {
      this.report(CsvFinding.CSV_DATE_UNREADABLE, { path: ["date"], detail: `"${text}"`, at: this.place("date") })
    }
    return date
  }

  private skipped(key: string): Skipped | undefined {
    const kind = this.text("kind")
    const status = this.text("status")
    const skip = (reason: string, field: DocumentField): Skipped => ({
      _tag: "Skipped",
      key,
      reason,
      at: this.place(field)
    })
    if (kind !== undefined && this.how.vocabulary.kind(kind) === "skip") return skip(`kind "${kind}"`, "kind")
    if (status === undefined) return undefined
    const meaning = this.how.vocabulary.status(status)
    if (meaning === "skip") return skip(`status "${status}"`, "status")
    if (meaning === undefined) {
      const message = `It is not known whether the status "${status}" means that the document has been issued`
      this.report(CsvFinding.CSV_STATUS_UNKNOWN, { path: [], message, at: this.place("status") })
    }
    return undefined
  }

  private kind(number: string, totals: Statement["totals"]): Statement["kind"] {
    const { settings, vocabulary } = this.how
    const word = this.text("kind")
    const stated = this.how.binding.document.some(({ field }) => field === "kind")
    if (stated && (word !== undefined || settings.kind === undefined)) {
      const kind = vocabulary.kind(word ?? "")
      if (kind === "credit-note" || kind === "invoice") return kind
      const message =
        word === undefined ? "The document does not say of what kind it is" : `The kind "${word}" is not known`
      this.report(CsvFinding.CSV_KIND_UNKNOWN, { path: ["kind"], message, at: this.place("kind") })
      return "invoice"
    }
    if (settings.kind !== undefined) return settings.kind
    if (settings.creditNotePrefixes?.some((prefix) => number.startsWith(prefix)) === true) return "credit-note"
    const total = totals.total ?? totals.net
    const negative = total !== undefined && BigDecimal.isNegative(total)
    return negative && settings.negativeTotals === "credit-note" ? "credit-note" : "invoice"
  }

  private amounts(): Statement["amounts"] {
    const word = this.text("amounts")
    if (word === undefined) return this.how.settings.amounts ?? "unstated"
    const meaning = this.how.vocabulary.amounts(word)
    if (meaning !== undefined) return meaning
    const message = `It is not known whether "${word}" means that amounts include tax`
    this.report(CsvFinding.CSV_AMOUNTS_UNKNOWN, { path: ["amounts"], message, at: this.place("amounts") })
    return "unstated"
  }

  private buyer(): SourceBuyer | undefined {
    const present = <Parts extends object>(parts: Parts): Parts | undefined => {
      const stated = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Parts
      return Object.keys(stated).length === 0 ? undefined : stated
    }
    const address = present({
      province: this.text("province"),
      street: this.text("street"),
      houseNo: this.text("houseNo"),
      city: this.text("city")
    })
    return present({
      name: this.text("customerName"),
      tradeName: this.text("customerTradeName"),
      tin: this.identifier("customerTin"),
      vatNumber: this.identifier("customerVat"),
      phone: this.identifier("customerPhone"),
      email: this.text("customerEmail"),
      address
    }) as SourceBuyer | undefined
  }

  private originals(): ReadonlyArray<SourceOriginal> {
    const id = this.identifier("originalId")
    if (id !== undefined) return [{ by: "id", value: id }]
    const number = this.identifier("original")
    return number === undefined ? [] : [{ by: "number", value: number }]
  }

  private charges(): readonly [ReadonlyArray<SourceCharge>, ReadonlyArray<DocumentField>] {
    const stated: Array<SourceCharge> = []
    const fields: Array<DocumentField> = []
    for (const [field, kind] of charges) {
      const amount = this.money(field)[field]
      if (amount === undefined || BigDecimal.isZero(amount)) continue
      stated.push({ kind, amount, taxes: [] })
      fields.push(field)
    }
    return [stated, fields]
  }
}

/** The first of the cells that is not empty in the record; -1 where none is. */
const filledCell = (record: Scanner, cells: Cells): number => {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!
    if (cell < record.count && record.ends[cell]! > record.starts[cell]!) return cell
  }
  return -1
}

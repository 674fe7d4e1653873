/** Collects the rows of a document, and builds its statement after the last row. */
import {
  Finding,
  type FindingCode,
  type Money,
  type Provenance,
  type SourceDocument
} from "@fiscal-connector/core/adapter"
import { BigDecimal, DateTime } from "effect"
import { pathOfCell } from "../columns/Binding.ts"
import { release } from "../columns/ReasonColumns.ts"
import * as Charges from "./Charges.ts"
import { CsvDocument } from "./CsvDocument.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import { DocumentCells } from "./DocumentCells.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import { CsvLines } from "./Lines.ts"
import { Notes } from "./Notes.ts"
import { present } from "../values/Present.ts"
import * as RepeatedRows from "../rows/RepeatedRows.ts"
import * as SeveralColumns from "./SeveralColumns.ts"
import * as StatedBuyer from "./StatedBuyer.ts"
import * as StatedCurrency from "./StatedCurrency.ts"
import * as StatedDate from "./StatedDate.ts"
import * as StatedKind from "./StatedKind.ts"
import * as StatedSums from "./StatedSums.ts"
import { answersFor } from "./WordAnswers.ts"
import * as Statements from "../rows/Statements.ts"
import { TaxTable } from "./TaxTable.ts"
import * as TotalRows from "../rows/TotalRows.ts"
import { type UnboundWord, UnboundWords } from "./UnboundWords.ts"
import { rowAmounts, UnreadAmounts } from "./UnreadAmounts.ts"
import * as Vocabulary from "../columns/Vocabulary.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"

const none: ReadonlyArray<never> = []

/** Parts of numbers that many programs give to credit notes. They raise a question only. */
const creditNumber =
  /^(?:cn|crn|rcn|cm|gs|nc|rinv|credit|refund)(?=[^\p{L}]{0,3}\d)|(?<=\d[^\p{L}\d])(?:cn|cr|credit|refund)$/iu

export class OpenDocument {
  private readonly how: Interpretation
  private readonly notes: Notes
  private readonly cells: DocumentCells
  private readonly lines: CsvLines
  private readonly rows: Array<Row.Row> = []
  private readonly suspects: Array<Provenance.Provenance> = []
  private documentTaxes: ReadonlyArray<string> = []
  private readonly statedTaxes: StatedSums.DocumentTaxes | undefined = undefined
  private readonly table: TaxTable | undefined
  private states: "one state" | "two states" = "one state"
  private linesHaveDiscount = false
  private readonly words: UnboundWords | undefined
  private readonly amounts: UnreadAmounts | undefined
  private readonly group: Row.Row | undefined
  private readonly section: Interpretation["titles"]

  /** `before`: document of the last row. `section`: title above. */
  constructor(how: Interpretation, group?: Row.Row, before?: OpenDocument, section: Interpretation["titles"] = none) {
    this.how = how
    this.section = section
    this.notes = new Notes(how.moneySigns, how.settings.controlCharacters)
    this.cells = new DocumentCells(how, this.notes, before?.cells)
    this.lines = new CsvLines(how, this.notes)
    const { documentTaxAmounts, documentTaxPercents } = how.binding
    if (documentTaxAmounts.length + documentTaxPercents.length > 0)
      this.statedTaxes = new StatedSums.DocumentTaxes(how, this.notes)
    const { table } = how.binding
    this.table = table && new TaxTable(how, this.notes, table)
    this.words = how.words.length === 0 ? undefined : new UnboundWords(how)
    this.amounts = how.amounts.length === 0 ? undefined : new UnreadAmounts(how)
    this.group = group
    if (group !== undefined && how.groups !== undefined)
      this.cells.inherit(how.groups, group, firstFilled(Row.cells(group)))
  }

  add(record: Scanner): void {
    const row = Row.of(record, this.how.origin)
    this.rows.push(row)
    if (this.how.origin.troubles !== undefined) this.checkCells(record, row)
    if (
      this.how.binding.several.length > 0 &&
      SeveralColumns.check(this.how, record, row, this.lines.lines.length, this.notes) === "two states"
    )
      this.states = "two states"
    this.words?.take(record, row)
    this.amounts?.take(record, row)
    this.cells.take(record, row)
    const { documentTaxes } = this.how.binding
    if (documentTaxes.length > 0 && this.documentTaxes.length === 0) {
      this.documentTaxes = documentTaxes.map((cell) => record.cell(cell).trim()).filter((code) => code !== "")
    }
    this.statedTaxes?.take(record, row)
    this.table?.take(record, row)
    this.lines.take(record, row)
  }

  private checkCells(record: Scanner, row: Row.Row): void {
    for (const cell of this.how.read) {
      const code = Row.troubleOf(record, cell, this.how.origin)
      if (code === undefined) continue
      const path = pathOfCell(this.how.binding, cell, this.lines.lines.length)
      this.report(code, { path, detail: Row.quoted(record.cell(cell)), at: Row.where(row, cell) })
    }
  }

  agrees(record: Scanner): boolean {
    return this.cells.agrees(record)
  }

  report(code: FindingCode.FindingCode, particulars: Finding.Particulars): void {
    this.notes.report(code, particulars)
  }

  /** If a total is stated, the total shows whether a line is missing. */
  suspect(at: Provenance.Provenance): void {
    this.suspects.push(at)
  }

  close(order: number): CsvDocument | SourceDocument.Skipped {
    const { cells, how, lines, notes } = this
    const latest = Statements.latest(this.rows, how)
    if (latest._tag === "Contradictory") {
      this.report(CsvFinding.CSV_STATEMENTS_CONTRADICT, { detail: latest.detail, at: this.start() })
    } else if (latest._tag === "Latest") {
      const later = new OpenDocument(how, this.group, undefined, this.section)
      for (const row of latest.rows) Row.scan(row, (record) => later.add(record))
      later.report(CsvFinding.CSV_EARLIER_STATEMENT, { detail: latest.detail, at: this.start() })
      return later.close(order)
    }
    const first = this.rows[0]!
    this.checkReasons()
    const number = cells.identifier("number") ?? ""
    const id = cells.identifier("id") ?? number
    const marked = StatedKind.marked(how.binding.marks, this.rows)
    const head = { kind: cells.text("kind"), id, number, states: this.states, marked }
    const modified = this.modified()
    const skipped = StatedKind.skipped(how, cells, lines, notes, first, head, modified)
    if (skipped !== undefined) return skipped
    const stated = this.totals()
    const totals = this.statedTaxes?.completing(stated) ?? stated
    if (totals.total === undefined && totals.net === undefined) {
      for (const at of this.suspects) this.report(CsvFinding.CSV_LINE_LOST, { at })
    }
    const charges = this.charges()
    this.settleTotalRows(totals)
    this.settleRepeats(charges.stated, totals)
    const linesTotal = cells.number("linesTotal")
    if (linesTotal !== undefined && !this.linesHaveDiscount)
      StatedSums.checkLines(linesTotal, lines.lines, charges.stated, notes, () => cells.place("linesTotal"))
    this.statedTaxes?.check(stated)
    const sum = () => totals.total ?? totals.net ?? RepeatedRows.worthOf(lines.lines)?.sum
    const tabled = this.table?.settle(lines.lines, lines.rows, totals)
    const tableMode = tabled?.taxMode ?? this.table?.taxMode ?? "unstated"
    const kind = StatedKind.read(how, cells, notes, first, head, sum)
    // if refunds have the number of their sale, the sale states its own number in the same column
    const originals = kind === "credit-note" ? this.originals() : []
    const date = StatedDate.read(how, cells, notes, first)
    // a debit note names the invoice that it raises
    const isCredited = kind === "invoice" && marked?.mark.means !== "debit-note"
    const words = this.statedWords(isCredited ? [...this.creditedBy(number), ...this.kindIn(number)] : none, first)
    const currency = StatedCurrency.read(how, cells, notes, first)
    const unread = this.amounts?.of(totals.total === undefined ? "unstated" : "stated", currency) ?? none
    const amounts = totals.total === undefined ? [...unread, ...rowAmounts(how, lines)] : unread
    const fields: SourceDocument.StatedFields = {
      kind,
      ...this.numbered(id, number, originals, date),
      order,
      date,
      due: StatedDate.due(how, first),
      currency,
      taxMode: tableMode === "unstated" ? this.taxMode(charges.stated, totals) : tableMode,
      buyer: StatedBuyer.read(how, cells, notes, first),
      lines:
        tabled?.lines ?? withPercent(withDocumentTaxes(lines.lines, this.documentTaxes), this.statedTaxes?.percent),
      charges: [...charges.stated, ...(tabled?.charges ?? [])],
      totals: tabled?.totals ?? totals,
      originals,
      reason: cells.text("reason"),
      replaces: StatedKind.replacedBy(this.cells),
      reference: cells.text("reference"),
      paymentMethod: cells.text("paymentMethod"),
      modified,
      words: words.length === 0 ? undefined : words.map(({ word }) => word),
      amounts: amounts.length === 0 ? undefined : amounts.map(({ amount }) => amount),
      findings: notes.findings
    }
    this.checkRefund()
    this.checkFailed()
    return new CsvDocument(fields, {
      rows: this.rows,
      lines: lines.rows,
      bindings: lines.bindings,
      charges: [...charges.fields, ...(tabled?.places ?? [])],
      binding: how.binding,
      words,
      amounts,
      due: how.due,
      group: this.group
    })
  }

  private charges(): ReturnType<typeof Charges.read> {
    const read = Charges.read(this.how, this.cells, this.notes)
    const at = read.fields.indexOf("documentDiscount")
    const linesTotal = this.cells.number("linesTotal")
    const discount = read.stated[at]?.amount
    if (this.how.discountOn !== "either" || linesTotal === undefined || discount === undefined) return read
    const left = BigDecimal.subtract(linesTotal, BigDecimal.abs(discount))
    if (!StatedSums.comesTo(this.lines.lines, left)) return read
    this.linesHaveDiscount = true
    return { stated: read.stated.filter((_, i) => i !== at), fields: read.fields.filter((_, i) => i !== at) }
  }

  private taxMode(
    charges: ReadonlyArray<SourceDocument.SourceCharge>,
    totals: SourceDocument.SourceDocument["totals"]
  ): SourceDocument.SourceDocument["taxMode"] {
    const word = this.cells.text("amounts")
    if (word === undefined) {
      const { amounts = "unstated" } = this.how.settings
      return amounts === "per-document" ? StatedSums.basisOf(this.lines.lines, charges, totals) : amounts
    }
    const mode = this.how.vocabulary.amounts(word)
    if (mode !== undefined) return mode
    this.report(CsvFinding.CSV_AMOUNTS_UNKNOWN, {
      path: ["taxMode"],
      message: `It is not known whether ${Row.quoted(word)} means that amounts include tax`,
      ...answersFor("amountsAre", word, ["inclusive", "exclusive", "untaxed"]),
      at: this.cells.place("amounts")
    })
    return "unstated"
  }

  private totals(): SourceDocument.SourceDocument["totals"] {
    return present({
      net: this.cells.number("net"),
      tax: this.cells.number("tax"),
      total: this.cells.number("total")
    })
  }

  private settleRepeats(
    charges: ReadonlyArray<SourceDocument.SourceCharge>,
    totals: SourceDocument.SourceDocument["totals"]
  ): void {
    const repeats = RepeatedRows.judge(this.lines.lines, this.lines.rows, charges, totals)
    if (repeats === undefined || repeats.verdict === "meant") return
    const [first = 0] = repeats.lines
    const at = Row.start(this.lines.rows[first]!)
    const { repeatedRows = "refuse" } = this.how.settings
    const dropped = repeats.verdict === "mistaken" || repeatedRows === "drop"
    if (repeats.verdict === "undecided" && repeatedRows === "keep") return
    const code = dropped ? CsvFinding.CSV_ROWS_DROPPED : CsvFinding.CSV_ROWS_REPEATED
    this.report(code, { path: dropped ? [] : ["lines", first], detail: repeats.detail, at })
    if (dropped) this.lines.remove(repeats.lines)
  }

  private settleTotalRows(totals: SourceDocument.SourceDocument["totals"]): void {
    const { totalRows = "refuse" } = this.how.settings
    if (totalRows === "lines" || !this.lines.mayHaveTotals) return
    const judged = TotalRows.judge(this.lines.lines, totals)
    if (judged === undefined) return
    if (judged.unsure !== undefined && totalRows === "refuse") {
      const { detail, line } = judged.unsure
      const at = Row.start(this.lines.rows[line]!)
      return this.report(CsvFinding.CSV_TOTAL_ROW_UNSURE, { path: ["lines", line], detail, at })
    }
    const passed = new Set([...judged.totals, ...(judged.unsure === undefined ? [] : [judged.unsure.line])])
    const [first = 0] = passed
    this.report(CsvFinding.CSV_TOTAL_ROWS_PASSED, { at: Row.start(this.lines.rows[first]!) })
    this.lines.remove(passed)
  }

  private modified(): number | undefined {
    const text = this.cells.text("modified")
    return text === undefined ? undefined : this.how.moment(text)
  }

  /**
   * Refusal reasons of an earlier import that the rows alone cannot show, until the operator
   * empties the column.
   */
  private checkReasons(): void {
    const { reasons } = this.how
    if (reasons === undefined) return
    const seen = new Set(this.notes.findings.map(({ code }) => code))
    for (const row of this.rows) {
      for (const name of (Row.cells(row)[reasons.cell] ?? "").split(";")) {
        const code = reasons.codes.get(name.trim())
        if (code === undefined || seen.has(code.code)) continue
        seen.add(code.code)
        this.notes.findings.push(Finding.stillStated(code, release, { at: Row.where(row, reasons.cell) }))
      }
    }
  }

  private checkFailed(): void {
    const text = this.cells.text("failed")
    if (text === undefined || Vocabulary.isNo(text)) return
    this.report(CsvFinding.CSV_MARKED_FAILED, { detail: Row.quoted(text), at: this.cells.place("failed") })
  }

  private originals(): ReadonlyArray<SourceDocument.SourceOriginal> {
    const id = this.cells.identifier("originalId")
    const number = this.cells.identifier("original")
    if (id !== undefined) return [{ by: "id", value: id, ...(number !== undefined && { number }) }]
    return number === undefined ? [] : [{ by: "number", value: number }]
  }

  private statedWords(originals: ReadonlyArray<UnboundWord>, first: Row.Row): ReadonlyArray<UnboundWord> {
    const { currencies } = this.how
    const titles = [...this.how.titles, ...this.section]
    const unbound = this.words?.of(this.lines.rows) ?? none
    if (unbound.length + originals.length + currencies.length + titles.length === 0) return none
    const named = currencies.map(({ cell, code: text, name }) => ({
      word: { subject: "currency" as const, name, text },
      row: first,
      cell
    }))
    const titled = titles.map((title) => ({ word: title, row: first, cell: 0 }))
    return [...unbound, ...originals, ...named, ...titled]
  }

  /** An invoice that names an original other than itself contradicts its kind. */
  private creditedBy(number: string): ReadonlyArray<UnboundWord> {
    const { cells, how } = this
    return (["original", "originalId"] as const).flatMap((field) => {
      const stated = cells.has(field) ? cells.cellOf(field) : undefined
      if (stated === undefined || stated.text === "" || stated.text === number) return []
      const { cell, row, text } = stated
      // if refunds have the number of their sale, a sale states its own number
      if (cell === cells.cellOf("number")?.cell) return []
      const name = how.origin.header[cell] ?? ""
      return [{ word: { subject: "original" as const, name, text }, row, cell }]
    })
  }

  private kindIn(number: string): ReadonlyArray<UnboundWord> {
    const { cells, how } = this
    const stated = creditNumber.exec(number)
    if (stated === null || cells.has("kind") || how.settings.kind !== undefined) return []
    const at = cells.cellOf("number")
    if (at === undefined) return []
    const [text] = stated
    const prefix = stated.index === 0 ? [{ settings: { creditNotePrefixes: [text] } }] : []
    const answers = [...prefix, { settings: { kind: "invoice" } }]
    const name = how.origin.header[at.cell] ?? ""
    return [{ word: { subject: "kind" as const, name, text, means: "credit-note" as const, answers }, ...at }]
  }

  /**
   * A refund with the number of its sale gets a new number with its day, because a sale may be
   * refunded on several days. Without the setting the refund is refused, and does not block its
   * sale.
   */
  private numbered(
    id: string,
    number: string,
    originals: ReadonlyArray<SourceDocument.SourceOriginal>,
    date: SourceDocument.SourceDocument["date"]
  ) {
    if (number === "" || !originals.some(({ by, value }) => by === "number" && value === number)) return { id, number }
    if (this.how.settings.refundNumbers !== "suffix") {
      const at = this.cells.place("number")
      this.report(CsvFinding.CSV_REFUND_NUMBER, { path: ["number"], detail: `"${number}"`, at })
    }
    const own = `${number}-R${dayOf(date)}`
    return { id: id === number ? own : id, number: own }
  }

  private checkRefund(): void {
    const refunded = this.cells.number("refunded")
    const hasAmount = refunded !== undefined && !BigDecimal.isZero(refunded)
    // a missing amount does not cancel the status
    const isRefunded = this.how.vocabulary.status(this.cells.text("status") ?? "") === "refunded"
    if (!hasAmount && !isRefunded) return
    const isNoted = this.how.settings.refundedSales === "issued"
    const code = isNoted ? CsvFinding.CSV_REFUND_NOTED : CsvFinding.CSV_REFUND_WITHOUT_NOTE
    this.report(code, { at: this.cells.place(hasAmount ? "refunded" : "status") })
  }

  private start() {
    return Row.start(this.rows[0]!)
  }
}

const dayOf = (date: SourceDocument.SourceDocument["date"]): string =>
  date === undefined ? "" : (typeof date === "string" ? date : DateTime.formatIsoDate(date)).replaceAll("-", "")

const firstFilled = (cells: ReadonlyArray<string>): number =>
  Math.max(
    0,
    cells.findIndex((cell) => cell.trim() !== "")
  )

/**
 * Gives the lines the document's tax codes. With a single code, a line's tax without a name belongs
 * to it.
 */
const withDocumentTaxes = (
  lines: ReadonlyArray<SourceDocument.SourceLine>,
  codes: ReadonlyArray<string>
): ReadonlyArray<SourceDocument.SourceLine> => {
  const [only, other] = codes
  if (only === undefined) return lines
  return lines.map((line) => {
    if (line.taxes.some(({ code }) => code !== "")) return line
    const [stated] = line.taxes
    return { ...line, taxes: other === undefined ? [{ ...stated, code: only }] : codes.map((code) => ({ code })) }
  })
}

/** Gives the lines the percent of the document's single tax, if all lines name the same tax. */
const withPercent = (
  lines: ReadonlyArray<SourceDocument.SourceLine>,
  percent: Money.Money | undefined
): ReadonlyArray<SourceDocument.SourceLine> => {
  if (percent === undefined) return lines
  const codes = new Set(lines.map(({ taxes }) => taxes.map(({ code }) => code).join("\n")))
  if (codes.size > 1) return lines
  return lines.map((line) => {
    const [tax = { code: "" }, other] = line.taxes
    return other === undefined ? { ...line, taxes: [{ percent, ...tax }] } : line
  })
}

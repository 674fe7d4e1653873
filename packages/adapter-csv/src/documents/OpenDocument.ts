/** A document while its rows come in, and what it states once they are all there. */
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type * as Finding from "@fiscal-connector/core/finding/Finding"
import type {
  Skipped,
  SourceBuyer,
  SourceCharge,
  SourceLine,
  SourceOriginal
} from "@fiscal-connector/core/source/SourceDocument"
import type { Money } from "@fiscal-connector/core/document/Money"
import { BigDecimal, DateTime } from "effect"
import * as Charges from "./Charges.ts"
import { CsvDocument, type Statement } from "./CsvDocument.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import * as CurrencySign from "../values/CurrencySign.ts"
import { DocumentCells } from "./DocumentCells.ts"
import type { DocumentField } from "../columns/Field.ts"
import type * as NumberForm from "../values/NumberForm.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import { Lines } from "./Lines.ts"
import { Notes } from "./Notes.ts"
import { present } from "../values/Present.ts"
import * as RepeatedRows from "../rows/RepeatedRows.ts"
import * as StatedSums from "./StatedSums.ts"
import * as Statements from "../rows/Statements.ts"
import * as TotalRows from "../rows/TotalRows.ts"
import * as Vocabulary from "../columns/Vocabulary.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"

export class OpenDocument {
  private readonly how: Interpretation
  private readonly notes: Notes
  private readonly cells: DocumentCells
  private readonly lines: Lines
  private readonly rows: Array<Row.Row> = []
  /** Lines that may belong to it and could not be read. */
  private readonly suspects: Array<Provenance> = []
  private documentTaxes: ReadonlyArray<string> = []
  private readonly statedTaxes: StatedSums.DocumentTaxes | undefined = undefined
  /** The report's group row above it. */
  private readonly group: Row.Row | undefined

  /** `before`: the document whose row came last. */
  constructor(how: Interpretation, group?: Row.Row, before?: OpenDocument) {
    this.how = how
    this.notes = new Notes(how.moneySigns, how.settings.controlCharacters)
    this.cells = new DocumentCells(how, this.notes, before?.cells)
    this.lines = new Lines(how, this.notes)
    const { documentTaxAmounts, documentTaxPercents } = how.binding
    if (documentTaxAmounts.length + documentTaxPercents.length > 0)
      this.statedTaxes = new StatedSums.DocumentTaxes(how, this.notes)
    this.group = group
    if (group !== undefined && how.groups !== undefined)
      this.cells.inherit(how.groups, group, firstFilled(Row.cells(group)))
  }

  /** Takes the scanner's current record as one more row. */
  add(record: Scanner): void {
    const row = Row.of(record, this.how.origin)
    this.rows.push(row)
    if (this.how.origin.troubles !== undefined) this.checkCells(record, row)
    this.cells.take(record, row)
    const { documentTaxes } = this.how.binding
    if (documentTaxes.length > 0 && this.documentTaxes.length === 0) {
      this.documentTaxes = documentTaxes.map((cell) => record.cell(cell).trim()).filter((code) => code !== "")
    }
    this.statedTaxes?.take(record, row)
    this.lines.take(record, row)
  }

  /** Cells of a table that nobody may take for what they say. */
  private checkCells(record: Scanner, row: Row.Row): void {
    for (const cell of this.how.read) {
      const code = Row.troubleOf(record, cell, this.how.origin)
      if (code === undefined) continue
      this.report(code, { detail: `"${Row.short(record.cell(cell))}"`, at: Row.where(row, cell) })
    }
  }

  /** Whether the record says about the document what is known already, or nothing. */
  agrees(record: Scanner): boolean {
    return this.cells.agrees(record)
  }

  report(code: FindingCode, particulars: Finding.Particulars): void {
    this.notes.report(code, particulars)
  }

  /** A line that may belong to it could not be read. Where a total is stated, it will show whether one is missing. */
  suspect(at: Provenance): void {
    this.suspects.push(at)
  }

  /** `order`: its place in the export. */
  close(order: number): CsvDocument | Skipped {
    const latest = Statements.latest(this.rows, this.how)
    if (latest._tag === "Contradictory") {
      this.report(CsvFinding.CSV_STATEMENTS_CONTRADICT, { detail: latest.detail, at: this.start() })
    } else if (latest._tag === "Latest") {
      const later = new OpenDocument(this.how, this.group)
      for (const row of latest.rows) Row.scan(row, (record) => later.add(record))
      later.report(CsvFinding.CSV_EARLIER_STATEMENT, { detail: latest.detail, at: this.start() })
      return later.close(order)
    }
    const number = this.cells.identifier("number") ?? ""
    const id = this.cells.identifier("id") ?? number
    const kind = this.cells.text("kind")
    const skipped = this.skipped(number === "" ? id : number, { id, number, kind })
    if (skipped !== undefined) return skipped
    const stated = this.totals()
    const totals = this.statedTaxes?.completing(stated) ?? stated
    if (totals.total === undefined && totals.net === undefined) {
      for (const at of this.suspects) this.report(CsvFinding.CSV_LINE_LOST, { at })
    }
    const charges = Charges.read(this.how, this.cells, this.notes)
    this.settleTotalRows(totals)
    this.settleRepeats(charges.stated, totals)
    const linesTotal = this.cells.number("linesTotal")
    if (linesTotal !== undefined)
      StatedSums.checkLines(linesTotal, this.lines.lines, charges.stated, this.notes, () =>
        this.cells.place("linesTotal")
      )
    this.statedTaxes?.check(stated)
    const settledKind = this.kind(kind, number, totals)
    // where refunds have the number of their sale, the sale has it in the same column
    const originals = settledKind === "credit-note" ? this.originals() : []
    const date = this.date()
    const statement: Statement = {
      kind: settledKind,
      ...this.numbered(id, number, originals, date),
      order,
      date,
      currency: this.currency(),
      taxMode: this.taxMode(charges.stated, totals),
      buyer: this.buyer(),
      lines: withPercent(withDocumentTaxes(this.lines.lines, this.documentTaxes), this.statedTaxes?.percent),
      charges: charges.stated,
      totals,
      originals,
      reason: this.cells.text("reason"),
      reference: this.cells.text("reference"),
      paymentMethod: this.cells.text("paymentMethod"),
      modified: this.modified()
    }
    this.checkRefund()
    this.checkFailed()
    return new CsvDocument(statement, this.notes.findings, {
      rows: this.rows,
      lines: this.lines.rows,
      charges: charges.fields,
      binding: this.how.binding,
      group: this.group
    })
  }

  private skipped(
    key: string,
    { id, kind, number }: { readonly id: string; readonly number: string; readonly kind: string | undefined }
  ): Skipped | undefined {
    const { vocabulary } = this.how
    // a document that is stated in two kinds or states is refused, and not left out for one of them
    if (this.cells.conflictsIn("kind") || this.cells.conflictsIn("status")) return undefined
    const meant = kind === undefined ? undefined : vocabulary.kind(kind)
    const document = { kind: meant === "credit-note" ? meant : (this.how.settings.kind ?? "invoice"), id, number }
    const modified = this.modified()
    const skip = (reason: string, field: DocumentField, cancelled = false): Skipped => ({
      _tag: "Skipped",
      key,
      reason,
      at: this.cells.place(field) ?? Row.where(this.rows[0]!, undefined),
      ...(meant !== "skip" && {
        document,
        ...(modified !== undefined && { modified }),
        ...(cancelled && { cancelled: document })
      })
    })
    if (kind !== undefined && meant === "skip") {
      const sale = Vocabulary.isMoneyReceived(kind)
        ? ": money received; a cash sale under this name is left out, too"
        : ""
      return skip(`kind ${quoted(kind)}${sale}`, "kind")
    }
    const status = this.cells.text("status")
    const cancelled = this.cells.text("cancelled")
    if (cancelled !== undefined && !Vocabulary.isNo(cancelled))
      return skip(`cancelled ${quoted(cancelled)}`, "cancelled", true)
    if (status === undefined && !this.cells.has("status")) return undefined
    const state = vocabulary.status(status ?? "")
    if (state === "skip") {
      return skip(`status ${quoted(status ?? "")}`, "status", Vocabulary.isCancelled(status ?? ""))
    }
    if (state === undefined) {
      this.report(CsvFinding.CSV_STATUS_UNKNOWN, {
        message: `It is not known whether the status ${quoted(status ?? "")} means that the document has been issued`,
        ...meaning("statuses", status, ["issued", "skip"]),
        at: this.cells.place("status") ?? this.start()
      })
    }
    return undefined
  }

  private kind(word: string | undefined, number: string, totals: Statement["totals"]): Statement["kind"] {
    const { settings, vocabulary } = this.how
    if (this.cells.has("kind") && (word !== undefined || settings.kind === undefined)) {
      const kind = vocabulary.kind(word ?? "")
      if (kind === "credit-note" || kind === "invoice") return kind
      const message =
        word === undefined ? "The document does not say of what kind it is" : `The kind ${quoted(word)} is not known`
      this.report(CsvFinding.CSV_KIND_UNKNOWN, {
        path: ["kind"],
        message,
        ...meaning("kinds", word, ["invoice", "credit-note", "skip"]),
        at: this.cells.place("kind") ?? this.start()
      })
      return "invoice"
    }
    if (settings.kind !== undefined) return settings.kind
    if (settings.creditNotePrefixes?.some((prefix) => number.startsWith(prefix)) === true) return "credit-note"
    const total = totals.total ?? totals.net ?? RepeatedRows.sumOf(this.lines.lines)
    if (total === undefined || !BigDecimal.isNegative(total)) return "invoice"
    if (settings.negativeTotals === "credit-note") return "credit-note"
    this.report(CsvFinding.CSV_TOTAL_NEGATIVE, { path: ["kind"], at: this.start() })
    return "invoice"
  }

  private date(): Statement["date"] {
    const text = this.cells.text("date")
    if (text === undefined) return undefined
    const date = this.how.readDate(text)
    if (date === undefined) {
      this.report(CsvFinding.CSV_DATE_UNREADABLE, {
        path: ["date"],
        detail: quoted(text),
        at: this.cells.place("date")
      })
      return undefined
    }
    this.checkOtherDates(text)
    return typeof date === "string" ? date : this.day(text, date)
  }

  /** A time with an offset: where documents have no time of day, or where it is midnight, the day is all it can state, and may be another. */
  private day(text: string, date: NonNullable<Statement["date"]>): Statement["date"] {
    const { dates, settings, written } = this.how
    const asWritten = written(text)
    if (settings.times === "instant" || asWritten?.clock === undefined) return date
    if (settings.times === "written-day") return asWritten.day
    if (dates !== "days" && asWritten.clock !== "00:00:00") return date
    this.report(CsvFinding.CSV_DATE_HAS_TIME, { path: ["date"], detail: quoted(text), at: this.cells.place("date") })
    return date
  }

  private checkOtherDates(text: string): void {
    const { otherDates, written } = this.how
    if (otherDates.length === 0) return
    const own = written(text)?.day
    const cells = Row.cells(this.rows[0]!)
    for (const cell of otherDates) {
      const other = written(cells[cell] ?? "")?.day
      if (own === undefined || other === undefined || !isADayApart(own, other)) continue
      const answers = [{ map: { version: 1, unread: [this.how.origin.header[cell]] } }]
      const at = Row.where(this.rows[0]!, cell)
      this.report(CsvFinding.CSV_DATES_DIFFER, { path: ["date"], detail: `${own} and ${other}`, answers, at })
    }
  }

  /** The column's, else the person's, else the one money sign beside the figures. */
  private currency(): string | undefined {
    const stated = this.cells.text("currency") ?? this.how.settings.currency
    const { signs } = this.notes
    const { moneySigns } = this.how
    const other =
      stated === undefined
        ? signs.find((sign) => sign !== signs[0] && !isSameCurrency(moneySigns, sign, signs[0]!))
        : signs.find((sign) => CurrencySign.contradicts(sign, stated, moneySigns.codeOf))
    if (other !== undefined) {
      this.report(CsvFinding.CSV_CURRENCY_CONFLICT, {
        path: ["currency"],
        detail: `${quoted(stated ?? signs[0] ?? "")} and ${quoted(other)}`,
        at: this.cells.place("currency") ?? this.start()
      })
    }
    return stated ?? (other === undefined ? signs[0] : undefined)
  }

  private taxMode(charges: ReadonlyArray<SourceCharge>, totals: Statement["totals"]): Statement["taxMode"] {
    const word = this.cells.text("amounts")
    if (word === undefined) {
      const { amounts = "unstated" } = this.how.settings
      return amounts === "per-document" ? StatedSums.basisOf(this.lines.lines, charges, totals) : amounts
    }
    const mode = this.how.vocabulary.amounts(word)
    if (mode !== undefined) return mode
    this.report(CsvFinding.CSV_AMOUNTS_UNKNOWN, {
      path: ["taxMode"],
      message: `It is not known whether ${quoted(word)} means that amounts include tax`,
      ...meaning("amountsAre", word, ["inclusive", "exclusive", "untaxed"]),
      at: this.cells.place("amounts")
    })
    return "unstated"
  }

  private totals(): Statement["totals"] {
    return present({
      net: this.cells.number("net"),
      tax: this.cells.number("tax"),
      total: this.cells.number("total")
    })
  }

  private settleRepeats(charges: ReadonlyArray<SourceCharge>, totals: Statement["totals"]): void {
    const repeats = RepeatedRows.judge(this.lines.lines, this.lines.rows, charges, totals)
    if (repeats === undefined || repeats.verdict === "meant") return
    const [first = 0] = repeats.lines
    const at = Row.where(this.lines.rows[first]!, undefined)
    const { repeatedRows = "refuse" } = this.how.settings
    const dropped = repeats.verdict === "mistaken" || repeatedRows === "drop"
    if (repeats.verdict === "undecided" && repeatedRows === "keep") return
    const code = dropped ? CsvFinding.CSV_ROWS_DROPPED : CsvFinding.CSV_ROWS_REPEATED
    this.report(code, { path: dropped ? [] : ["lines", first], detail: repeats.detail, at })
    if (dropped) this.lines.remove(repeats.lines)
  }

  private buyer(): SourceBuyer | undefined {
    const { cells } = this
    const address = present({
      province: cells.text("province"),
      street: cells.text("street"),
      houseNo: cells.text("houseNo"),
      city: cells.text("city")
    })
    const buyer = present({
      name: cells.text("customerName"),
      tradeName: cells.text("customerTradeName"),
      tin: cells.identifier("customerTin"),
      vatNumber: cells.identifier("customerVat"),
      phone: cells.identifier("customerPhone"),
      email: cells.text("customerEmail"),
      address: isEmpty(address) ? undefined : address
    })
    const { buyersInDoubt } = this.how
    const doubt = buyersInDoubt.size === 0 ? undefined : buyersInDoubt.get(cells.text("customerId") ?? "")
    if (doubt !== undefined) {
      this.report(CsvFinding.CSV_BUYERS_DIFFER, { path: ["buyer"], detail: doubt, at: cells.place("customerId") })
    }
    if (!isEmpty(buyer)) return buyer
    if (cells.text("customerId") !== undefined && this.how.settings.unknownBuyers !== "walk-in") {
      this.report(CsvFinding.CSV_BUYER_UNKNOWN, { path: ["buyer"], at: cells.place("customerId") })
    }
    return undefined
  }

  /** Rows that are called a total among the lines. */
  private settleTotalRows(totals: Statement["totals"]): void {
    const { totalRows = "refuse" } = this.how.settings
    if (totalRows === "lines" || !this.lines.mayHaveTotals) return
    const judged = TotalRows.judge(this.lines.lines, totals)
    if (judged === undefined) return
    if (judged.unsure !== undefined && totalRows === "refuse") {
      const { detail, line } = judged.unsure
      const at = Row.where(this.lines.rows[line]!, undefined)
      return this.report(CsvFinding.CSV_TOTAL_ROW_UNSURE, { path: ["lines", line], detail, at })
    }
    const passed = new Set([...judged.totals, ...(judged.unsure === undefined ? [] : [judged.unsure.line])])
    const [first = 0] = passed
    this.report(CsvFinding.CSV_TOTAL_ROWS_PASSED, { at: Row.where(this.lines.rows[first]!, undefined) })
    this.lines.remove(passed)
  }

  private modified(): number | undefined {
    const text = this.cells.text("modified")
    return text === undefined ? undefined : this.how.moment(text)
  }

  private checkFailed(): void {
    const text = this.cells.text("failed")
    if (text === undefined || Vocabulary.isNo(text)) return
    this.report(CsvFinding.CSV_MARKED_FAILED, { detail: quoted(text), at: this.cells.place("failed") })
  }

  private originals(): ReadonlyArray<SourceOriginal> {
    const id = this.cells.identifier("originalId")
    if (id !== undefined) return [{ by: "id", value: id }]
    const number = this.cells.identifier("original")
    return number === undefined ? [] : [{ by: "number", value: number }]
  }

  /**
   * A refund that has the number of its sale gets one of its own. Its day is in it, since a sale may be refunded on several. Where the person has
   * not said so it is refused, and does not stand in its sale's way either.
   */
  private numbered(id: string, number: string, originals: ReadonlyArray<SourceOriginal>, date: Statement["date"]) {
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
    // an amount left out does not undo what the status says
    const isRefunded = this.how.vocabulary.status(this.cells.text("status") ?? "") === "refunded"
    if (!hasAmount && !isRefunded) return
    const isNoted = this.how.settings.refundedSales === "issued"
    const code = isNoted ? CsvFinding.CSV_REFUND_NOTED : CsvFinding.CSV_REFUND_WITHOUT_NOTE
    this.report(code, { at: this.cells.place(hasAmount ? "refunded" : "status") })
  }

  private start() {
    return Row.where(this.rows[0]!, undefined)
  }
}

/** A cell's text in a sentence. */
const quoted = (text: string): string => `"${Row.short(text)}"`

const longestWord = 100

/** What the column map says to give a word each of these meanings. */
const meaning = (
  words: "statuses" | "kinds" | "amountsAre",
  word: string | undefined,
  meanings: ReadonlyArray<string>
) =>
  word === undefined || word.length > longestWord
    ? undefined
    : { answers: meanings.map((meant) => ({ map: { version: 1, [words]: { [word]: meant } } })) }

/** The day in figures alone. */
const dayOf = (date: Statement["date"]): string =>
  date === undefined ? "" : (typeof date === "string" ? date : DateTime.formatIsoDate(date)).replaceAll("-", "")

/** Whether two signs are spellings of one currency of the person's own. */
const isSameCurrency = ({ codeOf }: NumberForm.MoneySigns, a: string, b: string): boolean =>
  codeOf(a) !== undefined && codeOf(a) === codeOf(b)

const firstFilled = (cells: ReadonlyArray<string>): number =>
  Math.max(
    0,
    cells.findIndex((cell) => cell.trim() !== "")
  )

/** What a line states of its tax without a name is stated of the document's one tax. */
const withDocumentTaxes = (
  lines: ReadonlyArray<SourceLine>,
  codes: ReadonlyArray<string>
): ReadonlyArray<SourceLine> => {
  const [only, other] = codes
  if (only === undefined) return lines
  return lines.map((line) => {
    if (line.taxes.some(({ code }) => code !== "")) return line
    const [stated] = line.taxes
    return { ...line, taxes: other === undefined ? [{ ...stated, code: only }] : codes.map((code) => ({ code })) }
  })
}

/** What the document states of its one tax is stated of its lines, where all of them name the same. */
const withPercent = (lines: ReadonlyArray<SourceLine>, percent: Money | undefined): ReadonlyArray<SourceLine> => {
  if (percent === undefined) return lines
  const codes = new Set(lines.map(({ taxes }) => taxes.map(({ code }) => code).join("\n")))
  if (codes.size > 1) return lines
  return lines.map((line) => {
    const [tax = { code: "" }, other] = line.taxes
    return other === undefined ? { ...line, taxes: [{ percent, ...tax }] } : line
  })
}

const day = 86_400_000

const isADayApart = (a: string, b: string): boolean => Math.abs(Date.parse(a) - Date.parse(b)) === day

const isEmpty = (parts: object): boolean => {
  for (const _ in parts) return false
  return true
}

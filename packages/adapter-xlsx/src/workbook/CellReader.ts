import type { CellKind, Writer } from "@fiscal-connector/adapter-csv/Table"
import * as Decimal from "../cell/Decimal.ts"
import type { NumberFormat } from "../cell/NumberFormat.ts"
import * as SerialDate from "../cell/SerialDate.ts"
import { damaged } from "../Refusal.ts"
import { unescaped } from "./CellText.ts"
import type { SharedStrings } from "./SharedStrings.ts"
import type { Workbook } from "./Workbook.ts"

export interface RawCell {
  readonly row: number
  readonly column: number
  /** `s`, `str`, `inlineStr`, `b`, `e`, `d`, or `n` as the default. */
  readonly type: string
  readonly style: number
  readonly value: string | undefined
  readonly formula: string | undefined
}

export type Trouble = "error" | "uncalculated" | "outside" | "digits" | "low date" | "unreadable"

/**
 * Reference to another workbook, `[1]Sheet1!A1`, or an import function. `Table1[1]` is a column of
 * a table.
 */
const another = /(^|[^\w\]])'?\[\d+\]|\bIMPORT(RANGE|DATA|HTML|XML|FEED)\(/i

export class CellReader {
  private readonly workbook: Workbook
  private readonly texts: SharedStrings
  private readonly writer: Writer
  private readonly lastDay = new SerialDate.LastDay()
  written: CellKind = "text"

  constructor(workbook: Workbook, texts: SharedStrings, writer: Writer) {
    this.workbook = workbook
    this.texts = texts
    this.writer = writer
  }

  /** True if the cell has content. Throws a `Refusal` if the workbook is damaged. */
  take(cell: RawCell): boolean {
    const { formula, type, value } = cell
    if (formula !== undefined) {
      if (another.test(formula)) return this.trouble(cell, "outside", `=${formula}`)
      const calculated = value !== undefined && (value !== "" || type === "str")
      if (!calculated || this.workbook.calculated === "when opened")
        return this.trouble(cell, "uncalculated", `=${formula}`)
    }
    if (value === undefined || value === "") return false
    switch (type) {
      case "n":
        return this.number(cell, value)
      case "s":
        return this.shared(cell, value)
      case "str":
        return this.write(cell, "text", unescaped(value))
      case "inlineStr":
        return this.write(cell, "text", value)
      case "b":
        return value === "1" || value === "true" || value === "0" || value === "false"
          ? this.write(cell, "text", value === "1" || value === "true" ? "TRUE" : "FALSE")
          : this.trouble(cell, "unreadable", value)
      case "e":
        return this.trouble(cell, "error", value)
      case "d": {
        const date = SerialDate.readIso(value)
        return date === undefined ? this.trouble(cell, "unreadable", value) : this.write(cell, "date", date, value)
      }
      default:
        throw damaged(`a cell of row ${cell.row} is of a type that there is not ("${type}")`)
    }
  }

  private shared(cell: RawCell, value: string): boolean {
    const index = /^\d{1,8}$/.test(value) ? Number(value) : -1
    let filled = false
    const known = this.texts.use(index, (bytes, from, to) => {
      filled = to > from
      this.check(!filled || this.writer.bytes(cell.column, bytes, from, to), cell)
    })
    this.written = "text"
    if (!known) throw damaged(`a cell of row ${cell.row} leads to a text that is not there`)
    return filled
  }

  private number(cell: RawCell, value: string): boolean {
    const format = this.format(cell)
    if (format.is === "date") {
      const date = SerialDate.read(value, this.workbook.dates, this.lastDay)
      if (date === undefined) return this.trouble(cell, "low date", value)
      const { zone } = format
      const whole = zone === undefined ? date : `${date}${date.includes("T") ? "" : "T00:00:00"}${zone}`
      return this.write(cell, "date", whole, value)
    }
    const decimal = Decimal.read(value)
    if (decimal === "digits") return this.trouble(cell, "digits", value)
    if (decimal === "none") return this.trouble(cell, "unreadable", value)
    const { text } = decimal
    const stored = text === value ? "" : value
    switch (format.is) {
      case "plain":
        return stored === "" ? this.write(cell, "number", text) : this.write(cell, "number", text, stored)
      case "percent":
        return this.write(cell, "number", `${Decimal.timesHundred(text)}%`, value, format.code)
      case "zeros":
        return /^\d+$/.test(text)
          ? this.write(cell, "number", text.padStart(format.width, "0"), value, format.code)
          : this.write(cell, "formatted", text, stored, format.code)
      case "formatted":
        return this.write(
          cell,
          "formatted",
          (format.sign ?? "") + text,
          format.sign === undefined ? stored : value,
          format.code
        )
    }
  }

  private format({ row, style }: RawCell): NumberFormat {
    const known = this.workbook.formats[style]
    if (known !== undefined) return known
    if (this.workbook.styled === "not at all" && style === 0) return { is: "plain" }
    throw damaged(`a cell of row ${row} has a format that is not there`)
  }

  private trouble(cell: RawCell, trouble: Trouble, says: string): boolean {
    // a prefix, because digits would be read as a number
    return this.write(cell, "trouble", /^[\d.,+-]/.test(says) ? `#${says}` : says, cell.value ?? "", trouble)
  }

  private write(cell: RawCell, kind: CellKind, text: string, ...evidence: ReadonlyArray<string>): boolean {
    if (text === "") return false
    this.check(this.writer.cell(cell.column, kind, text, ...evidence), cell)
    this.written = kind
    return true
  }

  private check(written: boolean, { row }: RawCell): void {
    if (!written) throw damaged(`row ${row} has more than 1 MiB, or two cells in one place`)
  }
}

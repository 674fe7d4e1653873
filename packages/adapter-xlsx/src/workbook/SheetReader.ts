import type { Look, Writer } from "@fiscal-connector/adapter-csv/Table"
import { ExportStatements } from "@fiscal-connector/core/adapter"
import { damaged, Refusal, tooMuch } from "../Refusal.ts"
import type { Handler } from "../xml/XmlPart.ts"
import { CellReader, type RawCell } from "./CellReader.ts"
import { RichText } from "./CellText.ts"
import type { SharedStrings } from "./SharedStrings.ts"
import type { Workbook } from "./Workbook.ts"

const limits = { rows: 1_048_576, columns: 16_384, areas: 1 << 16, words: 200, value: 32_767 * 7 }

export interface Area {
  /** Name such as `B2:C4`. */
  readonly name: string
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export interface SheetFacts {
  readonly rows: number
  readonly hidden: ReadonlyArray<number>
  readonly calculated: { readonly count: number; readonly first: string }
  readonly merged: ReadonlyArray<Area>
  readonly hiddenColumns: ReadonlyArray<string>
  readonly struck: ReadonlyArray<string>
  readonly words: ReadonlyMap<string, ReadonlyArray<string>>
  readonly looks: ReadonlyArray<Look>
}

const besideCells = new Set(["extLst"])

export class SheetReader implements Handler {
  private readonly cells: CellReader
  private readonly writer: Writer
  private readonly rich = new RichText()
  private readonly hidden: Array<number> = []
  private readonly merged: Array<Area> = []
  private readonly unshown: Array<readonly [first: number, last: number]> = []
  private readonly hiddenColumns = new Set<number>()
  /** Areas of array formulas. Only the first cell of an area has the formula. */
  private readonly arrays: Array<Area> = []
  private readonly workbook: Workbook
  private readonly struck: Array<string> = []
  private readonly words = new Map<string, Array<string>>()
  private readonly looks = new Map<string, Look>()
  private rows = 0
  private calculated = 0
  private firstCalculated = ""
  private within: "" | "worksheet" | "sheetData" | "row" | "c" | "is" | "extLst" = ""
  private outside: SheetReader["within"] = ""
  private row = 0
  private rowHidden = false
  private rowFilled = false
  private column = 0
  private type = "n"
  private style = 0
  private value: string | undefined = undefined
  private formula: string | undefined = undefined
  private taking: "" | "v" | "f" = ""
  private ended = false

  constructor(workbook: Workbook, texts: SharedStrings, writer: Writer) {
    this.cells = new CellReader(workbook, texts, writer)
    this.writer = writer
    this.workbook = workbook
  }

  facts(): SheetFacts {
    if (!this.ended) throw damaged("its sheet ends before its rows do")
    const calculated = { count: this.calculated, first: this.firstCalculated }
    const hiddenColumns = [...this.hiddenColumns].toSorted((a, b) => a - b).map(lettersOf)
    const { hidden, merged, rows, struck, words } = this
    return { rows, hidden, calculated, merged, hiddenColumns, struck, words, looks: [...this.looks.values()] }
  }

  get filled(): boolean {
    return this.rows > 0 || this.rowFilled
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (this.within) {
      case "row":
        if (name === "c") return this.openCell(attributes)
        return this.pass(name)
      case "c":
        if (name === "v" || name === "f") {
          this.taking = name
          if (name === "v") this.value = ""
          else {
            this.formula = ""
            if (attributes["t"] === "array" || attributes["t"] === "dataTable") this.add(this.arrays, attributes["ref"])
          }
        } else if (name === "is") {
          this.within = "is"
          this.rich.begin()
        } else this.pass(name)
        return
      case "is":
        return this.rich.open(name)
      case "sheetData":
        if (name === "row") return this.openRow(attributes)
        return this.pass(name)
      case "worksheet":
        if (name === "sheetData") this.within = "sheetData"
        else if (name === "mergeCell") this.add(this.merged, attributes["ref"])
        else if (name === "col") this.openColumns(attributes)
        return
      case "":
        if (name !== "worksheet") throw damaged(`its sheet is not a worksheet (${name})`)
        this.within = "worksheet"
        return
      case "extLst":
    }
  }

  close(name: string): void {
    switch (this.within) {
      case "c":
        if (name === "v" || name === "f") this.taking = ""
        else if (name === "c") this.closeCell()
        return
      case "is":
        if (name === "is") {
          this.within = "c"
          this.value = this.rich.end()
        } else this.rich.close(name)
        return
      case "row":
        if (name === "row") this.closeRow()
        return
      case "sheetData":
        if (name === "sheetData") {
          this.within = "worksheet"
          this.ended = true
        }
        return
      case "extLst":
        if (name === "extLst") this.within = this.outside
        return
      case "worksheet":
      case "":
    }
  }

  text(text: string): void {
    if (this.taking === "v") this.value = this.longer(this.value, text)
    else if (this.taking === "f") this.formula = this.longer(this.formula, text)
    else if (this.within === "is") this.rich.text(text)
  }

  foreign(name: string): void {
    if (this.within === "sheetData" || this.within === "row" || this.within === "c") this.pass(name)
  }

  /** Refuses unknown elements, because their content would be lost without a message. */
  private pass(name: string): void {
    if (!besideCells.has(name)) throw damaged(`its sheet has "${name}" among its cells`)
    this.outside = this.within
    this.within = "extLst"
  }

  private longer(value: string | undefined, text: string): string {
    const longer = (value ?? "") + text
    if (longer.length > limits.value) throw damaged(`a cell of row ${this.row} holds more than a cell can`)
    return longer
  }

  private openRow(attributes: Readonly<Record<string, string>>): void {
    const stated = attributes["r"]
    const row = stated === undefined ? this.row + 1 : /^\d{1,7}$/.test(stated) ? Number(stated) : 0
    if (row < 1 || row > limits.rows) throw damaged(`its sheet has a row "${stated ?? row}"`)
    if (row <= this.row || !this.writer.begin(row)) throw damaged(`row ${row} comes after row ${this.row}`)
    this.row = row
    this.column = 0
    this.rowFilled = false
    this.rowHidden = isHidden(attributes, "ht")
    this.within = "row"
  }

  private closeRow(): void {
    if (!this.writer.end()) throw damaged(`row ${this.row} has more than 1 MiB`)
    if (this.rowFilled) {
      this.rows++
      if (this.rowHidden) this.hidden.push(this.row)
      this.rowFilled = false
    }
    this.within = "sheetData"
  }

  private openCell(attributes: Readonly<Record<string, string>>): void {
    const name = attributes["r"]
    const column = name === undefined ? this.column + 1 : columnOf(name, this.row)
    if (column === undefined || column > limits.columns) throw damaged(`row ${this.row} has a cell "${name ?? column}"`)
    if (column <= this.column) throw damaged(`in row ${this.row} the cell ${name ?? column} comes twice or too late`)
    this.column = column
    this.type = attributes["t"] ?? "n"
    const style = attributes["s"]
    this.style = style === undefined ? 0 : Number(style)
    this.value = this.formula = undefined
    this.within = "c"
  }

  private closeCell(): void {
    this.within = "row"
    const { column, row, style, type, value } = this
    const array = this.arrays.at(-1)
    if (this.formula !== undefined && value === undefined && array?.top === row && array.left === column)
      throw new Refusal(
        `the formula of ${array.name} has no values that a spreadsheet program calculated`,
        "Open it in a spreadsheet program, look at the values and save it again"
      )
    const formula = this.formula ?? this.arrayFormula()
    if (formula === undefined && value === undefined) return
    const cell: RawCell = { row, column, type, style, value, formula }
    if (!this.cells.take(cell)) return
    this.rowFilled = true
    this.look(cell)
    // cells with a problem do not count, because their value is not used
    const isCalculated = formula !== undefined && this.cells.written !== "trouble"
    if (isCalculated && this.calculated++ === 0) this.firstCalculated = `${lettersOf(column)}${row}`
    if (this.unshown.some(([first, last]) => first <= column && column <= last)) this.hiddenColumns.add(column)
  }

  private look({ column, row, style, type }: RawCell): void {
    const shown = this.workbook.shown[style]
    if (shown === undefined) return
    const cell = `${lettersOf(column)}${row}`
    const keep = (cells: Array<string>) => {
      if (cells.length < ExportStatements.mostSamples) cells.push(cell)
    }
    const key = `${column} ${shown.font} ${shown.words}`
    if (type === "n" && (shown.font === "struck" || shown.words !== undefined) && this.looks.size < limits.words)
      if (!this.looks.has(key)) this.looks.set(key, { column: column - 1, cell, words: shown.words })
    if (shown.font === "struck") keep(this.struck)
    if (shown.words === undefined || type !== "n") return
    const cells = this.words.get(shown.words) ?? []
    if (cells.length === 0 && this.words.size < limits.words) this.words.set(shown.words, cells)
    keep(cells)
  }

  /**
   * Only the first cell of an array formula has the formula; without a saved value, the values of
   * the others are unknown.
   */
  private arrayFormula(): string | undefined {
    const { column, row } = this
    const within = ({ bottom, left, right, top }: Area) =>
      top <= row && row <= bottom && left <= column && column <= right
    return this.arrays.find(within) && "{…}"
  }

  /** Adds the columns from `min` to `max`, counted from 1. */
  private openColumns(attributes: Readonly<Record<string, string>>): void {
    if (!isHidden(attributes, "width")) return
    if (this.unshown.length === limits.columns) throw tooMuch("its sheet has too many columns")
    this.unshown.push([Number(attributes["min"]), Number(attributes["max"])])
  }

  private add(areas: Array<Area>, name = ""): void {
    const [, left, top, right, bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(name) ?? []
    if (left === undefined || top === undefined || right === undefined || bottom === undefined) return
    if (areas.length === limits.areas) throw tooMuch("its sheet has too many areas of cells")
    areas.push({ name, left: numberOf(left), right: numberOf(right), top: Number(top), bottom: Number(bottom) })
  }
}

const isHidden = (attributes: Readonly<Record<string, string>>, size: string): boolean =>
  attributes["hidden"] === "1" || attributes["hidden"] === "true" || Number(attributes[size] ?? 1) === 0

const columnOf = (name: string, row: number): number | undefined => {
  let column = 0
  let i = 0
  for (; i < name.length; i++) {
    const letter = name.charCodeAt(i) - 0x40
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  let number = 0
  const digits = name.length - i
  for (; i < name.length; i++) {
    const digit = name.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  return column > 0 && digits > 0 && number === row ? column : undefined
}

const numberOf = (letters: string): number => {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 0x40
  return column
}

export const lettersOf = (column: number): string =>
  column < 1 ? "" : lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(0x41 + ((column - 1) % 26))

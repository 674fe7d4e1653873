/**
 * Writes refused rows as a workbook to correct and import again: the source's columns with
 * unchanged cells, and the reasons.
 */
import type { RefusedRow, TypedCell } from "@fiscal-connector/adapter-csv/RefusedTable"
import * as RefusedTable from "@fiscal-connector/adapter-csv/RefusedTable"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Stream } from "effect"
import { Readable } from "node:stream"
import { ZipFile } from "yazl"
import * as SerialDate from "./cell/SerialDate.ts"
import { escaped } from "./workbook/CellText.ts"
import { lettersOf } from "./workbook/SheetReader.ts"
import { main } from "./workbook/Workbook.ts"

export const write = (refused: Stream.Stream<Adapter.RefusedDocument>): Stream.Stream<Uint8Array> =>
  ofRows(RefusedTable.rows(refused))

export const ofRows = (rows: Stream.Stream<RefusedRow>): Stream.Stream<Uint8Array> =>
  Stream.suspend(() => {
    const styles = new Styles()
    const sheet = new SheetWriter(styles)
    const zip = new ZipFile()
    // a fixed time, so that two files of one import are equal
    const options = { mtime: new Date(Date.UTC(1980, 0, 1, 12)), forceDosTimestamp: true }
    const add = (name: string, parts: AsyncIterable<string> | Iterable<string>) =>
      zip.addReadStreamLazy(name, options, (give) => give(null, Readable.from(parts, { objectMode: false })))
    add("[Content_Types].xml", [contentTypes])
    add("_rels/.rels", [relationships([["officeDocument", "xl/workbook.xml"]])])
    add("xl/_rels/workbook.xml.rels", [
      relationships([
        ["worksheet", "worksheets/sheet1.xml"],
        ["styles", "styles.xml"]
      ])
    ])
    add("xl/worksheets/sheet1.xml", Stream.toAsyncIterable(sheet.parts(rows)))
    // written last, because they depend on the rows
    add(
      "xl/workbook.xml",
      later(() => workbook(sheet.name))
    )
    add(
      "xl/styles.xml",
      later(() => styles.part())
    )
    zip.end()
    return Stream.orDie(
      Stream.fromAsyncIterable<Uint8Array, unknown>(Readable.from(zip.outputStream), (cause) => cause)
    )
  })

function* later(part: () => string): Iterable<string> {
  yield part()
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const contentTypes =
  `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`

const relationships = (parts: ReadonlyArray<readonly [type: string, target: string]>): string =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts
    .map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`

const workbook = (sheet: string): string =>
  `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
  `<sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`

class Styles {
  private readonly codes: Array<string> = ["General", "@", "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"]

  of(code: string): number {
    const known = this.codes.indexOf(code)
    return known < 0 ? this.codes.push(code) - 1 : known
  }

  part(): string {
    const formats = this.codes.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escaped(code)}"/>`)
    const cells = this.codes.map(
      (_, i) => `<xf numFmtId="${164 + i}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`
    )
    return (
      `${head}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.join("")}</numFmts>` +
      '<fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${cells.length}">${cells.join("")}</cellXfs></styleSheet>`
    )
  }
}

const text = 1
const date = 2
const time = 3

class SheetWriter {
  /** Name of the sheet of the first refused row, so that the same command reads the file again. */
  name = "Refused"
  private readonly styles: Styles
  private row = 0

  constructor(styles: Styles) {
    this.styles = styles
  }

  parts(rows: Stream.Stream<RefusedRow>): Stream.Stream<string> {
    return Stream.succeed(`${head}<worksheet xmlns="${main}"><sheetData>`).pipe(
      Stream.concat(Stream.map(rows, (row) => this.write(row))),
      Stream.concat(Stream.succeed("</sheetData></worksheet>"))
    )
  }

  private write({ cells, line, sheet }: RefusedRow): string {
    if (this.row === 0) this.name = sheet ?? this.name
    this.row = line ?? this.row + 1
    return `<row r="${this.row}">${cells.map((cell, i) => this.cell(cell, `${lettersOf(i + 1)}${this.row}`)).join("")}</row>`
  }

  private cell(cell: TypedCell, name: string): string {
    const [stored = "", code = ""] = cell.evidence
    const value = stored === "" ? cell.text : stored
    if (cell.text === "") return ""
    switch (cell.kind) {
      case "text":
        return `<c r="${name}" s="${text}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell.text)}</t></is></c>`
      case "date":
        return /(Z|[+-]\d{2}:\d{2})$/.test(cell.text)
          ? `<c r="${name}" s="${time}" t="d"><v>${escaped(cell.text)}</v></c>`
          : `<c r="${name}" s="${cell.text.length > 10 ? time : date}"><v>${SerialDate.write(cell.text)}</v></c>`
      case "number":
      case "formatted":
        return `<c r="${name}" s="${code === "" ? 0 : this.styles.of(code)}"><v>${escaped(value)}</v></c>`
      case "trouble":
        return trouble(name, value, code)
    }
  }
}

/** Never writes a formula, because its references would mean other cells here. */
const trouble = (name: string, value: string, why: string): string => {
  if (why === "digits" || why === "low date") {
    return `<c r="${name}" s="${why === "digits" ? 0 : date}"><v>${escaped(value)}</v></c>`
  }
  return `<c r="${name}" t="e"><v>${escaped(why === "error" && value !== "" ? value : "#N/A")}</v></c>`
}

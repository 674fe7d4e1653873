/**
 * Writes workbooks part by part, with every variant that a writer may choose and every damage.
 * Shares no code with the adapter.
 */
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { ZipFile } from "yazl"

/** Content of a cell; a date as 2026-01-31, a number as stored. */
export type Cell =
  | undefined
  | { readonly text: string }
  | { readonly runs: ReadonlyArray<string>; readonly guide?: string }
  | { readonly number: string; readonly format?: string }
  | { readonly date: string }
  | { readonly boolean: boolean }
  | { readonly error: string }
  | { readonly formula: string; readonly value?: string; readonly type?: "n" | "str" }
  /** Cell as XML; the writer replaces `$` by its name: `<c r="$" …/>`. */
  | { readonly xml: string }

export interface SheetSpec {
  readonly name: string
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
  readonly state?: "hidden" | "veryHidden"
  /** Numbers of the hidden rows, counted from 1. */
  readonly hiddenRows?: ReadonlyArray<number>
  readonly merged?: ReadonlyArray<string>
  /** XML before the rows: `<cols>…</cols>`. */
  readonly columns?: string
}

export interface Variant {
  readonly strings: "shared" | "inline"
  readonly dates: "1900" | "1904"
  readonly prefix: "" | "x:"
  /** `stated` if rows and cells state their positions. */
  readonly names: "stated" | "left out"
  readonly calculation?: string
}

export const usual: Variant = { strings: "shared", dates: "1900", prefix: "", names: "stated" }

export const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
export const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packageNamespace = "http://schemas.openxmlformats.org/package/2006"
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

export const escape = (text: string): string =>
  text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll("\r", "_x000D_")
    .replaceAll("\u0007", "_x0007_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")

export const letters = (column: number): string =>
  column < 1 ? "" : letters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))

export const serial = (date: string, dates: Variant["dates"]): string => {
  const [day = "", time = "00:00:00"] = date.split("T")
  const from = dates === "1900" ? Date.UTC(1899, 11, 30) : Date.UTC(1904, 0, 1)
  return String((Date.parse(`${day}T${time}Z`) - from) / 86_400_000)
}

const relationships = (parts: ReadonlyArray<readonly [type: string, target: string]>): string =>
  `${head}<Relationships xmlns="${packageNamespace}/relationships">${parts
    .map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`

/** Returns the parts of a workbook by name. */
export const partsOf = (sheets: ReadonlyArray<SheetSpec>, variant: Variant = usual): Map<string, string> => {
  const { dates, names, prefix: p, strings } = variant
  const shared: Array<string> = []
  const formats = ["General", "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"]
  const formatOf = (code: string) => {
    const known = formats.indexOf(code)
    return known < 0 ? formats.push(code) - 1 : known
  }
  const textOf = (content: string) => {
    const known = shared.indexOf(content)
    return known < 0 ? shared.push(content) - 1 : known
  }
  const t = (text: string) => `<${p}t xml:space="preserve">${escape(text)}</${p}t>`
  const cellXml = (cell: Exclude<Cell, undefined>, at: string): string => {
    const r = names === "stated" ? ` r="${at}"` : ""
    const v = (text: string) => `<${p}v>${escape(text)}</${p}v>`
    if ("xml" in cell) return cell.xml.replace(' r="$"', r)
    if ("text" in cell || "runs" in cell) {
      const content =
        "text" in cell
          ? t(cell.text)
          : cell.runs.map((run) => `<${p}r>${t(run)}</${p}r>`).join("") +
            (cell.guide === undefined ? "" : `<${p}rPh sb="0" eb="1">${t(cell.guide)}</${p}rPh>`)
      return strings === "inline"
        ? `<${p}c${r} t="inlineStr"><${p}is>${content}</${p}is></${p}c>`
        : `<${p}c${r} t="s">${v(String(textOf(content)))}</${p}c>`
    }
    if ("number" in cell) return `<${p}c${r} s="${formatOf(cell.format ?? "General")}">${v(cell.number)}</${p}c>`
    if ("date" in cell) {
      return `<${p}c${r} s="${cell.date.includes("T") ? 2 : 1}">${v(serial(cell.date, dates))}</${p}c>`
    }
    if ("boolean" in cell) return `<${p}c${r} t="b">${v(cell.boolean ? "1" : "0")}</${p}c>`
    if ("error" in cell) return `<${p}c${r} t="e">${v(cell.error)}</${p}c>`
    const value = cell.value === undefined ? "" : v(cell.value)
    return `<${p}c${r}${cell.type === "str" ? ' t="str"' : ""}><${p}f>${escape(cell.formula)}</${p}f>${value}</${p}c>`
  }
  const xmlns = p === "" ? `xmlns="${main}"` : `xmlns:${p.slice(0, -1)}="${main}"`
  const parts = new Map<string, string>()
  for (const [i, { columns = "", hiddenRows = [], merged = [], rows }] of sheets.entries()) {
    const body = rows.map((cells, row) => {
      const own = cells.flatMap((cell, column) =>
        cell === undefined
          ? names === "stated"
            ? []
            : [`<${p}c/>`]
          : [cellXml(cell, `${letters(column + 1)}${row + 1}`)]
      )
      const hidden = hiddenRows.includes(row + 1) ? ' hidden="1"' : ""
      return own.length === 0 && names === "stated"
        ? ""
        : `<${p}row${names === "stated" ? ` r="${row + 1}"` : ""}${hidden}>${own.join("")}</${p}row>`
    })
    const merges = merged.map((ref) => `<${p}mergeCell ref="${ref}"/>`).join("")
    parts.set(
      `xl/worksheets/sheet${i + 1}.xml`,
      `${head}<${p}worksheet ${xmlns}>${columns}<${p}sheetData>${body.join("")}</${p}sheetData>${merges === "" ? "" : `<${p}mergeCells>${merges}</${p}mergeCells>`}</${p}worksheet>`
    )
  }
  const named = sheets.map(
    ({ name, state }, i) =>
      `<${p}sheet name="${escape(name)}" sheetId="${i + 1}"${state === undefined ? "" : ` state="${state}"`} r:id="rId${i + 1}"/>`
  )
  const system = dates === "1904" ? `<${p}workbookPr date1904="1"/>` : ""
  parts.set(
    "xl/workbook.xml",
    `${head}<${p}workbook ${xmlns} xmlns:r="${office}">${system}<${p}sheets>${named.join("")}</${p}sheets>${variant.calculation ?? ""}</${p}workbook>`
  )
  parts.set(
    "xl/_rels/workbook.xml.rels",
    relationships([
      ...sheets.map((_, i) => ["worksheet", `worksheets/sheet${i + 1}.xml`] as const),
      ["styles", "styles.xml"],
      ...(strings === "shared" ? [["sharedStrings", "/xl/sharedStrings.xml"] as const] : [])
    ])
  )
  parts.set(
    "xl/styles.xml",
    `${head}<${p}styleSheet ${xmlns}><${p}numFmts>${formats.map((code, i) => `<${p}numFmt numFmtId="${164 + i}" formatCode="${escape(code)}"/>`).join("")}</${p}numFmts><${p}cellXfs>${formats.map((_, i) => `<${p}xf numFmtId="${164 + i}"/>`).join("")}</${p}cellXfs></${p}styleSheet>`
  )
  if (strings === "shared") {
    const items = shared.map((content) => `<${p}si>${content}</${p}si>`)
    parts.set("xl/sharedStrings.xml", `${head}<${p}sst ${xmlns}>${items.join("")}</${p}sst>`)
  }
  parts.set("_rels/.rels", relationships([["officeDocument", "xl/workbook.xml"]]))
  parts.set(
    "[Content_Types].xml",
    `${head}<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/></Types>`
  )
  return parts
}

/** Returns the archive with its packed parts. */
export const zipped = (parts: Iterable<readonly [name: string, content: string | Buffer]>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, content] of parts) {
    zip.addBuffer(Buffer.from(content), name, { mtime: new Date(Date.UTC(2026, 0, 1)), compress: content.length > 100 })
  }
  zip.end()
  return buffer(Readable.from(zip.outputStream))
}

export const workbook = (sheets: ReadonlyArray<SheetSpec>, variant: Variant = usual): Promise<Buffer> =>
  zipped(partsOf(sheets, variant))

/**
 * Generator of sales with five lines per document and 20 columns, as a CSV file and as a workbook
 * with equal cells, typed numbers and dates.
 */
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { createRequire } from "node:module"
import { Readable } from "node:stream"
import { finished } from "node:stream/promises"

/** Mapping book for both files. */
export const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT15", device: 1, percent: "15" }],
  currencies: [{ code: "USD", device: "USD" }],
  defaults: { productCode: "25232900" }
}
const columns =
  "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,CustomerTIN,CustomerPhone,CustomerEmail,Province,Street,HouseNo,City,Description,Quantity,UnitPrice,LineAmount,TaxCode,TotalTax,Total".split(
    ","
  )

type Cell = string | { readonly number: string } | { readonly days: number }

/** Yields the rows: five lines per document, 200 documents per day, every description different. */
function* rowsOf(rows: number): Generator<ReadonlyArray<Cell>> {
  for (let row = 0; row < rows; row++) {
    const document = Math.floor(row / 5)
    yield [
      "invoice",
      `INV-${String(document).padStart(7, "0")}`,
      { days: 43_831 + Math.floor(document / 200) },
      "USD",
      "inclusive",
      `Some Café Buyer ${document % 500}`,
      "2000123456",
      "+263771234567",
      "accounts@example.test",
      "HRE",
      "Samora Machel Ave",
      { number: String(1 + (document % 200)) },
      "Harare",
      `Item ${row % 5} of ${document}`,
      { number: "2" },
      { number: "10.5" },
      { number: "21" },
      "Standard",
      { number: "13.7" },
      { number: "105" }
    ]
  }
}

const isoDay = (days: number) => new Date(Date.UTC(1899, 11, 30 + days)).toISOString().slice(0, 10)

export const writeCsv = async (path: string, rows: number) => {
  const file = createWriteStream(path)
  file.write(`${columns.join(",")}\n`)
  for (const cells of rowsOf(rows)) {
    const texts = cells.map((cell) =>
      typeof cell === "string" ? cell : "days" in cell ? isoDay(cell.days) : cell.number
    )
    if (!file.write(`${texts.join(",")}\n`)) await once(file, "drain")
  }
  await finished(file.end())
}

const spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const relations = (...parts: ReadonlyArray<readonly [string, string]>) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts.map(([type, target], i) => `<Relationship Id="r${i}" Type="${office}/${type}" Target="${target}"/>`).join("")}</Relationships>`

export const writeWorkbook = async (path: string, rows: number) => {
  const { ZipFile } = createRequire(new URL("../../packages/adapter-xlsx/package.json", import.meta.url))("yazl")
  const zip = new ZipFile()
  const known = new Map<string, number>()
  const letters = columns.map((_, i) => String.fromCharCode(65 + i))
  const shared = (text: string) => {
    const index = known.get(text) ?? known.size
    known.set(text, index)
    return index
  }
  function* sheet() {
    yield `<worksheet xmlns="${spreadsheet}"><sheetData>`
    let number = 0
    for (const cells of withHeader(rows)) {
      number++
      yield `<row r="${number}" spans="1:20">${cells
        .map((cell, i) => {
          const name = `${letters[i]!}${number}`
          return typeof cell === "string"
            ? `<c r="${name}" t="s"><v>${shared(cell)}</v></c>`
            : "days" in cell
              ? `<c r="${name}" s="1"><v>${cell.days}</v></c>`
              : `<c r="${name}"><v>${cell.number}</v></c>`
        })
        .join("")}</row>`
    }
    yield "</sheetData></worksheet>"
  }
  function* texts() {
    yield `<sst xmlns="${spreadsheet}">`
    for (const text of known.keys()) yield `<si><t>${text}</t></si>`
    yield "</sst>"
  }
  const add = (name: string, parts: Iterable<string>) =>
    zip.addReadStreamLazy(name, {}, (give: (error: null, stream: Readable) => void) =>
      give(null, Readable.from(parts, { objectMode: false }))
    )
  add("[Content_Types].xml", [
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>'
  ])
  add("_rels/.rels", [relations(["officeDocument", "xl/workbook.xml"])])
  add("xl/workbook.xml", [
    `<workbook xmlns="${spreadsheet}" xmlns:r="${office}"><sheets><sheet name="Sales" sheetId="1" r:id="r0"/></sheets></workbook>`
  ])
  add("xl/_rels/workbook.xml.rels", [
    relations(["worksheet", "worksheets/sheet1.xml"], ["styles", "styles.xml"], ["sharedStrings", "sharedStrings.xml"])
  ])
  add("xl/styles.xml", [
    `<styleSheet xmlns="${spreadsheet}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`
  ])
  add("xl/worksheets/sheet1.xml", sheet())
  add("xl/sharedStrings.xml", texts())
  zip.end()
  await finished(zip.outputStream.pipe(createWriteStream(path)))
}

function* withHeader(rows: number): Generator<ReadonlyArray<Cell>> {
  yield columns
  yield* rowsOf(rows)
}

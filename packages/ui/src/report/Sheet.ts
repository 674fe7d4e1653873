/**
 * Report as a workbook: a sheet with the results of the file and a sheet with all documents. Texts
 * are texts, amounts are numbers.
 */
import { FormulaText, Money } from "@fiscal-connector/core/adapter"
import { SignedSums, TaxShares } from "@fiscal-connector/core/host/import"
import type { ImportedDocument } from "@fiscal-connector/core/session"
import { Effect, Stream } from "effect"
import { escape } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import * as Zip from "./Zip.ts"
import * as Parts from "./Parts.ts"
import * as Tiles from "./Tiles.ts"
import type { Report } from "./Report.ts"
import { gather } from "./Tally.ts"

const texts = Texts.report

const columns = (
  ["number", "date", "buyer", "kind", "currency", "net", "tax", "total", "state", "verification", "why"] as const
).map((name) => Texts.word[name])

type SheetCell = string | Money.Money | null

const cell = (value: SheetCell, column: number, row: number): string => {
  const place = `${String.fromCharCode(65 + column)}${row}`
  if (value === null || value === "") return ""
  return typeof value === "string"
    ? `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escape(FormulaText.neutralized(value))}</t></is></c>`
    : `<c r="${place}" s="1"><v>${Money.formatAmount(value)}</v></c>`
}

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaged = "http://schemas.openxmlformats.org/package/2006"
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const sheet = (rows: ReadonlyArray<ReadonlyArray<SheetCell>>): string =>
  `${head}<worksheet xmlns="${main}"><cols><col min="1" max="12" width="18" customWidth="1"/></cols><sheetData>${rows
    .map((cells, i) => `<row r="${i + 1}">${cells.map((value, column) => cell(value, column, i + 1)).join("")}</row>`)
    .join("")}</sheetData></worksheet>`

const parts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `${head}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  "_rels/.rels": `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  "xl/workbook.xml": `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/><sheet name="Documents" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  "xl/styles.xml": `${head}<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>`
}

const row = (document: ImportedDocument.ImportedDocument, percents: TaxShares.Percents): ReadonlyArray<SheetCell> => {
  const { buyer, currency, kind, number, state, text, total, verificationCode } = document
  return [
    number || (document.id ?? ""),
    Parts.dated(document).slice(0, "YYYY-MM-DD".length),
    buyer ?? "",
    kind ?? "",
    currency ?? "",
    Tiles.sumOf(document, percents, "net"),
    Tiles.sumOf(document, percents, "tax"),
    SignedSums.signed(kind, total),
    Texts.states[state] ?? state,
    verificationCode ?? "",
    state === "Fiscalised" ? "" : (text ?? document.findings.map(({ message }) => message).join("; "))
  ]
}

/** Returns the workbook in pieces. The sheets are built in memory. */
export const write = <E, R>(report: Report<E, R>): Stream.Stream<Uint8Array, E, R> => {
  const { at, book, destinations, record } = report
  const files = Effect.gen(function* () {
    const percents = TaxShares.percentsOf(book)
    const rows: Array<ReadonlyArray<SheetCell>> = [columns]
    const { summary } = yield* gather(report, (document) => rows.push(row(document, percents)))
    const groups = SignedSums.byGroup(summary)
    const about: ReadonlyArray<ReadonlyArray<SheetCell>> = [
      [texts.title, texts.made(Parts.time(at))],
      ...destinations.flatMap(({ lane, taxpayer }) => [
        [texts.taxpayer, taxpayer],
        [Texts.word.device, lane]
      ]),
      ...(record?.files ?? []).map(({ name, sha256 }) => [texts.file, name, texts.hash, sha256]),
      [],
      [texts.balance, Texts.word.documents, Texts.word.currency, Texts.word.total],
      ...groups.flatMap(({ documents, group, sums, unknown }) => [
        [Texts.living.tiles[group], String(documents)],
        ...sums.map(({ currency, total }) => ["", "", currency, total]),
        ...(unknown === 0 ? [] : [["", "", Texts.living.notKnown(unknown)]])
      ]),
      [],
      [Texts.word.state, Texts.word.currency, texts.taxCode, Texts.word.net, Texts.word.tax, Texts.word.total],
      ...groups.flatMap(({ group }) =>
        SignedSums.ofGroup(summary, group).flatMap(({ currency, taxes }) =>
          taxes.map((one) => [Texts.living.tiles[group], currency, one.taxCode ?? "", one.net, one.tax, one.total])
        )
      )
    ]
    const sheets = { "xl/worksheets/sheet1.xml": sheet(about), "xl/worksheets/sheet2.xml": sheet(rows) }
    return Object.entries({ ...parts, ...sheets }).map(([name, text]) => ({
      name,
      bytes: new TextEncoder().encode(text)
    }))
  })
  return Zip.write(Stream.fromIterableEffect(files))
}

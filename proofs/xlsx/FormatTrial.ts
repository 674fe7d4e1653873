/**
 * Compares known formats and our examples as workbooks with the CSV files: the documents must be
 * the same.
 */
import * as Random from "../Random.ts"
import { documentsOf, type Format, formats, gridOf, type Role, textOf } from "../csv/ExportFormats.ts"
import { adapter as csv, type CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { Scanner } from "@fiscal-connector/adapter-csv/Scanner"
import { formatPlain } from "../../packages/core/src/document/Money.ts"
import { refuses } from "../../packages/core/src/finding/Finding.ts"
import type { AdapterError, Reading } from "../../packages/core/src/source/Adapter.ts"
import { BigDecimal, DateTime, Effect, Stream } from "effect"
import { adapter as xlsx } from "../../packages/adapter-xlsx/src/XlsxAdapter.ts"
import * as OtherWriter from "../../packages/adapter-xlsx/test/OtherWriter.ts"
import * as WorkbookParts from "../../packages/adapter-xlsx/test/WorkbookParts.ts"
import { fileOf } from "./WorkbookTrial.ts"

export type Grid = ReadonlyArray<ReadonlyArray<string>>

/** Returns the cells of a CSV text. */
export const gridIn = (text: string, delimiter: "," | ";" = ","): Grid => {
  const rows: Array<ReadonlyArray<string>> = []
  const scanner = new Scanner({ dialect: { delimiter, quotes: "doubled" }, encoding: "utf-8" }, (record) => {
    rows.push(record.cells())
  })
  scanner.write(Buffer.from(text))
  scanner.finish()
  return rows
}

const plain = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return formatPlain(value)
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
}

/** Returns the statements of each document, or its refusals. */
export const statements = (readings: Stream.Stream<Reading, AdapterError>) =>
  readings.pipe(
    Stream.runCollect,
    Effect.map((found) =>
      found.flatMap((reading) => {
        if (reading._tag === "Finding") return []
        if (reading._tag === "Skipped") return [`${reading.key} skipped: ${reading.reason}`]
        const codes = reading.findings.filter(refuses).map(({ code }) => code)
        const { findings: _, ...stated } = reading
        return [codes.length > 0 ? `${reading.number} refused: ${codes.join()}` : JSON.stringify(plain(stated))]
      })
    ),
    Effect.catch(({ reason }) =>
      Effect.succeed(
        reason._tag === "ReadingAmbiguous" ? reason.questions.map(({ id }) => `asks ${id}`) : [reason._tag]
      )
    )
  )

/** Returns the difference between the CSV text and workbooks with its cells; undefined if equal. */
export const differenceOf = (
  text: string,
  options: CsvOptions,
  cellsOf: (row: ReadonlyArray<string>, i: number) => ReadonlyArray<WorkbookParts.Cell>,
  random: Random.Random,
  delimiter: "," | ";" = ","
): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    const sheets = [{ name: "Export", rows: gridIn(text, delimiter).map(cellsOf) }]
    const variant: WorkbookParts.Variant = { ...WorkbookParts.usual, dates: random.pick(["1900", "1904"]) }
    const own = yield* Effect.promise(() => WorkbookParts.workbook(sheets, variant))
    const other = OtherWriter.workbook(sheets, variant)
    const expected = yield* statements(csv.read({ files: [fileOf(Buffer.from(text), "in.csv")] }, options))
    for (const [writer, bytes] of [["own", own] as const, ["other", other] as const]) {
      const found = yield* statements(xlsx.read({ files: [fileOf(bytes)] }, options))
      const asked = expected.every((line) => line.startsWith("asks "))
      if (
        asked
          ? found.some((line) => line.startsWith("asks ") && !expected.includes(line))
          : found.join("\n") !== expected.join("\n")
      ) {
        const at = found.findIndex((line, i) => line !== expected[i])
        return `${writer} writer: ${found[at] ?? `${found.length} readings`} instead of ${expected[at] ?? `${expected.length} readings`}`
      }
    }
    return undefined
  })

export const asTexts = (row: ReadonlyArray<string>): ReadonlyArray<WorkbookParts.Cell> =>
  row.map((text) => (text === "" ? undefined : { text }))

const numeric: ReadonlySet<Role> = new Set([
  "quantity",
  "unitPrice",
  "gross",
  "lineAmount",
  "taxPercent",
  "taxAmount",
  "lineTotal",
  "net",
  "tax",
  "total"
])

/**
 * Converts numbers and dates to typed cells if the format has them; a numeric identifier remains
 * text.
 */
const asValues =
  ({ header }: Format) =>
  (row: ReadonlyArray<string>): ReadonlyArray<WorkbookParts.Cell> =>
    row.map((text, column): WorkbookParts.Cell => {
      const role = header[column]?.[1] ?? "none"
      if (text === "") return undefined
      if (role === "taxPercent" && /^\d+$/.test(text)) return { number: String(Number(text) / 100), format: "0%" }
      if (numeric.has(role) && /^-?\d+(\.\d+)?$/.test(text)) return { number: String(Number(text)), format: "#,##0.00" }
      if ((role === "date" || role === "due") && /^\d{4}-\d{2}-\d{2}$/.test(text)) return { date: text }
      return { text }
    })

const options: CsvOptions = { settings: { amounts: "exclusive", currency: "USD", dates: "dmy", decimalMark: "point" } }

/**
 * Compares `each` files of every known format. `documents`: the number of documents that CSV reads,
 * all compared.
 */
export const judgeFormats = (each: number, seed: number) =>
  Effect.gen(function* () {
    const wrong: Array<string> = []
    let files = 0
    let documents = 0
    for (const [f, format] of formats.entries()) {
      for (let i = 0; i < each; i++) {
        const random = Random.make(seed + (f * 1_000_003 + i) * 7919)
        const drawn = documentsOf(format, random)
        const text = textOf(gridOf(format, drawn))
        const sound = yield* statements(csv.read({ files: [fileOf(Buffer.from(text), "in.csv")] }, options))
        documents += sound.filter((line) => line.startsWith("{")).length
        for (const cellsOf of [asTexts, asValues(format)]) {
          files++
          const difference = yield* differenceOf(text, options, cellsOf, random)
          if (difference !== undefined) wrong.push(`${format.name} ${i}: ${difference}`)
        }
      }
    }
    return { files, documents, wrong }
  })

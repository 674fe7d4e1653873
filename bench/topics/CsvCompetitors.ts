/**
 * Sides of the CSV topics: our reader and pipeline, and other parsers, each over one file. Every
 * cell is read unless the name says otherwise.
 */
import { createReadStream, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Effect, Stream } from "effect"
import type { Input } from "../../packages/core/src/source/Adapter.ts"

const chunk = 1 << 18

/**
 * Imports a development dependency of the adapter, because the workspace root does not have the
 * module.
 */
const theirs = (name: string) =>
  import(
    pathToFileURL(createRequire(new URL("../../packages/adapter-csv/package.json", import.meta.url)).resolve(name)).href
  )

const open = (path: string) => createReadStream(path, { highWaterMark: chunk })

const input = (path: string): Input => ({
  files: [{ name: path, bytes: Stream.suspend(() => Stream.fromAsyncIterable(open(path), (cause) => cause as never)) }]
})

/** Amount that was read, to check that all competitors read the same. */
interface Read {
  readonly rows: number
  readonly length: number
}

const scan = async (path: string, cells: "on demand" | "as text"): Promise<Read> => {
  const { Scanner } = await import("../../packages/adapter-csv/src/scan/Scanner.ts")
  let [rows, length] = [0, 0]
  const scanner = new Scanner({ dialect: { delimiter: ",", quotes: "doubled" }, encoding: "utf-8" }, (record) => {
    rows++
    if (cells === "as text") for (let cell = 0; cell < record.count; cell++) length += record.cell(cell).length
  })
  for await (const bytes of open(path)) scanner.write(bytes as Uint8Array)
  scanner.finish()
  return { rows, length }
}

const papaparse = async (path: string): Promise<Read> => {
  const { default: papa } = await theirs("papaparse")
  let [rows, length] = [0, 0]
  await new Promise<void>((complete) =>
    papa.parse(open(path), {
      step: ({ data }: { readonly data: ReadonlyArray<string> }) => {
        rows++
        for (const cell of data) length += cell.length
      },
      complete
    })
  )
  return { rows, length }
}

const csvParse = async (path: string): Promise<Read> => {
  const { parse } = await theirs("csv-parse")
  let [rows, length] = [0, 0]
  for await (const row of open(path).pipe(parse({ bom: true })) as AsyncIterable<ReadonlyArray<string>>) {
    rows++
    for (const cell of row) length += cell.length
  }
  return { rows, length }
}

const udsv = async (path: string): Promise<Read> => {
  const { inferSchema, initParser } = await theirs("udsv")
  let [rows, length] = [0, 0]
  let parser:
    | {
        chunk(text: string, parse: unknown, use: (row: ReadonlyArray<string>) => void): void
        end(): void
        stringArrs: unknown
      }
    | undefined
  const use = (row: ReadonlyArray<string>) => {
    rows++
    for (const cell of row) length += cell.length
  }
  const text = new TextDecoder()
  for await (const bytes of open(path)) {
    const piece = text.decode(bytes as Uint8Array, { stream: true })
    parser ??= initParser(inferSchema(piece)) as NonNullable<typeof parser>
    parser.chunk(piece, parser.stringArrs, use)
  }
  parser?.end()
  return { rows, length }
}

const effectCsv = async (path: string): Promise<Read> => {
  const { Csv } = await import("effect/encoding")
  let [rows, length] = [0, 0]
  await Effect.runPromise(
    input(path).files[0]!.bytes.pipe(
      Stream.pipeThroughChannel(Csv.decode()),
      Stream.runForEachArray((some) =>
        Effect.sync(() => {
          rows += some.length
          for (const row of some) for (const cell of row) length += cell.length
        })
      )
    )
  )
  return { rows, length }
}

const given = {
  encoding: "utf-8",
  delimiter: "comma",
  quotes: "doubled",
  dates: "dmy",
  decimalMark: "point",
  grouping: "window"
} as const

const documents = async (path: string, settings: object): Promise<Read> => {
  const { adapter } = await import("../../packages/adapter-csv/src/CsvAdapter.ts")
  let [rows, length] = [0, 0]
  await Effect.runPromise(
    Stream.runForEachArray(adapter.read(input(path), { settings }), (readings) =>
      Effect.sync(() => {
        for (const reading of readings) {
          length++
          if (reading._tag === "SourceDocument" && reading.findings.length === 0) rows += reading.lines.length
        }
      })
    )
  )
  return { rows, length }
}

export const book = `{ "version": 1, "zone": "+02:00", "taxes": [{ "code": "VAT15", "device": 1, "percent": "15" }], "currencies": [{ "code": "USD", "device": "USD" }] }`

const payloads = async (path: string): Promise<Read> => {
  const { adapter } = await import("../../packages/adapter-csv/src/CsvAdapter.ts")
  const { load } = await import("../../packages/core/src/mapping/BookFile.ts")
  const { translate } = await import("../../packages/core/src/translate/translate.ts")
  const { check } = await import("../../packages/core/src/preflight/check.ts")
  const { encode } = await import("../../packages/core/src/document/WireCodec.ts")
  const { stamp } = await import("../../packages/core/src/document/FiscalDocument.ts")
  const Instant = await import("../../packages/core/src/document/Instant.ts")
  const loaded = await Effect.runPromise(load("bench.book.json", book))
  const date = Instant.fromSeconds(1_780_000_000, loaded.zone)
  let [rows, length] = [0, 0]
  await Effect.runPromise(
    Stream.runForEachArray(adapter.read(input(path), { settings: given }), (readings) =>
      Effect.sync(() => {
        for (const reading of readings) {
          if (reading._tag !== "SourceDocument") continue
          const { findings, translated } = translate(reading, loaded)
          if (translated === undefined || findings.length > 0 || check(reading, translated).length > 0) continue
          rows += reading.lines.length
          length += encode(stamp(translated.document, date, "first")).length
        }
      })
    )
  )
  return { rows, length }
}

/** Line of the script, as csv-parse gives it. */
type ScriptRow = Readonly<Record<string, string>>

/** Amount of decimal.js. */
interface Amount {
  plus(other: Amount): Amount
  times(factor: number | string): Amount
  div(divisor: number): Amount
  toDecimalPlaces(places: number): Amount
  toFixed(places: number): string
}

/**
 * The script that a user would write instead of `plan`: groups the lines by number, computes the
 * totals and the tax, and writes JSON.
 */
const script = async (path: string): Promise<Read> => {
  const { parse } = await theirs("csv-parse")
  const { default: Decimal }: { readonly default: new (value: number | string) => Amount } = await theirs("decimal.js")
  const invoices = new Map<string, { readonly lines: Array<object>; total: Amount }>()
  let rows = 0
  for await (const row of open(path).pipe(parse({ bom: true, columns: true })) as AsyncIterable<ScriptRow>) {
    rows++
    const number = row["InvoiceNumber"]!
    const invoice = invoices.get(number) ?? { lines: [], total: new Decimal(0) }
    invoices.set(number, invoice)
    const amount = new Decimal(row["Quantity"]!).times(row["UnitPrice"]!).toDecimalPlaces(2)
    invoice.total = invoice.total.plus(amount)
    invoice.lines.push({ ...row, LineAmount: amount.toFixed(2) })
  }
  const written = JSON.stringify(
    Array.from(invoices, ([number, { lines, total }]) => ({
      number,
      lines,
      total: total.toFixed(2),
      tax: total.times(15).div(115).toFixed(2)
    }))
  )
  writeFileSync(`${path}.json`, written)
  return { rows, length: written.length }
}

const readers: { readonly [name: string]: (path: string) => Promise<Read> } = {
  "reader, cells on demand": (path) => scan(path, "on demand"),
  "reader, every cell as text": (path) => scan(path, "as text"),
  papaparse,
  "csv-parse": csvParse,
  udsv,
  "effect Csv": effectCsv,
  "file to documents, columns given": (path) => documents(path, given),
  "file to documents, all detected": (path) => documents(path, {}),
  "file to checked payloads, columns given": payloads,
  "script with csv-parse and decimal.js": script
}

/** Sides by name; each returns the megabytes read, and fails if nothing was read. */
export const sides: Readonly<Record<string, (path: string) => Promise<number>>> = Object.fromEntries(
  Object.entries(readers).map(([name, read]) => [
    name,
    async (path: string) => {
      const { rows } = await read(path)
      if (rows === 0) throw new Error(`${name} read nothing`)
      return statSync(path).size / 1e6
    }
  ])
)

/**
 * Lists of documents that are not sales, named in 17 languages at each place that can state a kind,
 * in core, the command, the promise package and the page. No answer about the kind is given.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import * as CsvFormat from "@fiscal-connector/adapter-csv/CsvFormat"
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as xero } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { Console, Effect, Layer, Result, Stream } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as OtherWriter from "../../packages/adapter-xlsx/test/OtherWriter.ts"
import { usual } from "../../packages/adapter-xlsx/test/WorkbookParts.ts"
import { connector, folderWith, gatewayFor } from "../../packages/cli/test/RunningConnector.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { planBatch } from "../../packages/core/src/session/Planning.ts"
import type { AdapterError, Reading } from "../../packages/core/src/source/Adapter.ts"
import * as StatedWords from "../../packages/core/src/source/StatedWords.ts"
import { connect } from "../../packages/promise/src/index.ts"
import { start, Visitor } from "../../packages/ui/test/PageProcess.ts"
import { contactOf, exportOf, recordOf } from "../business/Documents.ts"
import { firm } from "../business/Firm.ts"
import { bookOf } from "../business/HonestTrial.ts"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import { type KindWord, suppliers, words } from "./KindWords.ts"

const { seeds } = given("kinds")

const ofInvoices = "InvoiceNumber|InvoiceDate|CustomerName|Description|Quantity|UnitPrice|TaxCode|Currency".split("|")
const neutral = ["Nn", "Dd", "Pp", "Tt", "Qq", "Uu", "Cc", "Yy"]

const sold = [1, 2, 3].map((nth) => [`A-${nth}`, `2026-01-0${nth}`, "Ada Ltd", "Pen 1", "2", "10.00", "VAT 15%", "USD"])

/** A list of three documents, and its column map if its names are not those of a layout. */
interface List {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly format: "csv" | "xlsx" | "xero-like"
  readonly columns?: CsvOptions["columns"]
}

const mapOf = ([number, date, customerName, description, quantity, unitPrice, code, currency]: ReadonlyArray<string>) =>
  ({
    version: 1,
    columns: { number, date, customerName, description, quantity, unitPrice, taxes: [{ code }], currency },
    settings: { amounts: "exclusive" }
  }) as NonNullable<CsvOptions["columns"]>

const encoded = (text: string) => new TextEncoder().encode(text)

const csvOf = (...rows: ReadonlyArray<ReadonlyArray<string>>) =>
  encoded(rows.map((cells) => `${cells.join(",")}\n`).join(""))

const withName = (at: number, name: string): Pick<List, "name" | "bytes" | "format" | "columns"> => {
  const names = neutral.with(at, name)
  return { name: "list.csv", bytes: csvOf(names, ...sold), format: "csv", columns: mapOf(names) }
}

const withColumn = (names: ReadonlyArray<string>, name: string, word: string) =>
  csvOf([...names, name], ...sold.map((cells) => [...cells, word]))

const workbookOf = (sheet: string) => {
  const rows = [ofInvoices, ...sold].map((cells) => cells.map((text) => ({ text })))
  return new Uint8Array(OtherWriter.workbook([{ name: sheet.slice(0, 31), rows }], usual))
}

/** Lists with the word at each place. */
const places: { readonly [place: string]: (word: string) => List } = {
  "name of the number": (word) => withName(0, `${word} no`),
  "name of the date": (word) => withName(1, `${word} date`),
  "name of the party": (word) => withName(2, word),
  "title above unknown names": (word) => ({
    name: "list.csv",
    bytes: csvOf([word], [], neutral, ...sold),
    format: "csv",
    columns: mapOf(neutral)
  }),
  "title above names of invoices": (word) => ({
    name: "list.csv",
    bytes: csvOf([word], [], ofInvoices, ...sold),
    format: "csv"
  }),
  sheet: (word) => ({ name: "list.xlsx", bytes: workbookOf(word), format: "xlsx" }),
  "file of unknown names": (word) => ({
    name: `${word}.csv`,
    bytes: csvOf(neutral, ...sold),
    format: "csv",
    columns: mapOf(neutral)
  }),
  "file of names of invoices": (word) => ({ name: `${word}.csv`, bytes: csvOf(ofInvoices, ...sold), format: "csv" }),
  "value of a kind": (word) => ({ name: "list.csv", bytes: withColumn(ofInvoices, "Type", word), format: "csv" }),
  "value of an unknown name": (word) => ({
    name: "list.csv",
    bytes: withColumn(ofInvoices, "Zz", word),
    format: "csv"
  }),
  "value of the product's own field": (word) => {
    const { customers, documents } = firm(1, { notes: "none", shipping: "none", documents: [3, 3] })
    const records = documents.map((sale) => recordOf(sale))
    return {
      name: "list.json",
      bytes: encoded(
        exportOf([
          ...customers.map(contactOf),
          ...records.map((one) => ({ ...one, fields: { ...one.fields, Type: word } }))
        ])
      ),
      format: "xero-like"
    }
  }
}

/** Unknown words in the name of a file or a sheet, as a customer's, beside columns of invoices. */
const silent: ReadonlySet<string> = new Set(["file of names of invoices", "sheet"])

const traits = firm(1, { language: "en" })
const book = bookOf(traits, { defaults: { productCode: "12345678", cashBuyer: "Cash sale {name}" } })
const bookText = JSON.stringify({
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["VAT 15%"], code: "VAT15", device: 1, percent: "15" }],
  currencies: [{ code: "USD", device: "USD" }],
  defaults: { payment: "Cash", productCode: "12345678", cashBuyer: "Cash sale {name}" }
})
const settings = { amounts: "exclusive", currency: "USD" } as const

/** `asked`: no sale is planned without an answer. `named`: sales, and the statement as not read. */
type Outcome = "asked" | "named" | "silent"

const memory = Layer.merge(SqliteStore.layer({ filename: ":memory:" }), SqliteStaging.layerMemory)

const inCore = ({ bytes, columns, format, name }: List) =>
  Effect.gen(function* () {
    const input = { files: [{ name, bytes: Stream.succeed(bytes) }] }
    const options = { settings, ...(columns && { columns }) }
    const readings: Stream.Stream<Reading, AdapterError> =
      format === "csv"
        ? CsvFormat.adapter.read(input, options)
        : format === "xlsx"
          ? xlsx.read(input, options)
          : xero.read(input, { productCode: "item-code", tin: "TaxNumber" })
    const { entries, unattached } = yield* planBatch(readings, {
      account: "main",
      book,
      originals: new Map(),
      destination: { account: "main", taxpayer: "2000000001", lane: "test/1", environment: "test" }
    })
    const planned = (yield* Stream.runCollect(entries)).filter(
      (entry) => entry._tag === "Planned" && entry.planned.held === null && entry.planned.document.kind === "invoice"
    )
    const isNamed = unattached.some(({ code }) => code === "STATEMENTS_NOT_READ")
    return planned.length === 0 ? "asked" : isNamed ? "named" : "silent"
  }).pipe(Effect.scoped, Effect.provide(memory), Effect.result, Effect.map(outcomeOf))

const outcomeOf = (result: Result.Result<Outcome, unknown>): Outcome =>
  Result.isFailure(result) ? "asked" : result.success

const ofText = (text: string, sold: RegExp): Outcome =>
  !sold.test(text) ? "asked" : text.includes("not read: ") ? "named" : "silent"

const inCommand = (command: "plan" | "import") => (list: List) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith()
    writeFileSync(join(cwd, list.name), list.bytes)
    writeFileSync(join(cwd, "b.json"), bookText)
    writeFileSync(join(cwd, "map.json"), JSON.stringify(list.columns ?? {}))
    const flags = list.format === "xero-like" ? [] : ["--amounts", "exclusive"]
    const map = list.columns === undefined ? [] : ["--columns", "map.json"]
    const args = [command, list.format, list.name, "--sandbox", "--book", "b.json", ...flags, ...map]
    const { err, out } = yield* connector(args, { cwd })
    return ofText(out + err, /[1-9]\d* (?:Planned|fiscalised)/)
  })

const inPromise = ({ bytes, columns, name }: List) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    yield* gatewayFor(folder)
    return yield* Effect.promise(async (): Promise<Outcome> => {
      writeFileSync(join(folder, "b.json"), bookText)
      const config = join(folder, "account.json")
      const store = { sqlite: join(folder, "promise.db") }
      await using fiscal = await connect({ account: "main", config, store, book: join(folder, "b.json") })
      const options: CsvOptions = { settings, ...(columns && { columns }) }
      try {
        await using plan = await fiscal.plan({ adapter: CsvFormat.adapter, files: [{ name, bytes }], options })
        const isNamed = plan.problems.some(({ code }) => code === "STATEMENTS_NOT_READ")
        return (plan.counts.planned ?? 0) === 0 ? "asked" : isNamed ? "named" : "silent"
      } catch {
        return "asked"
      }
    })
  })

const onPage = ({ bytes, name }: List) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    yield* gatewayFor(folder)
    writeFileSync(join(folder, "page.book.json"), bookText)
    const page = yield* start(["--config", "account.json", "--book", "page.book.json"], {}, folder)
    return yield* Effect.promise(async (): Promise<Outcome> => {
      const visitor = await Visitor.open(page)
      const fields = { account: "main" }
      const where = visitor.whereTo(await visitor.upload([[name, new TextDecoder().decode(bytes)]], { fields }))
      return ofText((await visitor.read(where)).body, /Send [1-9]\d* document/)
    })
  })

const hosts = { core: inCore, plan: inCommand("plan"), import: inCommand("import"), promise: inPromise, page: onPage }

/** The other hosts take their turn in one case of twenty. */
const hostOf = (nth: number, { columns, format }: List): keyof typeof hosts => {
  const turn = (["plan", "import", "promise", "page"] as const)[Math.floor(nth / 20) % 4]!
  if (nth % 20 !== 10) return "core"
  if (turn === "promise") return format === "csv" ? turn : "plan"
  // a visitor uploads texts, and the page makes the map itself
  return turn === "page" && (format !== "csv" || columns !== undefined) ? "import" : turn
}

const drawn = (seed: number): { readonly place: string; readonly word: KindWord } => {
  const random = Random.make(seed)
  const place = random.pick(Object.keys(places))
  return { place, word: random.pick(place === "name of the party" ? suppliers : words) }
}

describe("documents that are not sales", () => {
  it.live(`are no sales without an answer, in any language, place and host: ${seeds.length} lists`, function* () {
    const outcomes: Array<string> = []
    const wrong: Array<string> = []
    for (const [nth, seed] of seeds.entries()) {
      const { place, word } = drawn(seed)
      const list = places[place]!(word.word)
      const host = hostOf(nth, list)
      const outcome = yield* hosts[host](list)
      const isKnown = place.startsWith("value")
        ? StatedWords.meaningOf("kind", word.word) !== undefined
        : StatedWords.kindsIn(word.word).kinds.some((one) => !place.startsWith("name") || one.in === "names")
      outcomes.push(`${outcome === "asked" ? "no sale" : `a sale, ${outcome}`}: ${isKnown ? "known" : "unknown"} words`)
      if (outcome !== "asked") outcomes.push(`  ${outcome}, ${isKnown ? "known" : "unknown"}: ${place}`)
      const isRight = outcome === "asked" || (!isKnown && (outcome === "named" || silent.has(place)))
      if (!isRight)
        wrong.push(`seed ${seed}: ${outcome} in ${host}, ${word.kind} ${word.language} "${word.word}", ${place}`)
    }
    yield* Console.log(counted(outcomes))
    assert.deepStrictEqual(wrong.slice(0, 20), [])
  })
})

/**
 * Plans one honest export as the command does. A document whose plan differs from the customer's
 * charge is wrong; a refused document is needlessly refused.
 */
import { adapter, type CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { formatAmount } from "@fiscal-connector/core/document/Money"
import type { ImportEntry } from "@fiscal-connector/core/import/ImportEntry"
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import { planBatch } from "@fiscal-connector/core/unstable/session/Planning"
import { Effect, Layer, Stream } from "effect"
import { itemNames } from "./HonestDocuments.ts"
import { money } from "../csv/ExportFormats.ts"
import type { HonestFile } from "./HonestLayouts.ts"

const bookWith = (fields: object): MappingBook =>
  Effect.runSync(
    BookFile.load(
      "honest.book.json",
      JSON.stringify({
        version: 1,
        zone: "+02:00",
        taxes: [
          { from: ["VAT 15%"], code: "VAT15", device: 1, percent: "15" },
          { from: ["Zero rated"], code: "ZERO", device: 2, percent: "0" }
        ],
        currencies: [{ from: ["USD"], code: "USD", device: "USD" }],
        productCodes: [{ from: itemNames, productCode: "12345678" }],
        defaults: { productCode: "12345678", cashBuyer: "Cash sale {name}" },
        ...fields
      })
    )
  )

/**
 * Mapping books. `answered`: settles the rounding, and takes a missing unit price from the line
 * amount. `default`: settles nothing.
 */
export const books = {
  answered: bookWith({ rounding: "as-inclusive", policies: { unitPrices: "from-line-amount" } }),
  default: bookWith({})
}

const destination = { account: "main", taxpayer: "2000000001", lane: "test/1", environment: "test" } as const
const options: CsvOptions = { settings: { amounts: "exclusive", currency: "USD", dates: "dmy", decimalMark: "point" } }
const memory = Layer.merge(SqliteStore.layer({ filename: ":memory:" }), SqliteStaging.layerMemory)

export interface Outcome {
  /** Documents that would be sent with another total, date or number of lines. */
  readonly wrong: ReadonlyArray<string>
  readonly refused: ReadonlyArray<string>
  readonly planned: number
}

const sentAs = (entry: ImportEntry): string | undefined => {
  if (entry._tag !== "Planned" || entry.planned.held !== null) return undefined
  const { document, sourceDate } = entry.planned
  return `${formatAmount(document.total)} ${document.currency} on ${sourceDate}`
}

const codesOf = (entry: ImportEntry): string =>
  entry._tag === "Known" ? "known" : entry.findings.map(({ code, message }) => `${code}: ${message}`).join("; ")

/** Returns the columns that the question about unwitnessed totals offers to leave unread. */
const unreadIn = (entries: ReadonlyArray<ImportEntry>): ReadonlyArray<string> =>
  entries
    .flatMap((entry) => (entry._tag === "Known" ? [] : entry.findings))
    .filter(({ code }) => code === "TOTAL_UNWITNESSED")
    .flatMap(({ answers: [first] = [] }) =>
      first !== undefined && "map" in first ? (first.map["unread"] as ReadonlyArray<string>) : []
    )

/** Judges the file with the true answer where it is asked: no additional column changes a total. */
export const judge = (file: HonestFile, book: MappingBook): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const input = { files: [{ name: "honest.csv", bytes: Stream.succeed(new TextEncoder().encode(file.text)) }] }
    const readings = adapter.read(input, { ...options, ...(file.map && { columns: file.map }) })
    const plan = yield* planBatch(readings, { account: "main", book, originals: new Map(), destination })
    const entries = yield* Stream.runCollect(plan.entries)
    const unread = [...new Set(unreadIn(entries))]
    if (unread.length > 0) return yield* judge({ ...file, map: { version: 1, ...file.map, unread } }, book)
    const byNumber = new Map(entries.map((entry) => [entry.source.number, entry]))
    const named = (number: string) => `${file.layout} ${number} [${file.extras.join(", ")}]`
    const wrong: Array<string> = []
    const refused: Array<string> = []
    const isGrouped = file.charged === "unstated" && book.rounding === "per-group"
    for (const { date, grouped, number, total: ofLines } of file.documents) {
      const total = isGrouped ? grouped : ofLines
      const entry = byNumber.get(number)
      const as = entry && sentAs(entry)
      if (as === undefined) refused.push(`${named(number)}: ${entry === undefined ? "not read" : codesOf(entry)}`)
      else if (as !== `${money(total)} USD on ${date}`)
        wrong.push(`${named(number)}: ${as}, charged ${money(total)} on ${date}`)
    }
    return { wrong, refused, planned: file.documents.length - wrong.length - refused.length }
  }).pipe(
    Effect.scoped,
    Effect.provide(memory),
    Effect.catch((error) =>
      Effect.succeed({
        wrong: [],
        refused: [`${file.layout} [${file.extras.join(", ")}]: ${error.message}`],
        planned: 0
      })
    )
  )

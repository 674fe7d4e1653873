/**
 * Plans one honest export as the command does. A document whose plan differs from the customer's
 * charge is wrong; a refused document is needlessly refused.
 */
import { adapter as csv, type CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as xero } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { formatAmount } from "../../packages/core/src/document/Money.ts"
import type { ImportEntry } from "../../packages/core/src/import/ImportEntry.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import type { AdapterError, Reading } from "../../packages/core/src/source/Adapter.ts"
import * as PlainDocuments from "../../packages/core/src/source/PlainDocuments.ts"
import { planBatch } from "../../packages/core/src/session/Planning.ts"
import { Effect, Layer, Stream } from "effect"
import { money } from "../csv/ExportFormats.ts"
import type * as Clerk from "./Clerk.ts"
import * as Decimal from "./Decimal.ts"
import { bookTaxes, inputOf } from "./Documents.ts"
import { type Firm, itemTexts, type Sale } from "./Firm.ts"
import { type HonestFile, knownFirm } from "./KnownLayouts.ts"
import { type Column, words } from "./Languages.ts"
import { type Layout, type Rows, type Written, written } from "./Layouts.ts"

/** Returns a book that maps the taxes of a firm. */
export const bookOf = ({ taxes, traits: { language } }: Pick<Firm, "taxes" | "traits">, fields: object): MappingBook =>
  Effect.runSync(
    BookFile.load(
      "honest.book.json",
      JSON.stringify({
        version: 1,
        zone: "+02:00",
        taxes: bookTaxes(taxes),
        currencies: [{ from: ["USD"], code: "USD", device: "USD" }],
        productCodes: [{ from: itemTexts(language), productCode: "12345678" }],
        defaults: { productCode: "12345678", cashBuyer: "Cash sale {name}" },
        ...fields
      })
    )
  )

const settled = {
  rounding: "as-inclusive",
  policies: { unitPrices: "from-line-amount", charges: "as-line-taxed-like-lines" }
}
const english = knownFirm("plain", 1, 1)

/**
 * Mapping books. `answered`: settles the rounding, and takes a missing unit price from the line
 * amount. `default`: settles nothing.
 */
export const books = {
  answered: bookOf(english, settled),
  default: bookOf(english, {})
}

const destination = { account: "main", taxpayer: "2000000001", lane: "test/1", environment: "test" } as const
const options: CsvOptions = { settings: { amounts: "exclusive", currency: "USD", dates: "dmy", decimalMark: "point" } }
const memory = Layer.merge(SqliteStore.layer({ filename: ":memory:" }), SqliteStaging.layerMemory)

export interface Outcome {
  /** Documents that would be sent with another total, date or number of lines. */
  readonly wrong: ReadonlyArray<string>
  readonly refused: ReadonlyArray<string>
  /** Documents with another total: no amount shows the rounding, and the plan names both totals. */
  readonly unrounded: ReadonlyArray<string>
  /** Documents of another kind or in another currency: another sale. */
  readonly others: ReadonlyArray<string>
  readonly planned: number
  /** Texts that the plan names as not read. */
  readonly unread: string
}

const sentAs = (entry: ImportEntry): string | undefined => {
  if (entry._tag !== "Planned" || entry.planned.held !== null) return undefined
  const { document, sourceDate } = entry.planned
  return `${formatAmount(document.total)} ${document.currency} on ${sourceDate}`
}

const isOther = ({ currency, kind }: Sale, entry: ImportEntry): boolean => {
  if (entry._tag !== "Planned" || entry.planned.held !== null) return false
  const { document } = entry.planned
  return document.kind !== kind || document.currency !== currency
}

/** Returns true if the plan names the charged total as the one with another rounding. */
const isNamed = (entry: ImportEntry, charged: string): boolean =>
  entry._tag === "Planned" &&
  entry.findings.some(
    ({ code, detail }) => code === "ROUNDING_UNSTATED" && detail?.includes(`or ${charged.split(" ")[0]} with`) === true
  )

const codesOf = (entry: ImportEntry): string =>
  entry._tag === "Known" ? "known" : entry.findings.map(({ code, message }) => `${code}: ${message}`).join("; ")

/** Statement of one document, and the charge that its plan must have. */
interface Expected {
  readonly number: string
  readonly name: string
  readonly charged: string
  /** The sale itself, if its kind and its currency are compared, too. */
  readonly sale?: Sale
}

/** Returns the columns that the question about unwitnessed totals offers to leave unread. */
const unreadIn = (entries: ReadonlyArray<ImportEntry>): ReadonlyArray<string> => [
  ...new Set(
    entries
      .flatMap((entry) => (entry._tag === "Known" ? [] : entry.findings))
      .filter(({ code }) => code === "TOTAL_UNWITNESSED")
      .flatMap(({ answers: [first] = [] }) =>
        first !== undefined && "map" in first ? (first.map["unread"] as ReadonlyArray<string>) : []
      )
  )
]

/**
 * Plans readings, and compares each document with its charge. `read` gets the true answer if it is
 * asked about columns: they change no total, and stay unread.
 */
const judgeReadings = (
  read: (unread: ReadonlyArray<string>) => Stream.Stream<Reading, AdapterError>,
  expected: ReadonlyArray<Expected>,
  book: MappingBook
) =>
  Effect.gen(function* () {
    const entriesOf = (unread: ReadonlyArray<string>) =>
      planBatch(read(unread), { account: "main", book, originals: new Map(), destination }).pipe(
        Effect.flatMap(({ entries, unattached }) =>
          Effect.map(Stream.runCollect(entries), (all) => ({ all, unattached }))
        )
      )
    const first = yield* entriesOf([])
    const columns = unreadIn(first.all)
    const { all: entries, unattached } = columns.length === 0 ? first : yield* entriesOf(columns)
    const byNumber = new Map(entries.map((entry) => [entry.source.number, entry]))
    const wrong: Array<string> = []
    const refused: Array<string> = []
    const others: Array<string> = []
    const unrounded: Array<string> = []
    for (const { charged, name, number, sale } of expected) {
      const entry = byNumber.get(number)
      if (sale !== undefined && entry !== undefined && isOther(sale, entry)) others.push(name)
      const as = entry && sentAs(entry)
      if (as === undefined) refused.push(`${name}: ${entry === undefined ? "not read" : codesOf(entry)}`)
      else if (as !== charged) (isNamed(entry!, charged) ? unrounded : wrong).push(`${name}: ${as}, charged ${charged}`)
    }
    const planned = expected.length - wrong.length - refused.length - unrounded.length
    const unread = unattached.map(({ message }) => message).join("; ")
    return { wrong, refused, unrounded, others, planned, unread }
  }).pipe(
    Effect.scoped,
    Effect.provide(memory),
    Effect.catch((error) => Effect.succeed(unplanned(`${expected[0]?.name}: ${error.message}`)))
  )

const unplanned = (why: string): Outcome => ({
  wrong: [],
  others: [],
  unrounded: [],
  refused: [why],
  planned: 0,
  unread: ""
})

export const judge = (file: HonestFile, book: MappingBook): Effect.Effect<Outcome> => {
  const input = { files: [{ name: "honest.csv", bytes: Stream.succeed(new TextEncoder().encode(file.text)) }] }
  const isGrouped = file.charged === "unstated" && book.rounding === "per-group"
  const expected = file.documents.map(({ date, grouped, number, total }) => ({
    number,
    name: `${file.layout} ${number} [${file.extras.join(", ")}]`,
    charged: `${money(isGrouped ? grouped : total)} USD on ${date}`
  }))
  const read = (unread: ReadonlyArray<string>) =>
    csv.read(input, {
      ...options,
      ...((file.map || unread.length > 0) && { columns: { version: 1, ...file.map, unread } })
    })
  return judgeReadings(read, expected, book)
}

/** Column map of a table, made from the truth about its columns. */
export const mapOf = (
  { traits }: Firm,
  { columns, writing }: Written,
  rows: Rows
): NonNullable<CsvOptions["columns"]> => {
  const named = new Map(columns.map(({ is, name }) => [is, name]))
  const has = (is: Column, field: string) => (named.has(is) ? { [field]: named.get(is)! } : {})
  const { invoice, note } = words[traits.language]
  return {
    version: 1,
    layout: rows === "fill-down" ? "continuation" : "rows",
    columns: {
      ...has("number", "number"),
      ...has("date", "date"),
      ...has("buyer", "customerName"),
      ...has("taxId", "customerTin"),
      ...has("currency", "currency"),
      ...has("kind", "kind"),
      ...has("original", "original"),
      ...has("reason", "reason"),
      ...has("text", "description"),
      ...has("quantity", "quantity"),
      ...has("price", "unitPrice"),
      ...has("discount", "discountPercent"),
      ...has("lineGross", traits.prices === "gross" ? "lineAmount" : "lineTotal"),
      ...(traits.prices === "net" && has("lineNet", "lineAmount")),
      ...has("shipping", "shipping"),
      ...has("net", "net"),
      ...has("tax", "tax"),
      ...has("total", "total"),
      taxes: [{ ...has("taxName", "code"), ...has("taxPercent", "percent"), ...has("lineTax", "amount") }]
    },
    // a map has no field for the net of a line beside gross prices
    ...(traits.prices === "gross" && named.has("lineNet") && { unread: [named.get("lineNet")!] }),
    ...(named.has("kind") && { kinds: { [invoice]: "invoice", [note]: "credit-note" } }),
    settings: {
      amounts: traits.prices === "net" ? "exclusive" : "inclusive",
      currency: traits.currency,
      headerLine: writing!.headerRow,
      dates: writing!.dates,
      decimalMark: writing!.decimalMark === "." ? "point" : "comma",
      contents: { "no-kinds": "invoices" }
    }
  } as NonNullable<CsvOptions["columns"]>
}

/** Plans a firm's table by what a clerk has answered. */
export const judgeConversed = (firm: Firm, file: Written, { book, options }: Clerk.Conversed): Effect.Effect<Outcome> =>
  Effect.flatMap(BookFile.load("clerk.book.json", book), (loaded) =>
    judgeReadings(
      () => csv.read({ files: [{ name: file.name, bytes: Stream.succeed(file.bytes) }] }, options),
      chargedTo(firm, file.name),
      loaded
    )
  ).pipe(Effect.catchTag("BookError", ({ message }) => Effect.succeed(unplanned(`${file.name}: ${message}`))))

const chargedTo = ({ documents }: Firm, name: string): ReadonlyArray<Expected> =>
  documents.map((sale) => ({
    sale,
    number: sale.number,
    name: `${name} ${sale.number}`,
    charged: `${Decimal.text(sale.total, 2)} USD on ${sale.date}`
  }))

/** Reads a firm in a layout with the true answers, or with another map, and plans it. */
export const judgeFirm = (
  firm: Firm,
  layout: Layout,
  seed: number,
  mapBy: (truth: ReturnType<typeof mapOf>) => ReturnType<typeof mapOf> = (truth) => truth
): Effect.Effect<Outcome> => {
  const file = written(firm, layout, seed)
  const input = { files: [{ name: file.name, bytes: Stream.succeed(file.bytes) }] }
  const answersOf = (unread: ReadonlyArray<string>) => {
    if (!("rows" in layout)) return {}
    const map = mapBy(mapOf(firm, file, layout.rows))
    return { columns: { ...map, unread: [...(map.unread ?? []), ...unread] } }
  }
  const read = (unread: ReadonlyArray<string>) =>
    layout.shape === "documents"
      ? PlainDocuments.readings(firm.documents.map(inputOf))
      : layout.shape === "xero-like"
        ? xero.read(input, { productCode: "item-code", tin: "TaxNumber" })
        : layout.shape === "csv"
          ? csv.read(input, answersOf(unread))
          : xlsx.read(input, answersOf(unread))
  return judgeReadings(read, chargedTo(firm, JSON.stringify(layout)), bookOf(firm, settled))
}

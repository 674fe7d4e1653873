/**
 * Reads and translates one altered export. Outcome: refused, sent as before, or wrongly sent as
 * altered although the export contradicts the alteration.
 */
import { adapter, type CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import type { UndatedDocument } from "../../packages/core/src/document/FiscalDocument.ts"
import { formatPlain } from "../../packages/core/src/document/Money.ts"
import { refuses } from "../../packages/core/src/finding/Finding.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import type { Reading } from "../../packages/core/src/source/Adapter.ts"
import type { SourceDocument } from "../../packages/core/src/source/SourceDocument.ts"
import { civilDateOf, translate } from "../../packages/core/src/translate/translate.ts"
import { Effect, Stream } from "effect"
import type { Altered } from "./Alterations.ts"
import { amountOf, type Document, netOf, type Format, gridOf, taxOf, textOf } from "./ExportFormats.ts"

const policies = {
  quantities: "one-if-missing",
  unitPrices: "from-line-amount",
  textLines: "append",
  negativeLines: "as-discount",
  charges: "as-line"
}

export const book: MappingBook = Effect.runSync(
  BookFile.load(
    "proof.book.json",
    JSON.stringify({
      version: 1,
      zone: "+02:00",
      taxes: [
        { from: ["VAT 15%"], code: "VAT15", device: 1, percent: "15" },
        { from: ["Zero rated"], code: "ZERO", device: 2, percent: "0" }
      ],
      currencies: [{ from: ["USD"], code: "USD", device: "USD" }],
      defaults: { productCode: "12345678", creditReason: "Returned", cashBuyer: "Cash sale {name}" },
      policies
    })
  )
)

const options: CsvOptions = { settings: { amounts: "exclusive", currency: "USD", dates: "dmy", decimalMark: "point" } }

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => a + b, 0)
const plain = (cents: number): string => String(cents / 100)
const codes = { "VAT 15%": "VAT15", "Zero rated": "ZERO" } as const

/** Returns the expected document according to the generator only. */
const truthOf = (document: Document): string => {
  const { buyer, date, lines, number } = document
  const tax = sum(lines.map(taxOf))
  const items = lines.map((line) =>
    [line.text, String(line.quantity), plain(line.price), plain(amountOf(line)), codes[line.tax]].join("|")
  )
  return [number, date, buyer, ...items, plain(tax), plain(netOf(document) + tax)].join("\n")
}

const sentAs = (source: SourceDocument, { payload }: UndatedDocument): string => {
  const items = payload.lineItems.map(({ description, lineAmount, quantity, taxCode, unitAmount }) =>
    [description, formatPlain(quantity), formatPlain(unitAmount), formatPlain(lineAmount), taxCode].join("|")
  )
  const day = source.date === undefined ? "" : civilDateOf(source.date, book.zone)
  const name = payload.buyerContact?.name?.replace(/^Cash sale /, "") ?? ""
  return [source.number, day, name, ...items, formatPlain(payload.totalTax), formatPlain(payload.total)].join("\n")
}

interface Sent {
  readonly number: string
  readonly as: string
  readonly warned: boolean
}

/**
 * Returns the documents that would be sent of a file; empty if the file raises a question or is
 * unreadable.
 */
const read = (text: string, { map }: Format): Effect.Effect<ReadonlyArray<Sent>> =>
  adapter
    .read(
      { files: [{ name: "proof.csv", bytes: Stream.succeed(new TextEncoder().encode(text)) }] },
      { ...options, ...(map && { columns: map }) }
    )
    .pipe(
      Stream.runCollect,
      Effect.map((readings): ReadonlyArray<Sent> => {
        const strays = readings.some((reading) => reading._tag === "Finding" && reading.statements === undefined)
        return readings.flatMap((reading: Reading) => {
          if (reading._tag !== "SourceDocument" || reading.findings.some(refuses)) return []
          const { findings, translated } = translate(reading, book)
          if (translated === undefined || findings.some(refuses) || translated.completeness === "partial") return []
          const as = sentAs(reading, translated.document)
          return [{ number: reading.number, as, warned: strays || findings.length + reading.findings.length > 0 }]
        })
      }),
      Effect.orElseSucceed((): ReadonlyArray<Sent> => [])
    )

const totalOf = (as: string | undefined): string | undefined => as?.split("\n").at(-1)

export type Outcome =
  | { readonly is: "refused" | "sent as it was" | "proved by the total" | "sent as stated" }
  | { readonly is: "wrong"; readonly why: string }

/** Returns the outcome of an altered file. `documents`: the original ones. */
export const judge = (altered: Altered, documents: ReadonlyArray<Document>, format: Format): Effect.Effect<Outcome> =>
  Effect.map(read(altered.text, format), (sent): Outcome => {
    const truths = new Map(documents.map((document) => [document.number, truthOf(document)]))
    for (const { as, number } of sent) {
      const seen = number.replaceAll(/[^\x20-\x7e]/g, "")
      if (seen !== altered.number && as !== truths.get(number))
        return { is: "wrong", why: `beside it, ${number || "nothing"} is sent:\n${as}` }
    }
    const own = sent.filter(({ number }) => number.replaceAll(/[^\x20-\x7e]/g, "") === altered.number)
    const [first, second] = own
    if (first === undefined) return { is: "refused" }
    if (second !== undefined) return { is: "wrong", why: "it is sent twice" }
    const asItWas = first.as === truths.get(altered.number)
    switch (altered.must) {
      case "as stated":
        return altered.stated === undefined || first.as === truthOf(altered.stated)
          ? { is: "sent as stated" }
          : { is: "wrong", why: `not as stated:\n${first.as}` }
      case "same":
        return asItWas ? { is: "sent as it was" } : { is: "wrong", why: first.as }
      case "refused":
        if (altered.total === "stated" && first.warned && totalOf(first.as) === totalOf(truths.get(altered.number)))
          return { is: "proved by the total" }
        return { is: "wrong", why: asItWas ? "a stated figure is overruled in silence" : first.as }
      case "unissued":
        return { is: "wrong", why: "it is sent" }
    }
  })

/** Returns the documents of a correct file that are not sent as stated. */
export const refusals = (format: Format, documents: ReadonlyArray<Document>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(read(textOf(gridOf(format, documents)), format), (sent) => {
    const as = new Set(sent.map((one) => one.as))
    return documents.map(truthOf).filter((truth) => !as.has(truth))
  })

/** Golden document: `fixtures/translate/<case>/`, with figures calculated by hand in `why.txt`. */
import { beside } from "../../src/import/BatchDocument.ts"
import { Effect, Option } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as CivilDate from "../../src/document/CivilDate.ts"
import { stamp } from "../../src/document/FiscalDocument.ts"
import { InvoiceId } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import * as WireCodec from "../../src/document/WireCodec.ts"
import { type Finding, refuses } from "../../src/finding/Finding.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import { check } from "../../src/preflight/check.ts"
import { receiptRules } from "../../src/finding/ReceiptRule.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { type ResolvedOriginal, translate } from "../../src/translate/translate.ts"
import { TranslateFinding } from "../../src/translate/TranslateFinding.ts"

const fixtures = new URL("../../fixtures/translate/", import.meta.url)

export const names = readdirSync(fixtures, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : []
)

const file = (name: string, part: string) => new URL(`${name}/${part}`, fixtures)
export const read = (name: string, part: string) => readFileSync(file(name, part), "utf8")
export const write = (name: string, part: string, text: string) => writeFileSync(file(name, part), text)
const has = (name: string, part: string) => readdirSync(new URL(`${name}/`, fixtures)).includes(part)

const figures = new Set(["quantity", "unitPrice", "lineAmount", "percent", "amount", "net", "tax", "total"])
const date = (text: string) => Option.getOrThrow(Option.orElse(CivilDate.parse(text), () => Instant.parse(text)))

/** Reads a source document in the form that an adapter would state, with figures as strings. */
const source = (name: string): SourceDocument => ({
  _tag: "SourceDocument",
  order: 0,
  findings: [],
  where: (path) => ({ file: "source.json", pointer: `/${path.join("/")}` }),
  ...JSON.parse(read(name, "source.json"), (key, value) =>
    typeof value !== "string"
      ? value
      : figures.has(key)
        ? Option.getOrThrow(Money.parse(value))
        : key === "date"
          ? date(value)
          : value
  )
})

const original = (name: string): ResolvedOriginal | undefined => {
  if (!has(name, "original.json")) return undefined
  const stated: { invoiceId: string; date: string } = JSON.parse(read(name, "original.json"))
  return { invoiceId: InvoiceId.make(stated.invoiceId), date: Option.getOrThrow(CivilDate.parse(stated.date)) }
}

const meanings = new Map(
  [...Object.values(TranslateFinding), ...receiptRules].map(({ code, meaning }) => [code, meaning])
)

/**
 * Returns a finding in the form of the fixtures: the message only if it differs from the code's
 * meaning.
 */
const brief = ({ code, detail, message, path, severity }: Finding) => ({
  code,
  severity,
  path: path.join("/"),
  ...(message !== meanings.get(code) && { message }),
  ...(detail !== undefined && { detail })
})

export interface Outcome {
  /**
   * JSON text with two spaces: the wire's fields without Date and IsRetry; `null` if the document
   * is refused.
   */
  readonly payload: string
  readonly findings: ReadonlyArray<ReturnType<typeof brief>>
  readonly at: ReadonlyArray<string | undefined>
}

const epoch = Instant.fromSeconds(
  0,
  Option.getOrThrow(Option.map(Instant.parse("1970-01-01T00:00:00Z"), (i) => i.zone))
)

/** Translates the case and checks it against the device's rules. */
export const run = (name: string): Effect.Effect<Outcome, BookFile.BookError> =>
  Effect.map(BookFile.load("book.json", read(name, "book.json")), (book) => {
    const stated = source(name)
    const { findings, translated } = translate(stated, book, original(name))
    const all = [...findings, ...(translated === undefined ? [] : beside(findings, check(stated, translated)))]
    const isSent = translated !== undefined && !all.some(refuses)
    const {
      Date: _,
      IsRetry: __,
      ...payload
    }: { Date?: unknown; IsRetry?: unknown } = isSent
      ? WireCodec.toWire(stamp(translated.document, epoch, "first"))
      : {}
    return {
      payload: JSON.stringify(isSent ? payload : null, null, 2),
      findings: all.map(brief),
      at: all.map(({ at }) => at?.pointer)
    }
  })

/** Returns JSON text in this file's form, with every number as written. */
export const normal = (json: string): string =>
  JSON.stringify(
    JSON.parse(json, (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" && context?.source !== undefined ? JSON.rawJSON(context.source) : value
    ),
    null,
    2
  )

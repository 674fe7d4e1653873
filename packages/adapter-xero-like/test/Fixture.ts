/** Exports for tests: texts or files as the adapter's input, and readings as plain JSON. */
import * as Instant from "../../core/src/document/Instant.ts"
import { formatPlain } from "../../core/src/document/Money.ts"
import type { Finding } from "../../core/src/finding/Finding.ts"
import type { Input, Reading } from "../../core/src/source/Adapter.ts"
import type { SourceDocument } from "../../core/src/source/SourceDocument.ts"
import { BigDecimal, DateTime, Effect, Stream } from "effect"
import { adapter } from "../src/XeroLikeAdapter.ts"
import type { XeroLikeOptions } from "../src/options/XeroLikeOptions.ts"

/** Returns files by name, cut into chunks at arbitrary places. */
export const inputOf = (files: { readonly [name: string]: string | Uint8Array }, chunk = 61): Input => ({
  files: Object.entries(files).map(([name, content]) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    const count = Math.ceil(bytes.length / chunk)
    return {
      name,
      bytes: Stream.fromIterable(Array.from({ length: count }, (_, i) => bytes.slice(i * chunk, (i + 1) * chunk)))
    }
  })
})

export const read = (input: Input, options: XeroLikeOptions = {}) => Stream.runCollect(adapter.read(input, options))

/** Returns the readings of one export, given as a value or as text. */
export const readingsOf = (content: unknown, options?: XeroLikeOptions) =>
  read(inputOf({ "export.json": typeof content === "string" ? content : JSON.stringify(content) }), options)

export const documentsIn = (readings: ReadonlyArray<Reading>): ReadonlyArray<SourceDocument> =>
  readings.filter((reading) => reading._tag === "SourceDocument")

/** Returns the only document of an export. */
export const documentOf = (content: unknown, options?: XeroLikeOptions) =>
  Effect.flatMap(readingsOf(content, options), (readings) => {
    const [document, ...rest] = documentsIn(readings)
    return document === undefined || rest.length > 0
      ? Effect.die(new Error(`expected one document: ${JSON.stringify(plain(readings))}`))
      : Effect.succeed(document)
  })

export const codesOf = (findings: ReadonlyArray<Finding>) => findings.map(({ code }) => code)

const fields = new Set(
  (
    "kind id number order date currency amounts buyer lines charges totals originals reason reference paymentMethod " +
    "findings"
  ).split(" ")
)

/** Returns decimals as text, and findings without the parts decided elsewhere. */
export const plain = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return formatPlain(value)
  if (DateTime.isDateTime(value)) return DateTime.isZoned(value) ? Instant.format(value) : DateTime.formatIso(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== "object") return value
  if ("_tag" in value && value._tag === "SourceDocument" && "where" in value)
    return plainDocument(value as SourceDocument)
  if ("_tag" in value && value._tag === "Finding") {
    const { at, code, detail, message, path, severity } = value as Finding
    return { finding: code, severity, message, detail, path, at }
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
}

const plainDocument = (document: SourceDocument) => ({
  at: document.where([]),
  ...Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) => (fields.has(name) ? [[name, plain(value)]] : []))
  )
})

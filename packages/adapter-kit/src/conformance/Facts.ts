/**
 * Expected readings of an export, reviewed by an author: plain JSON with every figure in full
 * digits.
 */
import { type Adapter, Instant, Money } from "@fiscal-connector/core/adapter"
import { BigDecimal, DateTime } from "effect"

/** A JSON value of a facts file. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/**
 * Facts of one export. The author writes `records` from the export, compares all other values with
 * the export, and then sets `reviewed`.
 */
export interface FixtureFacts {
  readonly reviewed: boolean
  /**
   * Number of records in the export, counted by hand. Each record is a document, skipped or a
   * finding.
   */
  readonly records: number | null
  readonly readings: ReadonlyArray<Json>
}

const open = ""

/** True if a value of a reading has not been typed in. */
export const hasOpenValue = (facts: Json): boolean =>
  facts === open ||
  (typeof facts === "object" &&
    facts !== null &&
    Object.values(facts as object).some((part: Json) => hasOpenValue(part)))

const plain = (value: unknown, values: "stated" | "open" = "stated"): Json => {
  if (Array.isArray(value)) return value.map((part) => plain(part, values))
  const isFigure = BigDecimal.isBigDecimal(value)
  const isTime = DateTime.isDateTime(value) && DateTime.isZoned(value)
  const isValue = isFigure || isTime || value === null || typeof value !== "object"
  if (isValue && values === "open") return open
  if (isFigure) return Money.formatPlain(value)
  if (isTime) return Instant.format(value)
  if (isValue) return value as Json
  const entries = Object.entries(value).flatMap(([key, part]): ReadonlyArray<[string, Json]> => {
    const isEmpty = part === undefined || (Array.isArray(part) && part.length === 0)
    return isEmpty ? [] : [[key, plain(part, values)]]
  })
  return Object.fromEntries(entries)
}

/** Fields that facts compare; an adapter's document class may have more. */
const fields = [
  "kind",
  "id",
  "number",
  "date",
  "currency",
  "taxMode",
  "buyer",
  "lines",
  "charges",
  "totals",
  "originals",
  "replaces",
  "reason",
  "reference",
  "paymentMethod",
  "modified"
] as const

/** Returns the statements of a reading in the form of a facts file. */
export const factsOf = (reading: Adapter.Reading): Json => factsWith(reading, "stated")

const factsWith = (reading: Adapter.Reading, values: "stated" | "open"): Json => {
  switch (reading._tag) {
    case "SourceDocument": {
      const stated = fields.map((field) => [field, reading[field]] as const)
      // a buyer's id is compared and never sent
      const buyer = reading.buyer && { ...reading.buyer, id: undefined }
      const isEmpty = Object.keys(reading.totals).length === 0
      const unreadable = reading.findings.map(({ code, path }) => `${code} ${path.join(".")}`.trim())
      const all = { ...Object.fromEntries(stated), buyer, ...(isEmpty && { totals: undefined }) }
      const told = plain({ number: reading.number, unreadable })
      return { ...(plain(all, values) as object), ...(told as object) } as Json
    }
    case "Skipped":
      return {
        skipped: reading.key,
        reason: reading.reason,
        ...(reading.cancelled && { cancelled: `${reading.cancelled.kind} ${reading.cancelled.id}` })
      }
    case "Finding":
      return { finding: reading.code, ...(reading.at?.line !== undefined && { line: reading.at.line }) }
  }
}

/** Returns false for the finding that lists what a file states. */
export const isOfRecord = (reading: Adapter.Reading): boolean =>
  reading._tag !== "Finding" || reading.statements === undefined

/**
 * Drafts facts for an author to review, without values. The author types the values in from the
 * export or another independent source, never from the adapter.
 */
export const draft = (readings: ReadonlyArray<Adapter.Reading>): FixtureFacts => ({
  reviewed: false,
  records: null,
  readings: readings.filter(isOfRecord).map((reading) => factsWith(reading, "open"))
})

const nameOf = (reading: Json | undefined, index: number): string => {
  const facts = (reading ?? {}) as { readonly [key: string]: Json }
  return String(facts["number"] ?? facts["id"] ?? facts["skipped"] ?? `reading ${index + 1}`)
}

/** Describes the first difference; undefined if equal. */
export const difference = (expected: ReadonlyArray<Json>, given: ReadonlyArray<Json>): string | undefined => {
  for (let i = 0; i < Math.max(expected.length, given.length); i++) {
    const [one, two] = [expected[i], given[i]]
    const who = nameOf(one ?? two, i)
    if (two === undefined) return `${who} is in the reviewed facts, and the adapter says nothing of it`
    if (one === undefined) return `the adapter gives ${who}, which is not in the reviewed facts`
    const at = differing(one, two, [])
    if (at !== undefined)
      return `${who}: ${at.path.join(".") || "it"} is ${shown(at.given)}, the reviewed facts say ${shown(at.expected)}`
  }
  return undefined
}

const shown = (value: Json | undefined): string =>
  value === undefined ? "not stated" : JSON.stringify(value).slice(0, 120)

interface FactDifference {
  readonly path: ReadonlyArray<string>
  readonly expected: Json | undefined
  readonly given: Json | undefined
}

const differing = (
  expected: Json | undefined,
  given: Json | undefined,
  path: ReadonlyArray<string>
): FactDifference | undefined => {
  if (expected === given) return undefined
  const isParted = (value: unknown): value is object => value !== null && typeof value === "object"
  if (!isParted(expected) || !isParted(given)) return { path, expected, given }
  const [one, two] = [expected as { [key: string]: Json }, given as { [key: string]: Json }]
  for (const key of new Set([...Object.keys(one), ...Object.keys(two)])) {
    const found = differing(one[key], two[key], [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

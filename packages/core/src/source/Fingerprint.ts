/** What the export states, as one short text: equal fingerprints mean that nothing about the document has changed. */
import { BigDecimal, DateTime } from "effect"
import { createHash } from "node:crypto"
import * as Instant from "../document/Instant.ts"
import { formatPlain } from "../document/Money.ts"
import type { SourceDocument } from "./SourceDocument.ts"

const canonical = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return formatPlain(value)
  if (DateTime.isDateTime(value)) return DateTime.isZoned(value) ? Instant.format(value) : DateTime.formatIso(value)
  if (Array.isArray(value)) return value.map(canonical)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, canonical(field)])
  )
}

/** What counts; a new field of SourceDocument does not compile until it stands here or among the exceptions. */
const statements: Record<Exclude<keyof SourceDocument, "_tag" | "order" | "findings" | "where">, true> = {
  kind: true,
  id: true,
  number: true,
  date: true,
  currency: true,
  amounts: true,
  buyer: true,
  lines: true,
  charges: true,
  totals: true,
  originals: true,
  reason: true,
  reference: true,
  paymentMethod: true
}
const statedFields = Object.keys(statements) as Array<keyof typeof statements>

/**
 * SHA-256 over everything the source states, lines included. Its place in the export, the assigned time and the book's output are no part
 * of it, so the same document in another file or under another book has the same fingerprint (DESIGN, Submission: states).
 */
export const fingerprint = (source: SourceDocument): string => {
  const stated = Object.fromEntries(statedFields.map((field) => [field, source[field]]))
  return createHash("sha256")
    .update(JSON.stringify(canonical(stated)))
    .digest("hex")
}

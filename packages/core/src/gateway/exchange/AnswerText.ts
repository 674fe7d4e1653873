/** Text from outside, made fit to show: one line, bounded, without control characters. */
import { Result } from "effect"
import * as Money from "../../document/Money.ts"

// Control characters, line separators, and marks that reorder or hide text on a terminal.
const unprintable = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/** Returns one line of at most `longest` characters. A cut text ends with `…`. */
export const oneLine = (text: string, longest: number): string => {
  // Four times the length is enough to fill the line, however long the text is.
  const clean = text
    .slice(0, longest * 4)
    .replace(unprintable, " ")
    .replace(/\s+/g, " ")
    .trim()
  return clean.length > longest || text.length > longest * 4 ? `${clean.slice(0, longest - 1)}…` : clean
}

const fromHtml = (html: string): string =>
  html
    .replace(/<(script|style)\b[^<>]*>[^<]*/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, " ")

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = (value: unknown, depth: number): string => {
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (depth === 0) return ""
  if (Array.isArray(value)) return joined(value.slice(0, 10).map((each) => textOf(each, depth - 1)))
  return isRecord(value) ? fromError(value, depth - 1) : ""
}

const joined = (texts: ReadonlyArray<string>): string =>
  [...new Set(texts.filter((text) => text.trim() !== ""))].join("; ")

const reasonFields = ["message", "title", "detail", "error", "error_description", "reason", "description"]

const fromError = (error: Record<string, unknown>, depth: number): string => {
  const byName = new Map(Object.entries(error).map(([name, value]) => [name.toLowerCase(), value]))
  const errors = byName.get("errors")
  return joined([
    ...reasonFields.map((name) => textOf(byName.get(name), depth)),
    ...(isRecord(errors)
      ? Object.entries(errors)
          .slice(0, 10)
          .map(([field, value]) => `${field}: ${textOf(value, depth)}`)
      : [textOf(errors, depth)])
  ])
}

/**
 * `message`, `Message`, `error`, problem details, a JSON string, plain text or HTML, at most 500
 * characters. JSON without a recognizable message is quoted as received. The contract shows no
 * schema for error bodies (docs/gateway.md#errors).
 */
export const fromErrorBody = (body: string): string => {
  const start = body.slice(0, 16_384).trimStart()
  if (start.startsWith("<")) return oneLine(fromHtml(start), 500)
  const value = Result.getOrUndefined(Money.parseJson(body))
  const text = textOf(value, 4)
  return oneLine(text.trim() === "" ? start : text, 500)
}

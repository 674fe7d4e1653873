/** Text that came from outside, made fit to show: one line, bounded, without control characters. */
import { Result } from "effect"
import * as Money from "../../document/Money.ts"

// Controls, line separators, and the marks that reorder or hide text on a terminal.
const unprintable = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/** One line of at most `longest` characters; what is cut off shows as `…`. */
export const line = (text: string, longest: number): string => {
  // Four times as much is enough to fill the line, whatever the size of what came.
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

const said = ["message", "title", "detail", "error", "error_description", "reason", "description"]

const fromError = (error: Record<string, unknown>, depth: number): string => {
  const byName = new Map(Object.entries(error).map(([name, value]) => [name.toLowerCase(), value]))
  const errors = byName.get("errors")
  return joined([
    ...said.map((name) => textOf(byName.get(name), depth)),
    ...(isRecord(errors)
      ? Object.entries(errors)
          .slice(0, 10)
          .map(([field, value]) => `${field}: ${textOf(value, depth)}`)
      : [textOf(errors, depth)])
  ])
}

/**
 * What an error body says, whatever its shape: `message`, `Message`, `error`, problem details, a JSON string, plain text or HTML.
 * At most 500 characters; JSON in which nothing is recognised is quoted as it came. Its schema is not shown (docs/gateway.md#errors).
 */
export const fromErrorBody = (body: string): string => {
  const start = body.slice(0, 16_384).trimStart()
  if (start.startsWith("<")) return line(fromHtml(start), 500)
  const value = Result.getOrUndefined(Money.parseJson(body))
  const text = textOf(value, 4)
  return line(text.trim() === "" ? start : text, 500)
}

/**
 * Identifiers such as document numbers, tax numbers and phones: texts that look like numbers, and
 * their damage by spreadsheets.
 */

export interface Identifier {
  readonly value: string
  readonly trouble?: "apostrophe" | "wrapped" | "damaged" | "formula"
}

const powersOfTen = /^\d([.,]\d+)?E\+\d+$/i
const dayAndMonth =
  /^\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$|^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2}$/i

const suspicious = /^['=]|E\+|^\d{1,2}-[A-Z]|^[A-Z]{3}-\d\d$/i

/** True if a spreadsheet cannot have changed the text. */
export const isPlain = (text: string): boolean => !hasControl(text) && !suspicious.test(text)

const hasControl = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x20) return true
  return false
}

/** Removes a spreadsheet's text marks (`'0001`, `="0001"`) and returns the trouble found. */
export const read = (text: string): Identifier => {
  const value = text.trim()
  const wrapped = /^="([^"]*)"$/.exec(value)
  if (wrapped !== null) return { value: wrapped[1]!, trouble: "wrapped" }
  const marked = /^'[\p{L}\p{N}=+\-@]/u.test(value) && !value.endsWith("'")
  const bare = marked ? value.slice(1) : value
  if (bare.startsWith("=")) return { value: bare, trouble: "formula" }
  if (powersOfTen.test(bare) || dayAndMonth.test(bare)) return { value: bare, trouble: "damaged" }
  return marked ? { value: bare, trouble: "apostrophe" } : { value: bare }
}

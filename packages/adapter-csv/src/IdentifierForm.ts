/** Numbers of documents, tax numbers, phones: text that only looks like a number, and what spreadsheets do to it. */

export interface Identifier {
  readonly value: string
  readonly trouble?: "apostrophe" | "damaged" | "formula"
}

const powersOfTen = /^\d([.,]\d+)?E\+\d+$/i
const dayAndMonth =
  /^\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$|^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2}$/i

/** Takes off a spreadsheet's text marks (`'0001`, `="0001"`) and says what was found. */
export const read = (text: string): Identifier => {
  const value = text.trim()
  const wrapped = /^="([^"]*)"$/.exec(value)
  if (wrapped !== null) return { value: wrapped[1]!, trouble: "apostrophe" }
  if (value.startsWith("=")) return { value, trouble: "formula" }
  if (/^'[\p{L}\p{N}+]/u.test(value) && !value.endsWith("'")) return { value: value.slice(1), trouble: "apostrophe" }
  if (powersOfTen.test(value) || dayAndMonth.test(value)) return { value, trouble: "damaged" }
  return { value }
}

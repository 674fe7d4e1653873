/** A file for each row of the list of recognized formats, which could also be read as invoices. */
import type { Contents } from "../src/columns/Settings.ts"
import { unsupportedFormats } from "../src/detect/UnsupportedFormat.ts"

/** Columns that state invoices with their lines. */
const columns = ["Nn", "Dd", "Tt", "Qq", "Pp", "Cc"]

/** Returns the map that reads the invoices of a file and leaves the other columns unread. */
export const mapOf = ({ rows }: Pick<RecognizedFile, "rows">) => ({
  version: 1 as const,
  columns: {
    number: "Nn",
    date: "Dd",
    description: "Tt",
    quantity: "Qq",
    unitPrice: "Pp",
    taxes: [{ code: "Cc" }] as const
  },
  unread: rows[0]!.slice(0, -columns.length).filter((name) => /\p{L}{2}/u.test(name)),
  settings: { amounts: "exclusive" as const, currency: "USD" }
})

/** Number of documents that the map reads. */
export const documents = 2

/** Returns a text that the pattern matches: one of its first characters, or its first word. */
const textOf = (pattern: RegExp): string => {
  const words = pattern.source.match(/[a-z]+/gi) ?? []
  const found = ["[", "{", "<a", ...words].find((text) => pattern.test(text))
  if (found === undefined) throw new Error(`no text for ${pattern.source}`)
  return found
}

export interface RecognizedFile {
  readonly name: string
  readonly contents: Contents
  /** Cells of each row. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const fileOf = (name: string, contents: Contents, cells: ReadonlyArray<string>): RecognizedFile => ({
  name,
  contents,
  rows: [
    [...cells, ...columns],
    ...Array.from({ length: documents }, (_, i) => [
      ...cells.map(() => "x"),
      `A-${i + 1}`,
      "2026-01-05",
      "Nails",
      "1",
      "2.50",
      "S"
    ])
  ]
})

/** Files by the rows of the list. A workbook does not begin with the text of its first cell. */
export const files: ReadonlyArray<RecognizedFile & { readonly isText: boolean }> = unsupportedFormats.flatMap(
  ({ begins, contents, name, rows }) => [
    ...(begins === undefined ? [] : [{ ...fileOf(name, contents, [textOf(begins)]), isText: true }]),
    ...rows.map((row, i) => ({
      ...fileOf(`${name}, row ${i + 1}`, contents, "first" in row ? [textOf(row.first)] : row.names),
      isText: false
    }))
  ]
)

export const csvOf = ({ rows }: RecognizedFile): string => `${rows.map((cells) => cells.join(",")).join("\n")}\n`

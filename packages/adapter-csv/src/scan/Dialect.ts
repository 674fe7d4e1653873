/** How a file separates and quotes its cells. */

export type Delimiter = "," | ";" | "\t" | "|"

export const delimiters: ReadonlyArray<Delimiter> = [",", ";", "\t", "|"]

/** How a quote inside a quoted cell is written: `""`, or `\"` (where `""` is understood as well). */
export type Quotes = "doubled" | "backslash"

export interface Dialect {
  readonly delimiter: Delimiter
  readonly quotes: Quotes
}

const names = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" } as const

/** As a person says it. */
export const delimiterName = (delimiter: Delimiter) => names[delimiter]

export type Delimiter = "," | ";" | "\t" | "|"

export const delimiters: ReadonlyArray<Delimiter> = [",", ";", "\t", "|"]

/**
 * End of a cell in a table, which is not a text file (`Table`): a byte that never occurs in UTF-8.
 */
export const cellEnd = "\u00ff" as const

export type Separator = Delimiter | typeof cellEnd

/** Form of a quote inside a quoted cell: `""`, or `\"` (where `""` is understood as well). */
export type Quotes = "doubled" | "backslash"

export interface Dialect {
  readonly delimiter: Separator
  readonly quotes: Quotes
}

const names = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", [cellEnd]: "cell" } as const

export const delimiterName = <D extends Separator>(delimiter: D): (typeof names)[D] => names[delimiter]

export const delimiterSetting = (delimiter: Separator) =>
  delimiter === cellEnd ? {} : { delimiter: delimiterName(delimiter) }

/** How a file separates and quotes its cells. */

export type Delimiter = "," | ";" | "\t" | "|"

export const delimiters: ReadonlyArray<Delimiter> = [",", ";", "\t", "|"]

/** What ends the cells of a table, which is no text (`TableNotation`): a byte that no UTF-8 has. */
export const cellEnd = "\u00ff" as const

export type Separator = Delimiter | typeof cellEnd

/** How a quote inside a quoted cell is written: `""`, or `\"` (where `""` is understood as well). */
export type Quotes = "doubled" | "backslash"

export interface Dialect {
  readonly delimiter: Separator
  readonly quotes: Quotes
}

const names = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", [cellEnd]: "cell" } as const

/** As a person says it. */
export const delimiterName = <D extends Separator>(delimiter: D): (typeof names)[D] => names[delimiter]

/** The same as a setting; a table's cells are separated as they are. */
export const delimiterSetting = (delimiter: Separator) =>
  delimiter === cellEnd ? {} : { delimiter: delimiterName(delimiter) }

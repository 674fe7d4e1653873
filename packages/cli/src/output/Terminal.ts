/** Text from exports and from the gateway is never trusted on a terminal: control characters are shown, not obeyed. */
import { createRequire } from "node:module"
import type stringWidth from "string-width"

const load = createRequire(import.meta.url)

let loaded: { readonly default: typeof stringWidth } | undefined

/** The columns of any text. To load what knows them is a tenth of a start, and few texts need it. */
const anyColumnsOf = (text: string): number => {
  loaded ??= load("string-width") as { readonly default: typeof stringWidth }
  return loaded.default(text)
}

/** Letters of Latin, Greek and Cyrillic by themselves, figures, quotation marks and dashes: whatever stands beside them, each takes one column. */
const single = /^[ -~\u00c0-\u024f\u0391-\u03a1\u03a3-\u03c9\u0400-\u0481\u048a-\u052f\u2010-\u2027]*$/

/** How many columns of the terminal a text takes. */
export const columnsOf = (text: string): number => (single.test(text) ? text.length : anyColumnsOf(text))

/** Escapes control characters and bidirectional overrides; line breaks become a visible mark, so that a row stays a row. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === "\n" ? "⏎" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/** Cut to a width in columns, with an ellipsis where something was cut. */
export const fit = (text: string, width: number): string => {
  if (columnsOf(text) <= width) return text
  let cut = ""
  for (const character of text) {
    if (columnsOf(cut + character) > width - 1) break
    cut += character
  }
  return `${cut}…`
}

export const padEnd = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - columnsOf(text)))

export const padStart = (text: string, width: number): string => " ".repeat(Math.max(0, width - columnsOf(text))) + text

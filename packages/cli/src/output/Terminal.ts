/**
 * Texts of exports, of the gateway and of file names may contain control characters for the
 * terminal. The output console escapes every printed text once. Our own styles are added
 * afterwards.
 */
import { EscapedText } from "@fiscal-connector/core/host"
import { Console, Effect } from "effect"
import { randomBytes } from "node:crypto"
import { createRequire } from "node:module"
import { basename, extname } from "node:path"
import type stringWidth from "string-width"

const require = createRequire(import.meta.url)

let loaded: { readonly default: typeof stringWidth } | undefined

/** Loading the width library takes a tenth of a start, and few texts need it. */
const anyColumnsOf = (text: string): number => {
  loaded ??= require("string-width") as { readonly default: typeof stringWidth }
  return loaded.default(text)
}

/**
 * Matches precomposed Latin, Greek and Cyrillic letters, digits, quotation marks and dashes. Each
 * takes one column next to any other character.
 */
const single = /^[ -~\u00c0-\u024f\u0391-\u03a1\u03a3-\u03c9\u0400-\u0481\u048a-\u052f\u2010-\u2027]*$/

export const columnsOf = (text: string): number => (single.test(text) ? text.length : anyColumnsOf(text))

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

export const printable = EscapedText.inOneLine

// the mark is random and known only to this process, so no cell can request a style
const mark = `\ufdd0${randomBytes(8).toString("hex")}`
export const styled = (text: string, code: number): string => `${mark}${code};${text}${mark}0;`

export const leaving = (text: string): string => {
  const [first = "", ...others] = EscapedText.escaped(text).split(mark)
  return first + others.map((other) => other.replace(/^(\d+);/, "\u001b[$1m")).join("")
}

export const safeConsole = (console: Console.Console, names: ReadonlyArray<string> = []): Console.Console => {
  const inLines = (text: string) => names.reduce((shown, name) => shown.replaceAll(name, printable(name)), text)
  const through =
    (write: (...texts: ReadonlyArray<unknown>) => void) =>
    (...texts: ReadonlyArray<unknown>) =>
      write(...texts.map((text) => (typeof text === "string" ? leaving(inLines(text)) : text)))
  return {
    ...console,
    log: through(console.log.bind(console)),
    error: through(console.error.bind(console)),
    warn: through(console.warn.bind(console)),
    info: through(console.info.bind(console)),
    debug: through(console.debug.bind(console))
  }
}

/**
 * Arguments with a line break are shown in one text line, so that a file name cannot fake a text
 * line. The longest comes first, since a file's path contains its name.
 */
const namesWithBreaks = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(args.flatMap((arg) => [arg, basename(arg), basename(arg, extname(arg))]))]
    .filter((name) => name.includes("\n"))
    .toSorted((a, b) => b.length - a.length)

export const provide =
  (args: ReadonlyArray<string>) =>
  <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Console.Console, (console) =>
      Effect.provideService(program, Console.Console, safeConsole(console, namesWithBreaks(args)))
    )

/**
 * The terminal: how wide a text is, and the door through which every text leaves the command. Text of exports, of the gateway and of file names may
 * have control characters that a terminal obeys; the door escapes them once, for whatever was printed. Our own styles are added after that.
 */
import { escaped, inOneLine } from "@fiscal-connector/core/unstable/document/EscapedText"
import { Console, Effect } from "effect"
import { randomBytes } from "node:crypto"
import { createRequire } from "node:module"
import { basename, extname } from "node:path"
import type stringWidth from "string-width"

const require = createRequire(import.meta.url)

let loaded: { readonly default: typeof stringWidth } | undefined

/** The columns of any text. To load what knows them is a tenth of a start, and few texts need it. */
const anyColumnsOf = (text: string): number => {
  loaded ??= require("string-width") as { readonly default: typeof stringWidth }
  return loaded.default(text)
}

/** Letters of Latin, Greek and Cyrillic by themselves, figures, quotation marks and dashes: whatever stands beside them, each takes one column. */
const single = /^[ -~\u00c0-\u024f\u0391-\u03a1\u03a3-\u03c9\u0400-\u0481\u048a-\u052f\u2010-\u2027]*$/

/** How many columns of the terminal a text takes. */
export const columnsOf = (text: string): number => (single.test(text) ? text.length : anyColumnsOf(text))

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

/** For a name or a cell inside of one text line. */
export const printable = inOneLine

// nobody outside of this process knows the mark, so no cell can ask for a style
const mark = `\ufdd0${randomBytes(8).toString("hex")}`
/** Shows a text in a color of the terminal (an SGR code). The door turns the mark into the escape sequence. */
export const styled = (text: string, code: number): string => `${mark}${code};${text}${mark}0;`

/** The text as it leaves the process. */
export const leaving = (text: string): string => {
  const [first = "", ...others] = escaped(text).split(mark)
  return first + others.map((other) => other.replace(/^(\d+);/, "\u001b[$1m")).join("")
}

/** A console whose every text goes through the door. */
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
 * Arguments with a line break are shown in one text line wherever a text repeats them: a file's name must not begin a line of its own. The
 * longest comes first, since a file's path contains its name.
 */
const namesWithBreaks = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(args.flatMap((arg) => [arg, basename(arg), basename(arg, extname(arg))]))]
    .filter((name) => name.includes("\n"))
    .toSorted((a, b) => b.length - a.length)

/** Runs a program whose output goes through the door. `args`: those of this call. */
export const provide =
  (args: ReadonlyArray<string>) =>
  <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Console.Console, (console) =>
      Effect.provideService(program, Console.Console, safeConsole(console, namesWithBreaks(args)))
    )

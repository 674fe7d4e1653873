/** The one place that words a call of this command: what is printed can be pasted, from the folder it was printed in, whatever files are called. */
import { Context } from "effect"
import { escaped } from "@fiscal-connector/core/unstable/document/EscapedText"

export type Shell = "posix" | "powershell"

const ownShell = (): Shell => (process.platform === "win32" ? "powershell" : "posix")

const plain: Readonly<Record<Shell, RegExp>> = { posix: /^[\w./:@%+,=-]+$/, powershell: /^[\w./:\\+-]+$/ }

const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A word with control characters: the shell makes them again of their escapes, and the terminal sees none. */
const inEscapes: Readonly<Record<Shell, (text: string) => string>> = {
  posix: (text) => {
    const inQuotes = text.replaceAll(/[\\']/g, String.raw`\$&`)
    const code = (character: string) => character.charCodeAt(0)
    const written = (character: string) =>
      code(character) < 0x80 ? String.raw`\x${hex(code(character), 2)}` : String.raw`\u${hex(code(character), 4)}`
    return `$'${inQuotes.replaceAll(hidden, written)}'`
  },
  powershell: (text) =>
    `"${text.replaceAll(/["$`]/g, "`$&").replaceAll(hidden, (character) => `$([char]${character.charCodeAt(0)})`)}"`
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0")

/** One word of the shell. */
export const quoted = (text: string, shell: Shell = ownShell()): string => {
  if (plain[shell].test(text)) return text
  if (escaped(text) !== text || /[\t\n]/.test(text)) return inEscapes[shell](text)
  return `'${text.replaceAll("'", shell === "posix" ? "'\\''" : "''")}'`
}

/** The arguments as a person types them. */
export const line = (args: ReadonlyArray<string>, shell: Shell = ownShell()): string =>
  ["connector", ...args].map((arg) => quoted(arg, shell)).join(" ")

/** A variable of the environment, for the calls that follow in this shell. */
export const exported = (name: string, value: string, shell: Shell = ownShell()): string =>
  shell === "posix" ? `export ${name}=${quoted(value, shell)}` : `$env:${name} = '${value.replaceAll("'", "''")}'`

/** The configuration that is meant where no flag says one. */
export const configVariable = "FISCAL_CONNECTOR_CONFIG"

export interface Next {
  readonly command: ReadonlyArray<string>
  /** What the command is about; one that begins with a hyphen is kept apart from the flags. */
  readonly operands?: ReadonlyArray<string>
  /** Flags with a value that are said as in this call, if it has them: `config`, `account`, `store`. */
  readonly as?: ReadonlyArray<string>
  /** Flags that the command cannot do without, with what a person puts there, where this call does not say them. */
  readonly needs?: Readonly<Record<string, string>>
  readonly flags?: ReadonlyArray<string>
}

export interface CallShape {
  /** Whether what this call is about is there afterwards: not in the store where it only plans, nowhere where the gateway is one of its own. */
  readonly place: "kept" | "planned" | "gone"
  /** Its first word; empty where nothing was called. */
  readonly command: string
  /** Flag that the next call needs because the environment does not name a configuration. */
  readonly configuration: Readonly<Record<string, string>>
  /** The value of a flag of this call, by its long name; undefined where the call does not have it. */
  value(name: string): string | undefined
  /** Another call, for the same configuration, account and store. */
  next(next: Next): string
  /** This call again, with this said in addition, or instead. */
  again(...flags: ReadonlyArray<string>): string
  /** The same by another command, or about another file. */
  like(other: Like): string
}

export interface Like {
  /** In place of the first word. */
  readonly command?: string
  readonly files?: { readonly these: ReadonlyArray<string>; readonly now: string }
  /** Flags that are left out; `value` is empty where one has none. */
  readonly leavesOut?: (flag: string, value: string) => boolean
  /** Said in addition where this call does not say them. */
  readonly flags?: ReadonlyArray<string>
}

/** What a user puts behind a flag, in the help of every command and in every call that is printed. */
export const placeholders: Readonly<Record<string, string>> = {
  accepted: "REQUEST_ID",
  account: "NAME",
  adapter: "ADAPTER",
  answers: "FILE",
  application: "NAME",
  as: "NAME",
  "base-url": "URL",
  because: "REASON",
  before: "DATE",
  book: "BOOK",
  columns: "FILE",
  config: "FILE",
  confirm: "COUNT",
  contacts: "FILE",
  "credit-note-prefix": "PREFIX",
  currency: "CODE",
  day: "DAY",
  "first-use": "CODE",
  fixtures: "FOLDER",
  from: "STORE",
  "header-line": "LINE",
  host: "ADDRESS",
  import: "ID",
  "key-file": "FILE",
  lanes: "COUNT",
  layout: "NAME",
  "not-before": "DATE",
  original: "CN=INV",
  originals: "FILE",
  out: "FILE",
  "out-dir": "FOLDER",
  port: "PORT",
  report: "FILE",
  search: "TEXT",
  "secret-file": "FILE",
  sheet: "NAME",
  since: "DATE",
  "since-date": "DATE",
  "since-day": "DAY",
  starter: "FILE",
  station: "NAME",
  status: "STATUS=MEANING",
  "status-port": "PORT",
  store: "STORE",
  to: "STORE",
  verification: "CODE",
  "write-answers": "FILE",
  year: "YEAR",
  zone: "ZONE"
}

/** Flags without a value: what follows them stands for itself. */
export const plainFlags: ReadonlySet<string> = new Set([
  "--sandbox",
  "--live",
  "--historical",
  "--send-rest",
  "--dry-run",
  "--json",
  "--quiet",
  "-q",
  "--verbose"
])

/** Where the files of a call stand, and not what is the same text as the value of a flag. */
const isFile = (args: ReadonlyArray<string>, i: number, files: ReadonlyArray<string>): boolean => {
  const before = args[i - 1] ?? ""
  const isValue = before.startsWith("-") && !before.includes("=") && !plainFlags.has(before)
  return files.includes(args[i]!) && !isValue
}

/** What follows each flag, as often as it is said. */
const valuesIn = (args: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const said = new Map<string, Array<string>>()
  args.forEach((arg, i) => {
    const [flag = "", value] = arg.split(/=(.*)/s)
    const name = flag === "-c" ? "config" : flag.startsWith("--") ? flag.slice(2) : undefined
    const given = value ?? args[i + 1]
    if (name !== undefined && given !== undefined) said.set(name, [...(said.get(name) ?? []), given])
  })
  return said
}

/** `args`: those of this call, without the program's own. `env`: variables that the next call finds, too. */
export const make = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>> = {}
): CallShape => {
  const end = args.indexOf("--")
  const [before, after] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)]
  const said = valuesIn(before)
  return {
    place: before.includes("--sandbox") ? "gone" : "kept",
    command: args[0] ?? "",
    configuration: env[configVariable] === undefined ? { config: "FILE" } : {},
    value: (name) => said.get(name)?.at(-1),
    next: ({ as = [], command, flags = [], needs = {}, operands = [] }) => {
      const told = as.flatMap((name) => (said.get(name) ?? []).flatMap((value) => [`--${name}`, value]))
      const needed = Object.entries(needs).flatMap(([name, place]) =>
        args.length === 0 || said.has(name) ? [] : [`--${name}`, place]
      )
      const rest = [...told, ...needed, ...flags]
      const isPlain = operands.every((operand) => !operand.startsWith("-"))
      return line([...command, ...(isPlain ? operands : []), ...rest, ...(isPlain ? [] : ["--", ...operands])])
    },
    again: (...flags) => {
      const [first = ""] = flags
      const at = first === "" ? -1 : before.indexOf(first)
      const isRepeated = at !== -1 && flags.length === 2
      const kept = isRepeated ? [...before.slice(0, at), ...before.slice(at + 2)] : before
      return line([...kept, ...(at !== -1 && !isRepeated ? [] : flags), ...after])
    },
    like: ({ command, files, flags = [], leavesOut = () => false }) => {
      const kept = args.slice(1)
      const isLeftOut = (i: number): boolean => {
        const [written = "", value] = (kept[i] ?? "").split(/=(.*)/s)
        const flag = written === "-c" ? "--config" : written
        return flag.startsWith("--") && leavesOut(flag, value ?? (plainFlags.has(flag) ? "" : (kept[i + 1] ?? "")))
      }
      const hasValueBehind = (arg: string) => !arg.includes("=") && !plainFlags.has(arg)
      const isValueLeftOut = (i: number) => isLeftOut(i - 1) && hasValueBehind(kept[i - 1]!)
      const all = [command ?? args[0] ?? "", ...kept.filter((_, i) => !isLeftOut(i) && !isValueLeftOut(i))]
      const first = files === undefined ? -1 : all.findIndex((_, i) => isFile(all, i, files.these))
      const about = all.flatMap((arg, i) => {
        if (files === undefined || !isFile(all, i, files.these)) return [arg]
        return i === first ? [files.now] : []
      })
      const at = about.indexOf("--")
      const isSaid = flags[0] === undefined || about.some((arg) => arg === flags[0] || arg.startsWith(`${flags[0]}=`))
      return line(isSaid ? about : about.toSpliced(at === -1 ? about.length : at, 0, ...flags))
    }
  }
}

/** How this run was called. */
export class Call extends Context.Reference<CallShape>("fiscal-connector/output/Call", {
  defaultValue: () => make([])
}) {}

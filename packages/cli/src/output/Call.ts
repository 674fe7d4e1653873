/**
 * Calls of this command in printed texts. A printed call can be pasted in the folder where it was
 * printed, whatever the names of files.
 */
import { Context } from "effect"
import { EscapedText } from "@fiscal-connector/core/host"

export type Shell = "posix" | "powershell"

const ownShell = (): Shell => (process.platform === "win32" ? "powershell" : "posix")

const plain: Readonly<Record<Shell, RegExp>> = { posix: /^[\w./:@%+,=-]+$/, powershell: /^[\w./:\\+-]+$/ }

const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** The shell restores control characters from the escapes, and the terminal never sees them. */
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

export const quoted = (text: string, shell: Shell = ownShell()): string => {
  if (plain[shell].test(text)) return text
  if (EscapedText.escaped(text) !== text || /[\t\n]/.test(text)) return inEscapes[shell](text)
  return `'${text.replaceAll("'", shell === "posix" ? "'\\''" : "''")}'`
}

export const shellText = (args: ReadonlyArray<string>, shell: Shell = ownShell()): string =>
  ["connector", ...args].map((arg) => quoted(arg, shell)).join(" ")

export const exported = (name: string, value: string, shell: Shell = ownShell()): string =>
  shell === "posix" ? `export ${name}=${quoted(value, shell)}` : `$env:${name} = '${value.replaceAll("'", "''")}'`

export const configVariable = "FISCAL_CONNECTOR_CONFIG"

export interface NextCall {
  readonly command: ReadonlyArray<string>
  readonly operands?: ReadonlyArray<string>
  readonly as?: ReadonlyArray<string>
  readonly needs?: Readonly<Record<string, string>>
  readonly flags?: ReadonlyArray<string>
}

export interface CallShape {
  /**
   * Persistence of the call's result. `planned`: nothing is in the store. `gone`: the gateway is a
   * sandbox that ends with the call.
   */
  readonly place: "kept" | "planned" | "gone"
  readonly command: string
  /** Flag that the next call needs because the environment does not name a configuration. */
  readonly configuration: Readonly<Record<string, string>>
  value(name: string): string | undefined
  next(next: NextCall): string
  again(...flags: ReadonlyArray<string>): string
  like(other: Like): string
}

export interface Like {
  readonly command?: string
  readonly files?: { readonly these: ReadonlyArray<string>; readonly now: string }
  readonly leavesOut?: (flag: string, value: string) => boolean
  readonly flags?: ReadonlyArray<string>
}

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
  from: "FROM",
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
  to: "TO",
  verification: "CODE",
  "write-answers": "FILE",
  year: "YEAR",
  zone: "ZONE"
}

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

const isFile = (args: ReadonlyArray<string>, i: number, files: ReadonlyArray<string>): boolean => {
  const before = args[i - 1] ?? ""
  const isValue = before.startsWith("-") && !before.includes("=") && !plainFlags.has(before)
  return files.includes(args[i]!) && !isValue
}

const valuesIn = (args: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const values = new Map<string, Array<string>>()
  args.forEach((arg, i) => {
    const [flag = "", value] = arg.split(/=(.*)/s)
    const name = flag === "-c" ? "config" : flag.startsWith("--") ? flag.slice(2) : undefined
    const given = value ?? args[i + 1]
    if (name !== undefined && given !== undefined) values.set(name, [...(values.get(name) ?? []), given])
  })
  return values
}

/**
 * Creates the call. `args`: arguments of this call, without Node and the program file. `env`:
 * variables that the next call also has.
 */
export const make = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>> = {}
): CallShape => {
  const end = args.indexOf("--")
  const [before, after] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end)]
  const values = valuesIn(before)
  return {
    place: before.includes("--sandbox") ? "gone" : "kept",
    command: args[0] ?? "",
    configuration: env[configVariable] === undefined ? { config: "FILE" } : {},
    value: (name) => values.get(name)?.at(-1),
    next: ({ as = [], command, flags = [], needs = {}, operands = [] }) => {
      const carried = as.flatMap((name) => (values.get(name) ?? []).flatMap((value) => [`--${name}`, value]))
      const needed = Object.entries(needs).flatMap(([name, place]) =>
        args.length === 0 || values.has(name) ? [] : [`--${name}`, place]
      )
      const rest = [...carried, ...needed, ...flags]
      const isPlain = operands.every((operand) => !operand.startsWith("-"))
      return shellText([...command, ...(isPlain ? operands : []), ...rest, ...(isPlain ? [] : ["--", ...operands])])
    },
    again: (...flags) => {
      const [first = ""] = flags
      const at = first === "" ? -1 : before.indexOf(first)
      const isRepeated = at !== -1 && flags.length === 2
      const kept = isRepeated ? [...before.slice(0, at), ...before.slice(at + 2)] : before
      return shellText([...kept, ...(at !== -1 && !isRepeated ? [] : flags), ...after])
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
      const isGiven = flags[0] === undefined || about.some((arg) => arg === flags[0] || arg.startsWith(`${flags[0]}=`))
      return shellText(isGiven ? about : about.toSpliced(at === -1 ? about.length : at, 0, ...flags))
    }
  }
}

/**
 * Returns the call with values that the command found: another call names them. The same call finds
 * them again. Typed values win.
 */
export const used = (call: CallShape, found: Readonly<Record<string, string>>): CallShape => {
  const missing = Object.entries(found).filter(([name]) => call.value(name) === undefined)
  const flagsOf = (names: ReadonlyArray<string>) =>
    missing.flatMap(([name, value]) => (names.includes(name) ? [`--${name}`, value] : []))
  return {
    ...call,
    configuration: "config" in found ? {} : call.configuration,
    value: (name) => call.value(name) ?? found[name],
    next: ({ as = [], flags = [], needs = {}, ...next }) => {
      const needed = Object.entries(needs).filter(([name]) => found[name] === undefined)
      const added = flagsOf([...as, ...Object.keys(needs)])
      return call.next({ ...next, as, needs: Object.fromEntries(needed), flags: [...added, ...flags] })
    }
  }
}

export class Call extends Context.Reference<CallShape>("fiscal-connector/output/Call", {
  defaultValue: () => make([])
}) {}

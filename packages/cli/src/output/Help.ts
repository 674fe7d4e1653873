/** `--help` and usage mistakes, fitted to the screen's width. */
import { Console, Effect, Option } from "effect"
import type { CliOutput, HelpDoc } from "effect/cli"
import { shellText, placeholders, quoted } from "./Call.ts"
import { notDone } from "./ExitError.ts"
import { Screen } from "./Screen.ts"
import { padEnd } from "./Terminal.ts"
import { paragraphs } from "./Paragraphs.ts"

interface HelpEntry {
  readonly name: string
  readonly text: string
}

/** Default width of an unknown screen, and the maximum width for comfortable reading. */
const usualWidth = 80
const widest = 110
const longestName = 26

const groups: ReadonlyArray<readonly [title: string, names: ReadonlyArray<string>]> = [
  ["SETUP", ["start", "init", "doctor", "book", "columns", "mappings", "config"]],
  ["SEND", ["plan", "import", "resume", "ui", "sync", "source"]],
  ["INSPECT", ["list", "explain", "imports", "pdf", "reconcile", "z-reports", "audit", "why", "docs"]],
  ["DECIDE", ["resolve", "withdraw", "credit", "originals", "account", "device", "forget"]],
  ["OPERATE", ["health", "work", "serve", "webhook", "store", "support-bundle"]],
  ["DEVELOP", ["sandbox", "gateway", "assumptions", "adapter"]]
]

const lastOfImport = "historical"

const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const listed = (entries: ReadonlyArray<HelpEntry>, width: number): string => {
  const names = entries.map(({ name }) => name.length).filter((length) => length <= longestName)
  const column = Math.max(0, ...names) + 4
  return entries
    .flatMap(({ name, text }) => {
      const [first = "", ...rest] = wrapped(text, width - column - 2)
      const indented = rest.map((text) => `  ${" ".repeat(column)}${text}`)
      return name.length > longestName
        ? [`  ${name}`, `  ${" ".repeat(column)}${first}`, ...indented]
        : [`  ${padEnd(name, column)}${first}`, ...indented]
    })
    .join("\n")
}

const places: Readonly<Record<string, string>> = {
  string: "TEXT",
  integer: "NUMBER",
  choice: "CHOICE",
  file: "FILE",
  path: "PATH",
  "key=value": "KEY=VALUE"
}

/** A placeholder set by the command itself, such as FOLDER, has priority. */
const placeOf = (name: string, type: string): string =>
  places[type] === undefined ? type : type === "choice" ? "CHOICE" : (placeholders[name] ?? places[type])

const withChoices = (text: string): { readonly text: string; readonly choices?: string } => {
  const at = text.endsWith(")") ? text.indexOf(choicesBegin) : -1
  return at < 0 ? { text } : { text: text.slice(0, at), choices: text.slice(at + choicesBegin.length, -1) }
}

const choicesBegin = " (choices: "

const entryOf = ({ aliases, description, name, required, type }: HelpDoc.FlagDoc): HelpEntry => {
  const text = Option.getOrElse(description, () => "")
  const { choices, text: bare } = withChoices(text)
  const of = choices?.replaceAll(", ", "|")
  const isShort = of !== undefined && of.length <= 24
  const value = type === "boolean" ? "" : isShort ? of : type.startsWith("<") ? "CHOICE" : placeOf(name, type)
  return {
    // beside a command -v is rejected: it could mean --verbose
    name: [[`--${name}`, ...(name === "version" ? [] : aliases)].join(", "), value].filter(Boolean).join(" "),
    text: `${required ? "(required) " : ""}${isShort ? bare : text}`
  }
}

const argumentOf = ({ description, name, required, variadic }: HelpDoc.ArgDoc): HelpEntry => ({
  name: variadic && !name.endsWith("...") ? `${name}...` : name,
  text: `${required ? "(required) " : ""}${Option.getOrElse(description, () => "")}`
})

const commandsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<HelpEntry> =>
  (doc.subcommands ?? []).flatMap(({ commands }) =>
    commands.map(({ description, name, shortDescription }) => ({ name, text: shortDescription ?? description }))
  )

const grouped = (entries: ReadonlyArray<HelpEntry>, width: number): ReadonlyArray<string> => {
  const listedNames = new Set(groups.flatMap(([, names]) => names))
  const others = entries.map(({ name }) => name).filter((name) => !listedNames.has(name))
  return groups.map(([title, names], index) => {
    const all = index === groups.length - 1 ? [...names, ...others] : names
    const own = entries.filter(({ name }) => all.includes(name))
    return `${title}\n${listed(
      own.toSorted((a, b) => all.indexOf(a.name) - all.indexOf(b.name)),
      width
    )}`
  })
}

const globalFlags = (doc: HelpDoc.HelpDoc, width: number): string => {
  const flags = doc.globalFlags ?? []
  if ((doc.commandPath ?? []).length <= 1) return `GLOBAL FLAGS\n${listed(flags.map(entryOf), width)}`
  const names = flags.map(({ name }) => `--${name}`)
  return wrapped(`Also: ${names.join(", ")}; ${shellText(["--help"])} explains these flags.`, width).join("\n")
}

/** Flags that settle how to read the export come last. */
const flagsOf = ({ flags }: HelpDoc.HelpDoc, width: number): string => {
  const end = flags.findIndex(({ name }) => name === lastOfImport) + 1
  const [own, settling] = end === 0 ? [flags, []] : [flags.slice(0, end), flags.slice(end)]
  return paragraphs([
    own.length === 0 ? "" : `FLAGS\n${listed(own.map(entryOf), width)}`,
    settling.length === 0 ? "" : `HOW TO READ THE EXPORT\n${listed(settling.map(entryOf), width)}`
  ])
}

export const text = (doc: HelpDoc.HelpDoc, examples: ReadonlyArray<string>, screen: number | undefined): string => {
  const width = Math.min(screen ?? usualWidth, widest)
  const commands = commandsOf(doc)
  const isProgram = (doc.commandPath ?? []).length <= 1
  return paragraphs([
    wrapped(doc.description, width).join("\n"),
    `USAGE\n  ${doc.usage}`,
    doc.args === undefined || doc.args.length === 0 ? "" : `ARGUMENTS\n${listed(doc.args.map(argumentOf), width)}`,
    flagsOf(doc, width),
    ...(commands.length === 0 ? [] : isProgram ? grouped(commands, width) : [`COMMANDS\n${listed(commands, width)}`]),
    examples.length === 0 ? "" : `EXAMPLES\n${examples.map((example) => `  ${example}`).join("\n")}`,
    globalFlags(doc, width)
  ])
}

const ofFile = /^Invalid value for (?:flag|argument) (\S+): "(.*)"\. Expected: Path (does not exist|is not a file)/s

const mistake = (message: string): string => {
  const [, name, file, problem] = ofFile.exec(message) ?? []
  if (name === undefined)
    return message
      .trim()
      .replace(/Schema validation failed: [Ee]xpected/, "Expected")
      .replace("Expected: Expected", "Expected")
      .replace(/Expected: Invalid key=value format\..*/, "Expected KEY=VALUE")
      .replace(
        /^Invalid value for (?:flag|argument) (\S+): "(\d+) occurrences"\..*/,
        "$1 is given $2 times; give it once"
      )
      .replace("Expected an integer", "Expected a whole number")
      .replaceAll(/\S{200,}/g, (word) => `${word.slice(0, 100)}…`)
      .replace("Expected a string representing a finite number", "Expected a whole number")
  return problem === "does not exist"
    ? `${name}: there is no file ${file}.`
    : `${name}: ${file} is a folder, a pipe or a device, and a file is needed.`
}

/** A page of help would hide the mistakes. */
const mistakes = (errors: ReadonlyArray<{ readonly message: string }>, path: ReadonlyArray<string>): string =>
  `${errors.map(({ message }) => mistake(message)).join("\n")}\n  ${shellText([...path.slice(1), "--help"])}`

const examplesOf = (path: ReadonlyArray<string>) =>
  Effect.map(
    Effect.promise(() => import("./HelpExamples.ts")),
    ({ examples }) => examples[path.slice(1).join(" ")] ?? []
  )

export const presenter: CliOutput.Presenter = {
  present: Effect.fnUntraced(function* (event) {
    switch (event._tag) {
      case "Version":
        return yield* Console.log(`${event.name} v${event.version}`)
      case "InvalidInvocation":
        return yield* Console.error(mistakes(event.errors, event.commandPath))
      case "Help": {
        const { width } = yield* Screen
        return yield* Console.log(text(event.helpDoc, yield* examplesOf(event.commandPath), width))
      }
    }
  })
}

export interface Commands {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Commands> }>
}

const under = ({ subcommands }: Commands) => subcommands.flatMap(({ commands }) => commands)

const valued: ReadonlySet<string> = new Set(["--log-level", "--completions"])

/**
 * If help is requested for an unknown command, returns only the path up to and including the
 * unknown word, so that the parser reports the mistake instead of the parent's help. Fails with
 * ExitError if a command has no subcommands.
 */
export const understood = (connector: Commands, given: ReadonlyArray<string>) => {
  const args = asFlags(given)
  const end = args.indexOf("--")
  const asked = end === -1 ? args : args.slice(0, end)
  if (!asked.some((arg) => arg === "--help" || arg === "-h")) return Effect.succeed(args)
  let command = connector
  const path: Array<string> = []
  for (const [i, word] of asked.entries()) {
    if (word.startsWith("-") || valued.has(asked[i - 1] ?? "")) continue
    const commands = under(command)
    if (commands.length === 0) {
      // further words are the command's operands
      if (given[0] !== "help") break
      return Effect.fail(
        notDone(`${shellText(path)} has no command ${quoted(word)} under it.\n  ${shellText([...path, "--help"])}`)
      )
    }
    const next = commands.find(({ name }) => name === word)
    path.push(word)
    if (next === undefined) return Effect.succeed(path)
    command = next
  }
  return Effect.succeed(args)
}

const leading: ReadonlySet<string> = new Set(["--json", "--quiet", "-q", "--verbose"])

/** The command is found by its position. */
const commandFirst = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = args.findIndex((arg) => !leading.has(arg))
  if (at <= 0) return args
  const end = args.indexOf("--")
  return args.toSpliced(end === -1 ? args.length : end, 0, ...args.slice(0, at)).slice(at)
}

export const asFlags = (given: ReadonlyArray<string>): ReadonlyArray<string> => {
  const args = commandFirst(given)
  const [first, ...rest] = args
  if (first === "help") return [...(rest[0] === "help" ? rest.slice(1) : rest), "--help"]
  return first === "version" && rest.length === 0 ? ["--version"] : args
}

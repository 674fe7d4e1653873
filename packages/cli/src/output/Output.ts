/**
 * Text for people, or JSON envelopes `{ "kind", "version", "data" }`, one per text line
 * (docs/schemas/output).
 */
import { BigDecimal, Console, Context, DateTime, Effect, Option, Redacted } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { Instant, Money } from "@fiscal-connector/core/adapter"
import * as LogLine from "./LogLine.ts"
import { printable } from "./Terminal.ts"
import { isSet } from "./Flags.ts"

export const json = GlobalFlag.Setting("json")({
  flag: isSet("json", "print JSON, one envelope per row, errors and questions included (connector docs embed#json)")
})

export const quiet = GlobalFlag.Setting("quiet")({
  flag: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withDescription("print only the result: no progress, notes or list of documents"),
    Flag.withDefault(false)
  )
})

export const verbose = GlobalFlag.Setting("verbose")({
  flag: isSet("verbose", "also report each change of a document or a lane on standard error")
})

export type OutputForm = "people" | "json"

export type EnvelopeKind =
  | "open-questions"
  | "creditable"
  | "credited"
  | "difference-acknowledged"
  | "prepared-credit"
  | "reconciliation"
  | "error"
  | "questions"
  | "unreadable"
  | "document"
  | "import-summary"
  | "source-login"
  | "source-forgotten"
  | "sync-report"
  | "import"
  | "export-contents"
  | "submission"
  | "original"
  | "health"
  | "explanation"
  | "resumption"
  | "cancellation"
  | "dismissal"
  | "refused-document"
  | "audit-entry"
  | "audit-verified"
  | "decision"
  | "file"
  | "pdfs"
  | "store-backup"
  | "store-copied"
  | "store-accepted"
  | "repinned"
  | "accepted-unknown"
  | "day-acknowledged"
  | "other-programs"
  | "trusted-origin"
  | "checks"
  | "configuration"
  | "assumptions"
  | "z-reports"
  | "z-report"
  | "originals"
  | "webhook-check"
  | "codes"
  | "topics"
  | "page"
  | "book"
  | "spelling"
  | "book-draft"
  | "column-map"
  | "mappings-plan"
  | "mappings-step"
  | "mappings-applied"
  | "mappings-pulled"
  | "gateway-answer"
  | "initialised"
  | "reading"
  | "readings"
  | "facts-draft"
  | "adapter-check"
  | "adapter-checked"
  | "adapter-created"
  | "forgetting"
  | "support-bundle"
  | "listening"
  | "sandbox-event"

export type Verbosity = "quiet" | "usual" | "verbose"

const before = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.indexOf("--")
  return end === -1 ? args : args.slice(0, end)
}

export const verbosityOf = (args: ReadonlyArray<string>): Verbosity | "contradictory" => {
  const flags = before(args)
  const has = (...names: ReadonlyArray<string>) =>
    flags.some((arg) => names.some((name) => arg === name || arg === `${name}=true`))
  const [isQuiet, isVerbose] = [has("-q", "--quiet"), has("--verbose")]
  if (isQuiet && isVerbose) return "contradictory"
  return isQuiet ? "quiet" : isVerbose ? "verbose" : "usual"
}

/** Needed before parsing, because a usage error is also an answer. */
export const formOf = (args: ReadonlyArray<string>): OutputForm => {
  return before(args).some((arg) => arg === "--json" || arg === "--json=true") ? "json" : "people"
}

export interface OutputShape {
  readonly form: OutputForm
  readonly verbosity: Verbosity
  /** `json`: answers are also log entries. */
  readonly logFormat: LogLine.LogFormat
  /**
   * Writes a text line to standard output. With JSON output, all other text goes to standard error.
   */
  readonly write: (line: string) => Effect.Effect<void>
}

export class Output extends Context.Reference<OutputShape>("fiscal-connector/output/Output", {
  defaultValue: () => ({ form: "people", logFormat: "text", verbosity: "usual", write: Console.log })
}) {}

/**
 * Converts a value to JSON: numbers as literals with every digit, instants as ISO text, missing
 * values as null. Secrets stay redacted.
 */
export const plain = (value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (typeof value !== "object") return value
  if (JSON.isRawJSON(value)) return value
  if (BigDecimal.isBigDecimal(value)) return JSON.rawJSON(Money.formatPlain(value))
  if (DateTime.isDateTime(value)) return DateTime.isZoned(value) ? Instant.format(value) : DateTime.formatIso(value)
  if (Redacted.isRedacted(value)) return "<redacted>"
  if (Option.isOption(value)) return plain(Option.getOrNull(value))
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Set) return [...value].map(plain)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      field === undefined || (name === "_tag" && value.constructor !== Object) ? [] : [[name, plain(field)]]
    )
  )
}

/** Returns an envelope as a text line. `data` must already be converted with `plain`. */
export const envelopeText = (kind: EnvelopeKind, data: unknown): string => JSON.stringify({ kind, version: 1, data })

export const log = (entry: LogLine.LogEntry, text: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { form, logFormat, write } = yield* Output
    const at = yield* DateTime.now
    const isForPeople = form === "people" && logFormat === "text"
    yield* write(isForPeople ? `${DateTime.formatIso(at)} ${printable(text)}` : LogLine.format(entry, at))
  })

/**
 * Prints an answer: the data for programs, the text for people. In a JSON log, the entry has the
 * first text line and the data.
 */
export const answer = (kind: EnvelopeKind, data: unknown, text: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { form, logFormat, write } = yield* Output
    if (form === "json") return yield* write(envelopeText(kind, plain(data)))
    if (logFormat === "json") {
      const [message = kind] = text.split("\n")
      return yield* log({ level: "info", code: kind, message, fields: plain(data) as LogLine.LogFields }, message)
    }
    if (text !== "") yield* Console.log(text)
  })

export const note = (text: string): Effect.Effect<void> =>
  Effect.flatMap(Output, ({ verbosity }) => (verbosity === "quiet" ? Effect.void : Console.error(text)))

export const tell = (kind: EnvelopeKind, data: unknown) =>
  Effect.flatMap(Output, ({ form, write }) => (form === "json" ? write(envelopeText(kind, plain(data))) : Effect.void))

export const provide =
  (args: ReadonlyArray<string>) =>
  <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Console.Console, (console) => {
      const [form, logFormat] = [formOf(args), LogLine.formatOf(args)]
      const asked = verbosityOf(args)
      const verbosity = asked === "contradictory" ? "usual" : asked
      const isPlain = form === "people" && logFormat === "text"
      const write = isPlain ? Console.log : (text: string) => Effect.sync(() => console.log(text))
      const output = Effect.provideService(program, Output, { form, logFormat, verbosity, write })
      if (isPlain) return output
      const forPeople = form === "json" ? { ...console, log: console.error.bind(console) } : console
      if (logFormat === "text") return Effect.provideService(output, Console.Console, forPeople)
      return Effect.provideService(output, Console.Console, LogLine.console(forPeople))
    })

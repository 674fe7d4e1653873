/**
 * `--log-format json` of `work`, `serve` and `ui`: each printed text line is a JSON object. An
 * entry contains no buyer, amount, secret or gateway text (docs/run.md#watch).
 */
import { Cause, type Console, DateTime, Logger, References } from "effect"
import { Flag } from "effect/cli"

export type LogFormat = "text" | "json"

export type LogLevel = "debug" | "info" | "warn" | "error"

export type LogField = string | number | null | ReadonlyArray<string>

export type LogFields = Readonly<Record<string, LogField>>

export interface LogEntry {
  readonly level: LogLevel
  readonly code: string
  readonly message: string
  readonly fields?: LogFields
}

export const flag = Flag.Literals("log-format", ["text", "json"]).pipe(
  Flag.withDescription("the format of the log; json: one object per row (connector docs run#log)"),
  Flag.withDefault("text" as LogFormat)
)

/** Needed before parsing, because a usage error is also logged. */
export const formatOf = (args: ReadonlyArray<string>): LogFormat => {
  const isAsked = args.some((arg, at) =>
    arg === "--log-format" ? args[at + 1] === "json" : arg === "--log-format=json"
  )
  return isAsked && !args.includes("--help") && !args.includes("-h") ? "json" : "text"
}

export const format = ({ code, fields = {}, level, message }: LogEntry, at: DateTime.Utc): string =>
  JSON.stringify({ time: DateTime.formatIso(at), level, code, message, ...fields })

const now = (entry: LogEntry): string => format(entry, DateTime.nowUnsafe())

const levels: Readonly<Record<string, LogLevel>> = { Fatal: "error", Error: "error", Warn: "warn", Info: "info" }

const text = (part: unknown): string => (typeof part === "string" ? part : String(part))

/**
 * Makes a logger for Effect. Annotations become fields, `event` becomes the code, and the code of a
 * finding the field `finding`.
 */
export const logger = (write: (line: string) => void): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, date, fiber, logLevel, message }) => {
    const { code: finding, event, ...annotations } = fiber.getRef(References.CurrentLogAnnotations)
    const parts = (Array.isArray(message) ? message : [message]).map(text)
    const fields = Object.entries({ ...annotations, ...(finding !== undefined && { finding }) })
    write(
      format(
        {
          level: levels[logLevel] ?? "debug",
          code: event === undefined ? "log" : text(event),
          message: [...parts, ...(cause.reasons.length === 0 ? [] : [Cause.pretty(cause)])].join(" "),
          fields: Object.fromEntries(fields.map(([name, value]) => [name, text(value)]))
        },
        DateTime.fromDateUnsafe(date)
      )
    )
  })

/** Makes a console that prints each text for operators as a single entry. */
export const console = (plain: Console.Console): Console.Console => {
  const saying =
    (write: (line: string) => void, level: LogLevel) =>
    (...texts: ReadonlyArray<unknown>) =>
      write(now({ level, code: "said", message: texts.map(text).join(" ") }))
  const [out, error] = [plain.log.bind(plain), plain.error.bind(plain)]
  return {
    ...plain,
    log: saying(out, "info"),
    info: saying(out, "info"),
    debug: saying(out, "debug"),
    error: saying(error, "warn"),
    warn: saying(error, "warn")
  }
}

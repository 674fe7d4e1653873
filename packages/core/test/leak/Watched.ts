/**
 * Watches all outputs of this process: Effect's loggers, spans and metrics, the console, output of
 * child processes, errors when created, temporary folders before removal, and SQLite databases
 * before closing.
 *
 * No layer can replace these watches, so a test with its own logger or tracer is watched as well.
 */
import { Cause, Context, Data, Logger, Metric, References, Tracer } from "effect"
import child_process from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { basename } from "node:path"
import { format } from "node:util"
import { inject } from "vitest"
import { watchFolders } from "./Folders.ts"
import { saw } from "./Leaks.ts"
import { watchDatabases } from "./Tables.ts"

const text = (value: unknown): string => (typeof value === "string" ? value : format("%o", value))

/** Watches all loggers, whenever created. */
const watchLoggers = () => {
  const proto: object = Object.getPrototypeOf(Logger.defaultLogger)
  let last: unknown
  const watched =
    <Output>(log: (options: Logger.Options<unknown>) => Output) =>
    (options: Logger.Options<unknown>): Output => {
      // Each log entry goes to several loggers.
      if (options.message !== last) {
        last = options.message
        const parts = Array.isArray(options.message) ? options.message : [options.message]
        const annotations = options.fiber.getRef(References.CurrentLogAnnotations)
        const cause = options.cause.reasons.length === 0 ? "" : Cause.pretty(options.cause)
        saw("log", [...parts.map(text), JSON.stringify(annotations), cause].join(" "))
      }
      return log(options)
    }
  for (const logger of [Logger.defaultLogger, Logger.tracerLogger, Logger.formatSimple, Logger.formatLogFmt])
    Object.assign(logger, { log: watched(logger.log as never) })
  Object.defineProperty(proto, "log", {
    set(this: object, log: never) {
      Object.defineProperty(this, "log", { value: watched(log), enumerable: true, configurable: true, writable: true })
    }
  })
}

const watchSpans = () => {
  const { attribute, end, event } = Tracer.NativeSpan.prototype
  Object.assign(Tracer.NativeSpan.prototype, {
    attribute(this: Tracer.NativeSpan, name: string, value: unknown) {
      if (typeof value === "string" || typeof value === "object") saw("span", `${this.name} ${name}=${text(value)}`)
      attribute.call(this, name, value)
    },
    event(this: Tracer.NativeSpan, name: string, at: bigint, attributes?: Record<string, unknown>) {
      saw("span", `${this.name} ${name} ${attributes === undefined ? "" : text(attributes)}`)
      event.call(this, name, at, attributes)
    },
    end(this: Tracer.NativeSpan, at: bigint, exit: never) {
      saw("span", this.name)
      end.call(this, at, exit)
    }
  })
}

/**
 * Searches all metrics of the registry with their labels; default: the registry of this process.
 */
export const lookAtMetrics = (registry?: (typeof Metric.MetricRegistry)["Service"]): void => {
  const context = registry === undefined ? Context.empty() : Context.make(Metric.MetricRegistry, registry)
  for (const { attributes, id, state, type } of Metric.snapshotUnsafe(context))
    saw("metric", `${id} ${JSON.stringify(attributes ?? {})} ${type === "Frequency" ? text(state) : ""}`)
}

const watchConsole = () => {
  for (const method of ["debug", "error", "info", "log", "trace", "warn"] as const) {
    const print = console[method]
    console[method] = (...parts) => {
      saw("console", format(...parts))
      print(...parts)
    }
  }
}

/** Returns a command as typed: `connector`, or the name of another program. */
const typed = (command: string, args: ReadonlyArray<string>): string =>
  args.includes(inject("command"))
    ? ["connector", ...args.slice(args.indexOf(inject("command")) + 1)].join(" ")
    : [basename(command), ...args].join(" ")

const looked = (content: unknown, stream: string, command: string): void => {
  if (typeof content !== "string" && !(content instanceof Uint8Array)) return
  saw(
    "process",
    content,
    `${stream} of ${command.slice(0, 120)}: ${Buffer.from(content as string)
      .toString()
      .slice(0, 300)}`
  )
}

const watchProcesses = () => {
  const { prototype } = child_process.ChildProcess as unknown as { prototype: { spawn: (options: object) => unknown } }
  const { spawn } = prototype
  prototype.spawn = function (this: child_process.ChildProcess, options) {
    const spawned = spawn.call(this as never, options)
    const command = typed(this.spawnfile, this.spawnargs.slice(1))
    for (const name of ["stdout", "stderr"] as const) {
      const stream = this[name]
      if (stream === null || stream === undefined) continue
      const push = stream.push.bind(stream)
      // Before any reader, and even without a reader.
      stream.push = (chunk: unknown, encoding) => {
        looked(chunk, name, command)
        return push(chunk, encoding)
      }
    }
    return spawned
  }
  const look = (command: unknown, args: unknown, ended: unknown) => {
    const printed = typeof ended === "object" && ended !== null && "stdout" in ended ? ended : { stdout: ended }
    const of = typed(String(command), Array.isArray(args) ? args.map(String) : [])
    looked(printed.stdout, "stdout", of)
    if ("stderr" in printed) looked(printed.stderr, "stderr", of)
  }
  for (const name of ["execFileSync", "execSync", "spawnSync"] as const) {
    const run = child_process[name] as (...args: ReadonlyArray<unknown>) => unknown
    Object.assign(child_process, {
      [name]: (...args: ReadonlyArray<unknown>) => {
        try {
          const ended = run(...args)
          look(args[0], args[1], ended)
          return ended
        } catch (failed) {
          look(args[0], args[1], failed)
          throw failed
        }
      }
    })
  }
}

/**
 * Returns all texts that a program logs for an error: the message, the fields as JSON, and those of
 * the cause.
 */
const said = (error: Error): string => {
  let fields = ""
  try {
    fields = JSON.stringify(error)
  } catch {
    // A value that is not JSON, such as a bigint: the message is searched anyway.
  }
  return `${error.name}: ${error.message} ${fields}${error.cause instanceof Error ? ` caused by ${said(error.cause)}` : ""}`
}

/** Created errors that are not searched yet: at creation, the fields are still missing. */
const made: Array<Error> = []

export const lookAtErrors = (): void => {
  for (const error of made.splice(0)) saw("error", said(error))
}

class Watched extends Error {
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options)
    if (made.length === 64) lookAtErrors()
    made.push(this)
  }
}

/** Watches all errors of the class, which extends Error itself. */
export const watchErrors = (type: object): void => {
  Object.setPrototypeOf(type, Watched)
}

/** Returns the base class of all of Effect's errors, and so of ours. */
const effectError = (): object => {
  let type: object = Data.Error
  while (Object.getPrototypeOf(type) !== Error) type = Object.getPrototypeOf(type)
  return type
}

/** Starts all watches. */
export const watch = (): void => {
  watchLoggers()
  watchSpans()
  watchConsole()
  watchProcesses()
  watchErrors(effectError())
  watchFolders()
  watchDatabases()
  syncBuiltinESMExports()
}

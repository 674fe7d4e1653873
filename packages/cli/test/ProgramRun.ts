/**
 * Runs the command in the process of the test: the same program as `main.ts` runs, with captured
 * streams, its own folder and its own environment.
 *
 * Differences from a process. A test about one of these uses `connectorProcess` of
 * RunningConnector.ts.
 * - A signal is an interruption of the program, as in Node's runtime for SIGINT and SIGTERM.
 *   SIGKILL, a crash and a second signal need a process.
 * - The streams accept everything at once. Closed pipes and full disks need a process, and so does
 *   the behavior of a terminal itself: an operator of `typed` answers questions, and sees a
 *   terminal's content.
 * - Standard input is open and silent, as for a child without input, unless the test provides
 *   input.
 * - `TZ`, `NODE_OPTIONS` and `NODE_EXTRA_CA_CERTS` configure Node itself, which reads them at its
 *   start.
 * - `main.ts` and `Start.ts` do not run: the check of Node's version, the fast path of `--version`,
 *   V8's settings, the compile cache.
 * - A loaded module remains loaded, including adapters of users: a test that changes an adapter
 *   uses another path.
 * - Caches of pure functions at module scope live as long as the process.
 * - The xlsx adapter makes its temporary files in Node's folder, not in the given `TMPDIR`:
 *   adapters use only public modules of core.
 * - Node's own warnings go to the process of the test.
 */
import { type Cause, Effect, Fiber, Layer, type Metric, Option, Queue, Terminal } from "effect"
import { tmpdir } from "node:os"
import { Readable, Writable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { lookAtMetrics } from "../../core/test/leak/Watched.ts"
import { saw } from "../../core/test/leak/Leaks.ts"
import { program } from "../src/Program.ts"

export interface ProgramRunning {
  readonly interrupt: () => void
  /** Sends SIGHUP. */
  readonly hangUp: () => void
}

interface Given {
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Complete content of standard input. */
  readonly input?: string | undefined
  /**
   * Text lines that an operator types at a terminal, one per question; then the operator presses
   * Ctrl-C. Or a function that returns the next line, and undefined for Ctrl-C.
   */
  readonly typed?: ReadonlyArray<string> | (() => string | undefined) | undefined
  /** Called with each text that the program prints. */
  readonly printed: (stream: "stdout" | "stderr", text: string, running: ProgramRunning) => void
}

/**
 * Returns a stream that searches the output for secrets and buyers before any test reads it, as for
 * processes.
 */
const captured = (stream: "stdout" | "stderr", { args, printed }: Given, running: ProgramRunning) => {
  const decoder = new StringDecoder("utf8")
  const command = ["connector", ...args].join(" ").slice(0, 120)
  return new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _, done) => {
      const text = decoder.write(chunk)
      saw("process", chunk, `${stream} of ${command}: ${text.slice(0, 300)}`)
      printed(stream, text, running)
      done()
    }
  })
}

/** Terminal without an operator. */
const silent = Layer.succeed(
  Terminal.Terminal,
  Terminal.make({
    columns: Effect.succeed(0),
    rows: Effect.succeed(0),
    size: Effect.never,
    readInput: Effect.never,
    readLine: Effect.never,
    display: () => Effect.void
  })
)

const keyOf = (name: string) => ({ name, ctrl: false, meta: false, shift: false })

/**
 * Returns a terminal whose operator types the given text lines; typed text does not appear in the
 * output.
 */
const operator = (typed: NonNullable<Given["typed"]>, display: (text: string) => void) => {
  const lines = typeof typed === "function" ? [] : [...typed]
  const next = Effect.suspend(() => {
    const line = typeof typed === "function" ? typed() : lines.shift()
    return line === undefined ? Effect.fail(new Terminal.QuitError({})) : Effect.succeed(line)
  })
  return Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: Effect.succeed(80),
      rows: Effect.succeed(24),
      size: Effect.never,
      readInput: Effect.gen(function* () {
        const keys = yield* Queue.unbounded<Terminal.UserInput, Cause.Done>()
        const line = yield* Effect.orElseSucceed(next, () => "")
        for (const letter of line) yield* Queue.offer(keys, { input: Option.some(letter), key: keyOf(letter) })
        yield* Queue.offer(keys, { input: Option.none(), key: keyOf("enter") })
        return keys
      }),
      readLine: next,
      display: (text) => Effect.sync(() => display(text))
    })
  )
}

/**
 * Runs the program to its end and returns its exit code. The clock is the machine's, whatever clock
 * the test has.
 */
export const run = (given: Given): Effect.Effect<number> =>
  Effect.callback((resume) => {
    let fiber: Fiber.Fiber<void, unknown> | undefined
    // A signal arrives between two turns of the event loop, never while the program runs.
    const hangUps = new Set<() => void>()
    const running: ProgramRunning = {
      interrupt: () => void setImmediate(() => fiber?.interruptUnsafe()),
      hangUp: () => void setImmediate(() => hangUps.forEach((listener) => listener()))
    }
    const metrics: (typeof Metric.MetricRegistry)["Service"] = new Map()
    const stdin =
      given.input === undefined ? new Readable({ read: () => {} }) : Readable.from([Buffer.from(given.input)])
    const stdout = captured("stdout", given, running)
    const isTTY = given.typed !== undefined
    const { codeOf, run } = program({
      args: given.args,
      env: given.env,
      cwd: given.cwd,
      temporary: given.env["TMPDIR"] ?? tmpdir(),
      streams: {
        stdin: Object.assign(stdin, isTTY && { isTTY }),
        stdout: Object.assign(stdout, isTTY && { isTTY, columns: 80 }),
        stderr: captured("stderr", given, running)
      },
      terminal: given.typed === undefined ? silent : operator(given.typed, (text) => void stdout.write(text)),
      // V8's settings belong to the test's process.
      heap: { whilePlanning: () => {}, otherwise: () => {} },
      hangUp: {
        listen: (listener) => {
          hangUps.add(listener)
          return () => hangUps.delete(listener)
        }
      },
      metrics
    })
    fiber = Effect.runFork(run)
    fiber.addObserver((exit) => {
      lookAtMetrics(metrics)
      resume(Effect.succeed(codeOf(exit)))
    })
    return Fiber.interrupt(fiber)
  })

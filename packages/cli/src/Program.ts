/**
 * Everything from the process is passed in and nothing is left behind, so tests run the command in
 * their own process.
 */
import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { GatewayError } from "@fiscal-connector/core/gateway"
import { HostProcess, StateLog, StoreProblem } from "@fiscal-connector/core/host"
import { OperatorRecord } from "@fiscal-connector/core/decisions"
import {
  Context,
  Cause,
  ConfigProvider,
  Console,
  Effect,
  Exit,
  Layer,
  Logger,
  Metric,
  Option,
  PlatformError,
  Runtime,
  Stdio,
  type Terminal
} from "effect"
import { CliError, CliOutput } from "effect/cli"
import { Console as NodeConsole } from "node:console"
import { userInfo } from "node:os"
import { RunEffect, type RunEffectShape } from "./account/RunEffect.ts"
import * as GatewayProblem from "./account/GatewayProblem.ts"
import { run } from "./ConnectorCommand.ts"
import { isLasting } from "./Lasting.ts"
import { HeapGrowth, type HeapGrowthShape } from "./import/HeapGrowth.ts"
import * as ConfigBeside from "./account/ConfigBeside.ts"
import * as Call from "./output/Call.ts"
import { InterruptPolicy, type InterruptPolicyShape } from "./output/InterruptPolicy.ts"
import * as Help from "./output/Help.ts"
import * as LogLine from "./output/LogLine.ts"
import * as NextStep from "./output/NextStep.ts"
import * as Output from "./output/Output.ts"
import { ExitError, notDone } from "./output/ExitError.ts"
import * as Screen from "./output/Screen.ts"
import * as StandardStreams from "./output/StandardStreams.ts"
import { systemText } from "./output/SystemText.ts"
import * as CommandTerminal from "./output/Terminal.ts"
import { version } from "./Version.ts"
import { HangUp, type HangUpShape } from "./worker/HangUp.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

export interface Invocation extends HostProcess.HostProcessShape {
  readonly args: ReadonlyArray<string>
  readonly streams: StandardStreams.Streams
  readonly terminal: Layer.Layer<Terminal.Terminal>
  readonly heap: HeapGrowthShape
  readonly hangUp: HangUpShape
  /** Metrics of this run; `connector serve` publishes them. */
  readonly metrics: (typeof Metric.MetricRegistry)["Service"]
}

/**
 * The user who is recorded as the decider if no other name is given; the user id if the id has no
 * name.
 */
const systemUser = (): string => {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`
  }
}

/** Exit code 1 means that nothing was sent. */
const asQuit = (
  error: { readonly _tag: string; readonly message: string },
  deed: RunEffectShape,
  call: Call.CallShape
): ExitError => {
  const text = PlatformError.isPlatformError(error)
    ? systemText(error)
    : Option.match(GatewayError.gatewayErrorOf(error), {
        onNone: () => error.message,
        onSome: (failure) => GatewayProblem.text(failure, call)
      })
  if (deed.done !== "sent") return notDone(text)
  // a file written at the end of the command: the report of refused documents
  if (error._tag === "PlatformError") return new ExitError({ code: 4, text: unwritten(text, deed, call) })
  return new ExitError({ code: 3, text: `${text}\n${NextStep.onTheirWay(call)}` })
}

const unwritten = (message: string, deed: RunEffectShape, call: Call.CallShape): string => {
  const problem = message.replace(/\.$/, "")
  const listed = NextStep.callFor({ do: "list" }, call)
  switch (deed.done) {
    case "nothing":
      return `The result could not be written: ${problem}. Nothing was sent.`
    case "changed":
      return `Done, but the result could not be written: ${problem}.`
    case "sent":
      return `Done, but the result could not be written: ${problem}. Nothing is sent again.${listed === null ? "" : ` What became of each document:\n  ${listed}`}`
  }
}

const printFailure = Effect.fnUntraced(function* (message: string, exitCode: number) {
  if (message === "") return
  const { logFormat } = yield* Output.Output
  if (logFormat === "json") yield* Output.log({ level: "error", code: "ended", message, fields: { exitCode } }, message)
  else yield* Console.error(message)
  yield* Output.tell("error", { exitCode, message })
})

const usage = (error: CliError.CliError) => {
  const errors = error._tag === "ShowHelp" ? error.errors : [error]
  const message = errors.map((one) => one.message).join("\n")
  return message === "" ? Effect.void : Output.tell("error", { exitCode: 1, message })
}

const reported = (cause: Cause.Cause<unknown>) =>
  !Cause.hasInterruptsOnly(cause) && Runtime.getErrorReported(Cause.squash(cause))
    ? Effect.logError(cause)
    : Effect.void

const loggers = ({ args, streams }: Invocation) =>
  Logger.layer([
    LogLine.formatOf(args) === "json"
      ? LogLine.logger((line) => void streams.stderr.write(`${CommandTerminal.leaving(line)}\n`))
      : Logger.withConsoleError(Logger.formatLogFmt)
  ])

const codeOf = (exit: Exit.Exit<unknown, unknown>, ending: InterruptPolicyShape): number => {
  if (Exit.isSuccess(exit)) return 0
  if (!Cause.hasInterruptsOnly(exit.cause)) return Runtime.getErrorExitCode(Cause.squash(exit.cause))
  return ending.interrupted === "well" ? 0 : 130
}

/** An empty variable counts as not set. */
const withoutEmpty = (env: Invocation["env"]): Invocation["env"] => {
  if (env[Call.configVariable] !== "") return env
  const { [Call.configVariable]: _, ...others } = env
  return others
}

const stdioOf = (given: Invocation): Layer.Layer<Stdio.Stdio> => {
  const failed = (method: string) => (cause: unknown) =>
    PlatformError.systemError({ module: "Stdio", method, _tag: "Unknown", cause })
  const writing = (name: "stdout" | "stderr") => (options?: { readonly endOnDone?: boolean | undefined }) =>
    NodeSink.fromWritable<PlatformError.PlatformError, string | Uint8Array>({
      evaluate: () => given.streams[name],
      onError: failed(name),
      endOnDone: options?.endOnDone ?? false
    })
  const { streams } = given
  return Layer.succeed(
    Stdio.Stdio,
    Stdio.make({
      args: Effect.succeed(given.args),
      stdinIsTerminal: Effect.sync(() => streams.stdin.isTTY === true),
      stdoutIsTerminal: Effect.sync(() => streams.stdout.isTTY === true),
      stderrIsTerminal: Effect.sync(() => streams.stderr.isTTY === true),
      stdin: NodeStream.fromReadable({ evaluate: () => streams.stdin, onError: failed("stdin"), closeOnDone: false }),
      stdout: writing("stdout"),
      stderr: writing("stderr")
    })
  )
}

export interface Program {
  /** Prints failures as sentences before failing. SIGINT and SIGTERM interrupt the run. */
  readonly run: Effect.Effect<void, { readonly _tag: string }>
  /**
   * Returns the exit code, which an interrupted effect cannot return: 130, or 0 for a command that
   * runs until it is stopped.
   */
  readonly codeOf: (exit: Exit.Exit<unknown, unknown>) => number
}

export const program = (given: Invocation): Program => {
  const ending: InterruptPolicyShape = { interrupted: isLasting(given.args) ? "well" : "broken-off" }
  return { run: Effect.suspend(() => wholeOf(given, ending)), codeOf: (exit) => codeOf(exit, ending) }
}

const wholeOf = (given: Invocation, ending: InterruptPolicyShape) => {
  const args = Help.asFlags(given.args)
  const own = withoutEmpty(given.env)
  const found = ConfigBeside.found(args, own, given.cwd)
  const env = found === undefined ? own : { ...own, [Call.configVariable]: found }
  const call = Call.used(Call.make(args, own), found === undefined ? {} : { config: found })
  const streams = StandardStreams.make(given.streams)
  const deed: RunEffectShape = { done: "nothing" }
  const asked = (flag: string) => given.args.some((arg) => arg === flag || arg.startsWith(`${flag}=`))

  // output that did not arrive is reported wherever possible and in the exit code; a reader that
  // closed the pipe is not a failure
  const arrived = Effect.flatMap(streams.failure, (failure) =>
    failure === undefined
      ? Effect.void
      : Effect.flatMap(Console.error(unwritten(StoreProblem.problemOf(failure), deed, call)), () =>
          Effect.fail(new ExitError({ code: deed.done === "nothing" ? 1 : 4, text: "" }))
        )
  )

  const services = Layer.provideMerge(
    NodeChildProcessSpawner.layer,
    Layer.mergeAll(WorkingFolder.layer, stdioOf(given), given.terminal)
  )

  return run(given.args, version).pipe(
    Effect.mapError((error) =>
      CliError.isCliError(error) || error._tag === "ExitError" ? error : asQuit(error, deed, call)
    ),
    Effect.tapError((error) => (error._tag === "ExitError" ? printFailure(error.text, error.code) : usage(error))),
    Effect.tapCause(() => arrived),
    Effect.tap(() => arrived),
    Effect.provideService(StandardStreams.StandardStreams, streams),
    Effect.provideContext(
      Context.make(RunEffect, deed).pipe(
        Context.add(OperatorRecord.Operator, { name: systemUser() }),
        Context.add(HangUp, given.hangUp)
      )
    ),
    Effect.provideService(InterruptPolicy, ending),
    Effect.provideService(Call.Call, call),
    Effect.provideService(Screen.Screen, Screen.live(given.streams.stdout, env)),
    Effect.provideService(HeapGrowth, given.heap),
    // answers and log are separate; state changes are logged only with `--log-level` or `--verbose`
    Effect.provideService(StateLog.StateLog, asked("--log-level") || asked("--verbose") ? "said" : "silent"),
    Effect.provideService(CliOutput.Presenter, Help.presenter),
    Output.provide(args),
    CommandTerminal.provide(given.args),
    Effect.provide(Layer.mergeAll(services, loggers(given))),
    Effect.tapCause((cause) =>
      LogLine.formatOf(given.args) === "json" ? Effect.provide(reported(cause), loggers(given)) : reported(cause)
    ),
    Effect.provideService(HostProcess.HostProcess, { env, cwd: given.cwd, temporary: given.temporary }),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ ...env })),
    Effect.provideService(Metric.MetricRegistry, given.metrics),
    Effect.provideService(Console.Console, new NodeConsole(given.streams.stdout, given.streams.stderr))
  )
}

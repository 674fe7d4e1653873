/** Runs the command line, prints what went wrong as a sentence, and sets the exit code. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { problemOf } from "@fiscal-connector/core/unstable/ledger/StoreProblem"
import { StateLog } from "@fiscal-connector/core/unstable/submission/StateLog"
import { Cause, Console, Effect, Exit, Layer, Logger, PlatformError, Runtime } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { Deed, type DeedShape } from "./account/Deed.ts"
import { run } from "./ConnectorCommand.ts"
import { Ending, type EndingShape } from "./output/Ending.ts"
import * as StandardStreams from "./output/StandardStreams.ts"
import { Quit } from "./output/Quit.ts"
import * as Call from "./output/Call.ts"
import * as Help from "./output/Help.ts"
import * as NextStep from "./output/NextStep.ts"
import { onTheirWay } from "./output/OnTheirWay.ts"
import * as Output from "./output/Output.ts"
import { systemText } from "./output/SystemText.ts"
import { version } from "./Version.ts"

const streams = StandardStreams.make([process.stdout, process.stderr])
const given = process.argv.slice(2)
const args = Help.asFlags(given)
const call = Call.make(args)
const asked = (flag: string) => process.argv.some((arg) => arg === flag || arg.startsWith(`${flag}=`))
const deed: DeedShape = { done: "nothing" }
const ending: EndingShape = { interrupted: "broken-off" }

/** What ended the command other than a Quit. Exit code 1 is for what happened before anything was sent. */
const asQuit = (error: { readonly _tag: string; readonly message: string }): Quit => {
  const text = error instanceof PlatformError.PlatformError ? systemText(error) : error.message
  if (deed.done !== "sent") return new Quit({ code: 1, text })
  // a file that the command writes at its end: what was refused
  if (error._tag === "PlatformError") return new Quit({ code: 4, text: unwritten(text) })
  return new Quit({
    code: 3,
    text: `${text}\n${onTheirWay(call)}`
  })
}

const unwritten = (said: string): string => {
  const problem = said.replace(/\.$/, "")
  const listed = NextStep.word({ do: "list" }, call)
  switch (deed.done) {
    case "nothing":
      return `The result could not be written: ${problem}. Nothing was sent.`
    case "changed":
      return `Done, but the result could not be written: ${problem}.`
    case "sent":
      return `Done, but the result could not be written: ${problem}. Nothing is sent again.${listed === null ? "" : ` What became of each document:\n  ${listed}`}`
  }
}

/** Output that did not arrive is said where it still can be, and in the exit code; the reader's going is no failure. */
const arrived = Effect.flatMap(streams.failure, (failure) =>
  failure === undefined
    ? Effect.void
    : Effect.flatMap(Console.error(unwritten(problemOf(failure))), () =>
        Effect.fail(new Quit({ code: deed.done === "nothing" ? 1 : 4, text: "" }))
      )
)

/** Why it ended: on standard error, and for a program among the answers, too. */
const said = (message: string, exitCode: number) =>
  message === "" ? Effect.void : Effect.andThen(Console.error(message), Output.tell("error", { exitCode, message }))

/** The parser has said it to people. */
const usage = (error: CliError.CliError) => {
  const errors = error._tag === "ShowHelp" ? error.errors : [error]
  const message = errors.map((one) => one.message).join("\n")
  return message === "" ? Effect.void : Output.tell("error", { exitCode: 1, message })
}

const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) && ending.interrupted === "well"
    ? onExit(0)
    : Runtime.defaultTeardown(exit, onExit)

run(given, version).pipe(
  Effect.mapError((error) => (CliError.isCliError(error) || error._tag === "Quit" ? error : asQuit(error))),
  Effect.tapError((error) => (error._tag === "Quit" ? said(error.text, error.code) : usage(error))),
  Effect.tapCause(() => arrived),
  Effect.tap(() => arrived),
  Effect.provideService(StandardStreams.StandardStreams, streams),
  Effect.provideService(Deed, deed),
  Effect.provideService(Ending, ending),
  Effect.provideService(Call.Call, call),
  // what a command prints is its answer; its log is beside that, and of state changes where somebody asks for it
  Effect.provideService(StateLog, asked("--log-level") ? "said" : "silent"),
  Effect.provideService(CliOutput.Presenter, Help.presenter),
  Output.provide(args),
  Effect.provide(Layer.mergeAll(NodeServices.layer, Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))),
  NodeRuntime.runMain({ teardown })
)

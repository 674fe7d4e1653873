/** The command line called in this process: what it prints and the exit code it asks for, without the second that a process takes. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Exit, Cause } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { saw } from "../../core/test/leak/Leaks.ts"
import { run } from "../src/ConnectorCommand.ts"
import * as Help from "../src/output/Help.ts"
import * as Output from "../src/output/Output.ts"
import type { Ended } from "./RunningConnector.ts"
import * as Call from "../src/output/Call.ts"

const texts =
  (lines: Array<string>) =>
  (...parts: ReadonlyArray<unknown>) =>
    void lines.push(parts.join(" "))

/** Runs `connector …` to its end; a defect is thrown. */
export const called = (...given: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.gen(function* () {
    const args = Help.asFlags(given)
    const out: Array<string> = []
    const err: Array<string> = []
    const console = { ...globalThis.console, log: texts(out), error: texts(err) }
    const exit = yield* run(given, "test").pipe(
      Effect.provideService(CliOutput.Presenter, Help.presenter),
      Output.provide(args),
      Effect.provideService(Console.Console, console),
      Effect.provideService(Call.Call, Call.make(args)),
      Effect.provide(NodeServices.layer),
      Effect.exit
    )
    const code = Exit.match(exit, {
      onSuccess: () => 0,
      onFailure: (cause) => {
        const error = Cause.squash(cause)
        if (CliError.isCliError(error)) return 1
        if (!(error instanceof Error) || !("_tag" in error)) throw error
        err.push(error.message)
        return "code" in error && typeof error.code === "number" ? error.code : 1
      }
    })
    const ended = { code, out: out.join("\n"), err: err.join("\n") }
    for (const stream of ["out", "err"] as const)
      saw("process", ended[stream], `std${stream} of connector ${args.join(" ")}: ${ended[stream].slice(0, 300)}`)
    return ended
  })

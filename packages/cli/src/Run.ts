/** Runs the command line, prints what went wrong as a sentence, and sets the exit code. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { CliError, Command } from "effect/cli"
import { connector } from "./ConnectorCommand.ts"
import { Quit } from "./Quit.ts"

connector.pipe(
  Command.run({ version: "0.1.0" }),
  Effect.mapError((error) =>
    CliError.isCliError(error) || error._tag === "Quit" ? error : new Quit({ code: 1, text: error.message })
  ),
  Effect.tapError((error) => (error._tag === "Quit" && error.text !== "" ? Console.error(error.text) : Effect.void)),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)

#!/usr/bin/env node
/** The entry point: runs the command line, prints what went wrong as a sentence, and sets the exit code. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { connector } from "./ConnectorCommand.ts"

connector.pipe(
  Command.run({ version: "0.1.0" }),
  Effect.tapError((error) => (error._tag === "Quit" && error.text !== "" ? Console.error(error.text) : Effect.void)),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)

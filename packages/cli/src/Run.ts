/** Runs the program with what this process has: its arguments, environment, streams and signals. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { tmpdir } from "node:os"
import * as OldGarbage from "./import/OldGarbage.ts"
import { program } from "./Program.ts"

const { codeOf, run } = program({
  args: process.argv.slice(2),
  env: process.env,
  cwd: ".",
  get temporary() {
    return tmpdir()
  },
  streams: process,
  terminal: NodeTerminal.layer,
  heap: OldGarbage,
  hangUp: {
    listen: (listener) => {
      process.on("SIGHUP", listener)
      return () => process.off("SIGHUP", listener)
    }
  },
  metrics: new Map()
})

NodeRuntime.runMain(run, { disableErrorReporting: true, teardown: (exit, onExit) => onExit(codeOf(exit)) })

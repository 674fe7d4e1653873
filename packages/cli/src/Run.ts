import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { DateTime } from "effect"
import { tmpdir } from "node:os"
import * as OldGarbage from "./import/OldGarbage.ts"
import * as LogLine from "./output/LogLine.ts"
import { leaving } from "./output/Terminal.ts"
import { program } from "./Program.ts"

const args = process.argv.slice(2)

// Node prints warnings as text; in a JSON log each warning must be a JSON entry
if (LogLine.formatOf(args) === "json") {
  process.removeAllListeners("warning")
  process.on("warning", ({ message, name }) => {
    const entry = { level: "warn", code: "node-warning", message: `${name}: ${message}` } as const
    process.stderr.write(`${leaving(LogLine.format(entry, DateTime.nowUnsafe()))}\n`)
  })
}

const { codeOf, run } = program({
  args,
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

/** The calls of the command that stand in what it prints, each on a line of its own. */
import { connector, type Ended } from "./RunningConnector.ts"
import { execFile } from "node:child_process"
import { Effect } from "effect"

export const commandsIn = (printed: string): ReadonlyArray<string> =>
  printed.split("\n").flatMap((line) => {
    const found = /^\s*(connector .+)$/.exec(line)?.[1]
    return found === undefined ? [] : [found]
  })

/** What a shell makes of the words of a line, without its first, which is the command. */
export const words = (line: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.callback((resume) => {
    execFile("bash", ["-c", `connector() { printf '%s\\0' "$@"; }; ${line}`], (error, out) => {
      if (error !== null) throw error
      resume(Effect.succeed(out.split("\0").slice(0, -1)))
    })
  })

/** Runs a printed line as a person does who pastes it. */
export const pasted = (line: string, cwd: string): Effect.Effect<Ended> =>
  Effect.flatMap(words(line), (args) => connector(args, { cwd }))

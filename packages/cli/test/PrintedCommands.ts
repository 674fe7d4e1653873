/** Returns the command lines in an output, each on a separate text line. */
import { connector, type Ended } from "./RunningConnector.ts"
import { execFile } from "node:child_process"
import { Effect } from "effect"

export const commandsIn = (printed: string): ReadonlyArray<string> =>
  printed.split("\n").flatMap((line) => {
    const found = /^\s*(connector .+)$/.exec(line)?.[1]
    return found === undefined ? [] : [found]
  })

/** Returns the words of a text line as a shell splits them, without the command itself. */
export const words = (line: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.callback((resume) => {
    execFile("bash", ["-c", `connector() { printf '%s\\0' "$@"; }; ${line}`], (error, out) => {
      if (error !== null) throw error
      resume(Effect.succeed(out.split("\0").slice(0, -1)))
    })
  })

/** Runs a printed text line like an operator who pastes it. */
export const pasted = (line: string, cwd: string): Effect.Effect<Ended> =>
  Effect.flatMap(words(line), (args) => connector(args, { cwd }))

/** Fills in a reason of the operator at each place for one. */
export const withReason = (line: string): string => line.replaceAll(/<[^<>]*>/g, "decided by the operator")

/** Runs a printed command with a reason of the operator at the place for it. */
export const pastedWithReason = (line: string, cwd: string): Effect.Effect<Ended> => pasted(withReason(line), cwd)

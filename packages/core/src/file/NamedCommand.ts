/**
 * Runs a command that the configuration names: an executable and its arguments, read by no shell. The command gets this process's environment
 * without the connector's own variables. It ends with everything it started when its time is over.
 */
import { Effect, type Path } from "effect"
import { spawn } from "node:child_process"
import { HostProcess } from "./HostProcess.ts"

/** Variables with the connector's own secrets: accounts' keys, the store's password. */
const isOurs = (name: string): boolean => /^(FISCAL_CONNECTOR_|PG)|^DATABASE_URL$/.test(name)

/** The environment of a command: this process's, without what is the connector's own. */
export const environment = (own: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(own).filter(([name]) => !isOurs(name)))

/** An executable and its arguments. */
export type Argv = readonly [executable: string, ...args: ReadonlyArray<string>]

/** An executable with a slash in its name is relative to `folder`; any other is looked up on the path. */
export const located = (path: Path.Path, [executable, ...args]: Argv, folder: string): Argv => [
  /[/\\]/.test(executable) ? path.resolve(folder, executable) : executable,
  ...args
]

/** The longest time a command may take. */
const limit = "30 seconds"

/** The most bytes of output that are kept; a command that prints more fails. */
const mostOutput = 64 * 1024

/** Ends the command and what it started. */
const end = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL")
  } catch {
    // it has ended
  }
}

/**
 * Writes `input` to the command and returns what it prints on standard output, if that is `kept`. Fails where the exit code is not 0; the text of
 * the failure repeats nothing of the output.
 */
export const run = (
  [executable, ...args]: Argv,
  input: string,
  output: "kept" | "dropped"
): Effect.Effect<Uint8Array, string> =>
  Effect.flatMap(HostProcess, ({ cwd, env }) =>
    Effect.callback<Uint8Array, string>((resume) => {
      const child = spawn(executable, args, {
        cwd,
        env: environment(env),
        stdio: ["pipe", output === "kept" ? "pipe" : "ignore", "ignore"],
        // a group for itself: what it starts ends with it
        detached: process.platform !== "win32"
      })
      const kept: Array<Buffer> = []
      let size = 0
      child.stdout?.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size <= mostOutput) kept.push(chunk)
        else end(child.pid)
      })
      child.on("error", ({ message }) => resume(Effect.fail(message)))
      child.on("close", (code, signal) => {
        if (size > mostOutput) return resume(Effect.fail(`${executable} printed more than ${mostOutput} bytes`))
        if (code === 0) return resume(Effect.succeed(Buffer.concat(kept)))
        resume(Effect.fail(`${executable} ended with ${signal ?? `exit code ${code}`}`))
      })
      // a command that does not read it may end well all the same
      child.stdin?.on("error", () => undefined)
      child.stdin?.end(input)
      return Effect.sync(() => end(child.pid))
    })
  ).pipe(
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () => Effect.fail(`it took longer than ${limit}`)
    })
  )

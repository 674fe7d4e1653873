/**
 * Runs a command of the configuration without a shell and without the connector's own variables. At
 * the time limit, the command and all its child processes are killed.
 */
import { Effect, type Path } from "effect"
import { spawn } from "node:child_process"
import { HostProcess } from "./HostProcess.ts"

const isOurs = (name: string): boolean => /^(FISCAL_CONNECTOR_|PG)|^DATABASE_URL$/.test(name)

export const environment = (own: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(own).filter(([name]) => !isOurs(name)))

export type Argv = readonly [executable: string, ...args: ReadonlyArray<string>]

/**
 * Resolves the executable: a name with a slash is relative to `folder`; any other name is looked up
 * on the path.
 */
export const located = (path: Path.Path, [executable, ...args]: Argv, folder: string): Argv => [
  /[/\\]/.test(executable) ? path.resolve(folder, executable) : executable,
  ...args
]

const limit = "30 seconds"

/** Largest number of output bytes; a command that prints more fails. */
const mostOutput = 64 * 1024

const end = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL")
  } catch {
    // the command has already ended
  }
}

/**
 * Writes `input` to the command's standard input, and returns its standard output if `output` is
 * `kept`. Fails if the exit code is not 0; the failure text repeats no output.
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
        // a separate process group: child processes are killed with the command
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
      // a command may succeed without reading its input
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

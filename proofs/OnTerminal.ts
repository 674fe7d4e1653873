/** Runs a line of a shell on a terminal of the system (`script` of util-linux). */
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { inject } from "vitest"

/** False where the system has no such terminal. */
export const hasScript =
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false

export interface Shown {
  readonly code: number | null
  /** Everything that came to the terminal, control sequences included. */
  readonly text: string
}

export interface Watching {
  readonly env?: Record<string, string>
  /** Called with everything shown so far; may type. */
  readonly watch?: (text: string, type: (keys: string) => void) => void
}

/** The line finds the command under the name `connector`. */
export const onTerminal = (
  line: string,
  columns: number,
  cwd: string,
  { env = {}, watch }: Watching = {}
): Effect.Effect<Shown> =>
  Effect.callback((resume) => {
    const { COLUMNS: _, NO_COLOR: __, ...own } = process.env
    const main = inject("command")
    const command = `stty cols ${columns} rows 40; connector() { "${process.execPath}" "${main}" "$@"; }; ${line}`
    const child = spawn("script", ["-qec", `bash -c '${command}'`, "/dev/null"], {
      cwd,
      env: { ...own, TERM: "xterm", SHELL: "/bin/bash", ...env }
    })
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more
      watch?.(text, (keys) => void child.stdin.write(keys))
    })
    child.on("close", (code) => resume(Effect.succeed({ code, text })))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

export const escape = "\u001b"

/** The lines that stay, without colours and what was written over. */
export const lines = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(new RegExp(`${escape}\\[[\\d;?]*[A-Za-z]`, "g"), "")
    .split("\r\n")
    .map((line) => line.split("\r").at(-1)!)

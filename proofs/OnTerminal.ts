/** Runs a shell command on a terminal of the system (`script` of util-linux). */
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { inject } from "vitest"

/** False if the system does not have `script` of util-linux. */
export const hasScript =
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false

export interface Shown {
  readonly code: number | null
  /** Complete output of the terminal, including control sequences. */
  readonly text: string
}

export interface Watching {
  readonly env?: Record<string, string>
  /** Called with all output so far; can type keys. */
  readonly watch?: (text: string, type: (keys: string) => void) => void
}

// A command that waits for a key that is never typed must end: the slowest test takes 20 s on an
// idle machine.
const longest = "20 minutes"

/** Runs a shell command that can call `connector`. The code is null if the command did not end. */
export const onTerminal = (
  line: string,
  columns: number,
  cwd: string,
  { env = {}, watch }: Watching = {}
): Effect.Effect<Shown> => {
  let text = ""
  const running = Effect.callback<Shown>((resume) => {
    const { COLUMNS: _, NO_COLOR: __, ...own } = process.env
    const main = inject("command")
    const command = `stty cols ${columns} rows 40; connector() { "${process.execPath}" "${main}" "$@"; }; ${line}`
    const child = spawn("script", ["-qec", `bash -c '${command}'`, "/dev/null"], {
      cwd,
      env: { ...own, TERM: "xterm", SHELL: "/bin/bash", ...env }
    })
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more
      watch?.(text, (keys) => void child.stdin.write(keys))
    })
    child.on("close", (code) => resume(Effect.succeed({ code, text })))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })
  return Effect.timeoutOrElse(running, { duration: longest, orElse: () => Effect.succeed({ code: null, text }) })
}

export const escape = "\u001b"

/** Returns the lines visible at the end, without colors and overwritten text. */
export const lines = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(new RegExp(`${escape}\\[[\\d;?]*[A-Za-z]`, "g"), "")
    .split("\r\n")
    .map((line) => line.split("\r").at(-1)!)

/** Starts real `connector` processes, and kills, terminates or stops them. */
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ChaosWorld, count } from "./ChaosWorld.ts"

export interface Ended {
  readonly name: string
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

/**
 * Fate of a process. The signal is sent after `after` milliseconds, if the process still runs. A
 * stop ends after `forMillis`; `afterwards` then terminates a process that would otherwise run for
 * ever.
 */
export type Fate =
  | { readonly _tag: "Left" }
  | { readonly _tag: "Killed" | "Terminated"; readonly after: number }
  | { readonly _tag: "Stopped"; readonly after: number; readonly forMillis: number; readonly afterwards?: "terminated" }

const main = join(import.meta.dirname, "../../packages/cli/src/main.ts")
// Output that no user may see: a stack or a defect. A code in brackets behind a sentence is
// allowed: `connector why` explains it.
const broken =
  /^\s+at .+:\d+:\d+\)?$|TypeError|ReferenceError|\(FiberFailure\)|(?!(?<=\()SQLITE_[A-Z]+\))SQLITE_|ERR_[A-Z]+_/m

const befall = (world: ChaosWorld, child: ChildProcess, fate: Fate) => {
  if (fate._tag === "Left") return () => undefined
  const does = (signal: NodeJS.Signals, what: string) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    count(world, what)
    child.kill(signal)
  }
  const timers = [
    setTimeout(() => {
      if (fate._tag === "Stopped") {
        stopped.add(child)
        return does("SIGSTOP", fate.forMillis > 120_000 ? "STOP past the lease" : "STOP")
      }
      return fate._tag === "Killed" ? does("SIGKILL", "kill -9") : does("SIGTERM", "TERM")
    }, fate.after),
    ...(fate._tag === "Stopped"
      ? [
          setTimeout(() => {
            stopped.delete(child)
            child.kill("SIGCONT")
          }, fate.after + fate.forMillis),
          ...(fate.afterwards === undefined
            ? []
            : [setTimeout(() => does("SIGTERM", "TERM"), fate.after + fate.forMillis + 10_000)])
        ]
      : [])
  ]
  return () => timers.forEach((timer) => clearTimeout(timer))
}

let started = 0
const running = new Set<ChildProcess>()
const stopped = new Set<ChildProcess>()

export const runningCount = (): number => running.size

/** Stops every running process until `goOn` is called; a process stopped before remains stopped. */
export const pause = (): { readonly proceed: () => void } => {
  const paused = [...running].filter((child) => !stopped.has(child))
  for (const child of paused) child.kill("SIGSTOP")
  return { proceed: () => paused.forEach((child) => void child.kill("SIGCONT")) }
}

/**
 * Runs `connector …` to its end, whatever the exit code. All output is kept in the folder of logs.
 */
export const run = (
  world: ChaosWorld,
  args: ReadonlyArray<string>,
  fate: Fate = { _tag: "Left" }
): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const name = `${String(++started).padStart(5, "0")}-${args
      .filter((arg) => !arg.includes("/"))
      .slice(0, 2)
      .join("-")}`
    const log = join(world.logs, `${name}.log`)
    const startedAt = new Date()
    const child = spawn(process.execPath, [main, ...args], {
      cwd: world.diskFolder,
      env: { ...process.env, NO_COLOR: "1", ...world.env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    running.add(child)
    count(world, "processes")
    writeFileSync(
      log,
      `${startedAt.toISOString()} pid ${child.pid} ${JSON.stringify(fate)}\n$ connector ${args.join(" ")}\n`
    )
    let out = ""
    let err = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
    const spare = befall(world, child, fate)
    child.on("close", (code, signal) => {
      running.delete(child)
      stopped.delete(child)
      spare()
      appendFileSync(
        log,
        `${out}\n--- standard error\n${err}\n--- ${new Date().toISOString()} ended ${code ?? signal}\n`
      )
      if (broken.test(err))
        world.violations.push(`${name}: a defect was shown to the operator: ${broken.exec(err)?.[0].trim()}`)
      count(world, `ended ${code ?? signal}`)
      resume(Effect.succeed({ name, code, signal, out, err }))
    })
    return Effect.sync(() => {
      child.kill("SIGCONT")
      child.kill("SIGKILL")
    })
  })

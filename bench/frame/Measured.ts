/**
 * Measures one run of a side: in this process, in a separate process, or with the published
 * command.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { keptCommand } from "../../scripts/artefact/KeptCommand.ts"
import type { Sample } from "./Topic.ts"

/** Measures a run in this process; `work` returns the amount of work done. */
export const here = async (work: () => Promise<number>): Promise<Sample> => {
  const before = process.cpuUsage()
  const begun = performance.now()
  const done = await work()
  const seconds = (performance.now() - begun) / 1000
  const { system, user } = process.cpuUsage(before)
  return { work: done, seconds, cpu: (system + user) / 1e6, peak: null }
}

const answering = `process.on("exit", () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  process.stderr.write("\\nUSED " + JSON.stringify({ cpu: (systemCPUTime + userCPUTime) / 1e6, peak: maxRSS / 1024 }) + "\\n")
})`

/**
 * Records the peak of live memory instead of resident memory, by collecting garbage continuously.
 */
const collecting = `let alive = 0
setInterval(() => { gc(); alive = Math.max(alive, process.memoryUsage().heapUsed) }, 250).unref()
process.on("exit", () => process.stderr.write("\\nUSED " + JSON.stringify({ cpu: 0, peak: alive / 2 ** 20 }) + "\\n"))`

/**
 * Measures a whole run of Node, including its start. Fails with the output if it does not match
 * `expected`.
 */
export const node = async (
  work: number,
  args: ReadonlyArray<string>,
  { expected, watching = "resident" }: { readonly expected: RegExp; readonly watching?: "resident" | "alive" }
): Promise<Sample> => {
  const watch = watching === "resident" ? answering : collecting
  const hooked = ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(watch)}`, ...args]
  const begun = performance.now()
  const child = spawn(process.execPath, hooked, { stdio: ["ignore", "pipe", "pipe"] })
  let [out, errors] = ["", ""]
  child.stdout.on("data", (text) => (out += String(text)))
  child.stderr.on("data", (text) => (errors += String(text)))
  await once(child, "close")
  const seconds = (performance.now() - begun) / 1000
  const used = /^USED (.*)$/m.exec(errors)
  if (used === null || !expected.test(out)) throw new Error(`${args.join(" ")}:\n${errors}${out.slice(-400)}`)
  return { work, seconds, ...(JSON.parse(used[1]!) as { readonly cpu: number; readonly peak: number }) }
}

let program: Promise<string> | undefined

/** Measures a run of the published `connector` with these arguments. */
export const connector = async (work: number, args: ReadonlyArray<string>, options: Parameters<typeof node>[2]) =>
  node(work, [await (program ??= keptCommand()), ...args], options)

/**
 * Measures a function of `module`'s `sides` over a file, in a separate process. The function first
 * runs over a small file, so that imports are loaded before the measurement. It returns the amount
 * of work done.
 */
export const apart = (module: string, side: string, file: string, small: string): Sample => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "OneSide.ts"), module, side, file, small],
    {
      encoding: "utf8"
    }
  )
  if (status !== 0) throw new Error(`${side}: ${stderr}`)
  return JSON.parse(stdout) as Sample
}

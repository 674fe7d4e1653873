/** One run of a side: in this process, in one of its own, or as the command that people run. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { keptCommand } from "../../scripts/artefact/KeptCommand.ts"
import type { Sample } from "./Topic.ts"

/** In this process; `work` answers with how much it did. */
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

/** The peak of what is alive, rather than of what is resident: garbage is collected all along. */
const collecting = `let alive = 0
setInterval(() => { gc(); alive = Math.max(alive, process.memoryUsage().heapUsed) }, 250).unref()
process.on("exit", () => process.stderr.write("\\nUSED " + JSON.stringify({ cpu: 0, peak: alive / 2 ** 20 }) + "\\n"))`

/** A whole run of Node, its start included. Fails with what it printed where it does not print what is expected. */
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

/** `connector` with these arguments, as it is published. */
export const connector = async (work: number, args: ReadonlyArray<string>, options: Parameters<typeof node>[2]) =>
  node(work, [await (program ??= keptCommand()), ...args], options)

/**
 * A function of `module`'s `sides` over a file, in a process of its own; what it imports is loaded, and it has run once over a small file, before
 * its time is taken. It answers with how much it did.
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

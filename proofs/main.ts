/**
 * Runner of all proofs: `pnpm proofs --help`. A failing proof prints its seed; `pnpm proofs NAME
 * --seed N --count 1` repeats the failure.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { variables } from "./Given.ts"
import { proofs, type Proof, type ProofName } from "./Proofs.ts"

const usage = `pnpm proofs [NAME …] [--seed N] [--count N] [--full] [--list] [-- ARGUMENTS]
  NAME     a proof of --list, or the beginning of several names; all samples without a name
  --seed   the first seed (default 1)
  --count  how many units, each from the next seed; --list shows the unit and the default
  --full   the long run (pnpm proofs:full)
  --list   the proofs
  --       arguments for the program that the proof starts, such as --verbose for the simulator
`

// A reader such as `head` may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0)
  throw error
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const list = (): void => {
  for (const [name, { full, sample, says, unit }] of Object.entries<Proof>(proofs))
    say(`${name.padEnd(22)} ${says}\n${" ".repeat(23)}${unit}: ${sample === 0 ? "no sample" : sample}, full ${full}`)
}

const chosen = (names: ReadonlyArray<string>, size: "sample" | "full"): ReadonlyArray<ProofName> => {
  const all = Object.keys(proofs) as ReadonlyArray<ProofName>
  if (names.length === 0) return all.filter((name) => size === "full" || proofs[name].sample > 0)
  return names.flatMap((start) => {
    const found = all.filter((name) => name === start)
    const begun = found.length > 0 ? found : all.filter((name) => name.startsWith(start))
    if (begun.length === 0) throw new Error(`There is no proof ${start}. pnpm proofs --list shows all proofs.`)
    return begun
  })
}

const number = (option: string, text: string, least: number): string => {
  if (/^\d+$/.test(text) && Number(text) >= least) return text
  throw new Error(`--${option} is a whole number from ${least} on, not ${JSON.stringify(text)}.`)
}

const main = (): number => {
  const at = process.argv.indexOf("--", 2)
  const [own, rest] = at < 0 ? [process.argv.slice(2), []] : [process.argv.slice(2, at), process.argv.slice(at + 1)]
  const { positionals, values } = parseArgs({
    args: own,
    allowPositionals: true,
    options: {
      seed: { type: "string", default: "1" },
      count: { type: "string" },
      full: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false }
    }
  })
  if (values.help) process.stdout.write(usage)
  if (values.list) list()
  if (values.help || values.list) return 0
  const size = values.full ? "full" : "sample"
  const names = chosen(positionals, size)
  if (values.count === undefined && size === "sample")
    for (const name of names)
      if (proofs[name].sample === 0) throw new Error(`${name} has no sample. Say --full, or --count N.`)
  const env = {
    ...process.env,
    [variables.seed]: number("seed", values.seed, 0),
    [variables.size]: size,
    [variables.rest]: JSON.stringify(rest),
    ...(values.count === undefined ? {} : { [variables.count]: number("count", values.count, 1) })
  }
  const root = join(import.meta.dirname, "..")
  const files = names.map((name) => join(import.meta.dirname, proofs[name].file))
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  const args = [vitest, "run", "--config", "vitest.proofs.config.ts", ...files]
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" }).status ?? 1
}

try {
  process.exitCode = main()
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
}

/**
 * Plants each mutant in a copy of the sources, and reports the law and the seed that caught the
 * mutant. A mutant that no seed catches, or that does not run, is not caught.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { changesOf, type Mutant, mutants, planted } from "./Mutants.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const copied = ["core", "sandbox", "adapter-kit", "adapter-csv", "adapter-xero-like", "testing", "promise"]
const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Copies the simulator and its packages, with the same dependencies. */
const copy = (): string => {
  // not a folder of a test: the tests in it have buyers, which the search for leaks would find
  const directory = join(tmpdir(), `fiscal-connector-mutants-${process.pid}`)
  mkdirSync(directory)
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  for (const name of copied) {
    const target = join(directory, "packages", name)
    mkdirSync(target, { recursive: true })
    for (const part of ["src", "test", "package.json", "node_modules"]) {
      if (!existsSync(join(root, "packages", name, part))) continue
      cpSync(join(root, "packages", name, part), join(target, part), { recursive: true, verbatimSymlinks: true })
    }
  }
  writeFileSync(join(directory, "vitest.config.ts"), "export default { test: { testTimeout: 0, isolate: false } }")
  for (const part of ["simulated", "Random.ts", "package.json", "node_modules"])
    cpSync(join(root, "proofs", part), join(directory, "proofs", part), { recursive: true, verbatimSymlinks: true })
  return directory
}

export interface Row {
  readonly mutant: Mutant
  readonly isCaught: boolean
  readonly outcome: string
}

type Verdict =
  | { readonly _tag: "Caught"; readonly by: string }
  | { readonly _tag: "NotCaught" }
  | { readonly _tag: "DoesNotRun"; readonly because: string }

/** Laws whose violation only shows a broken-down mutant. */
const brokenDown = new Set(["defect", "end", "leak"])

const troubles = ({ also = [], without = [] }: Mutant): ReadonlyArray<string> => [
  ...(also.length === 0 ? [] : ["--also", also.join(",")]),
  ...(without.length === 0 ? [] : ["--without", without.join(",")])
]

/** Returns true if the seed fails without the mistake as well, and so proves nothing. */
const failsAnyway = (mutant: Mutant, seed: string): boolean => {
  const main = join(root, "proofs/simulated/main.ts")
  const { status } = spawnSync(process.execPath, [main, "--seeds", "1", "--from", seed, "--first", ...troubles(mutant)])
  return status !== 0
}

/** Tries the seeds from `next` on, until one fails that passes without the mistake. */
const verdictOf = (directory: string, mutant: Mutant, seeds: number, next = mutant.from ?? 1): Verdict => {
  const left = (mutant.from ?? 1) + seeds - next
  if (left <= 0) return { _tag: "NotCaught" }
  const main = join(directory, "proofs/simulated/main.ts")
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [main, "--from", String(next), "--seeds", String(left), "--first", "--no-shrink", ...troubles(mutant)],
    { encoding: "utf8" }
  )
  const [, seed, laws] = /^seed (\d+): (.+)$/m.exec(stdout) ?? []
  if (seed !== undefined && laws !== undefined) {
    if (failsAnyway(mutant, seed)) return verdictOf(directory, mutant, seeds, Number(seed) + 1)
    return laws.split(", ").every((law) => brokenDown.has(law))
      ? { _tag: "DoesNotRun", because: laws }
      : { _tag: "Caught", by: `seed ${seed}: ${laws}` }
  }
  return stdout.includes("a minute and core")
    ? { _tag: "NotCaught" }
    : { _tag: "DoesNotRun", because: stderr.slice(0, 300) }
}

/** Runs the test that finds the mistake: it must pass without the mistake, and fail with it. */
const testVerdict = (directory: string, [file, name]: NonNullable<Mutant["test"]>): Verdict => {
  const args = ["run", join("packages/core/test", file), "-t", name]
  const env = { ...process.env, NO_COLOR: "1" }
  const ranIn = (cwd: string): string => {
    const { stdout } = spawnSync(join(root, "node_modules/.bin/vitest"), args, { cwd, encoding: "utf8", env })
    return /^ *Tests +(\d+ \w+)/m.exec(stdout)?.[1] ?? "nothing"
  }
  const [without, mistaken] = [ranIn(root), ranIn(directory)]
  return without.endsWith(" passed") && mistaken.endsWith(" failed")
    ? { _tag: "Caught", by: `\`${file}\`: ${name}` }
    : { _tag: "DoesNotRun", because: `without the mistake ${without}; with it ${mistaken}` }
}

const outcomeOf = (verdict: Verdict, seeds: number): string => {
  switch (verdict._tag) {
    case "Caught":
      return verdict.by
    case "NotCaught":
      return `NOT CAUGHT in ${seeds} seeds`
    case "DoesNotRun":
      return `DOES NOT RUN: ${verdict.because}`
  }
}

/** Tries the mistakes one by one; the seeds of each begin at `mutant.from`. */
export const rows = (chosen: ReadonlyArray<Mutant>, seeds: number): ReadonlyArray<Row> => {
  // Checks all replacements first, before the first mutant takes minutes.
  for (const change of chosen.flatMap(changesOf))
    planted(readFileSync(join(root, "packages", change.file), "utf8"), change)
  const directory = copy()
  try {
    return chosen.map((mutant) => {
      const sources = changesOf(mutant).map((change) => {
        const file = join(directory, "packages", change.file)
        const source = readFileSync(file, "utf8")
        writeFileSync(file, planted(source, change))
        return { file, source }
      })
      const verdict =
        mutant.test === undefined ? verdictOf(directory, mutant, seeds) : testVerdict(directory, mutant.test)
      for (const { file, source } of sources) writeFileSync(file, source)
      say(`${mutant.name}: ${outcomeOf(verdict, seeds)}`)
      return { mutant, isCaught: verdict._tag === "Caught", outcome: outcomeOf(verdict, seeds) }
    })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/**
 * Returns `mutants.md` with the new rows of a run. Mutants that were not run keep their rows of
 * `before`.
 */
export const page = (rows: ReadonlyArray<Row>, before: string): string => {
  const found = new Map(
    rows.map(({ mutant: { file, name }, outcome }) => [name, `| ${name} | \`${file}\` | ${outcome} |`] as const)
  )
  const lines = before.split("\n")
  const kept = mutants.flatMap(({ name }) => {
    const row = found.get(name) ?? lines.find((line) => line.startsWith(`| ${name} |`))
    return row === undefined ? [] : [row]
  })
  return [
    "# Mutants of the engine, and the laws that catch them",
    "",
    "Written by `pnpm proofs simulator-mutants --full`, which tries each with up to 2000 seeds, or with its test (from core/test/); `-- PART` of a name tries that one and writes its row.",
    "",
    "| mistake | in packages/ | caught by |",
    "|---|---|---|",
    ...kept,
    ""
  ].join("\n")
}

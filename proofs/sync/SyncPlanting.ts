/**
 * Plants each mistake in a copy of the sources, and runs the proof `sync` there, a few trials at a
 * time, until a law is broken; or the tests that find the mistake.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { planted } from "../simulator/Mutants.ts"
import { mutants, type SyncMutant } from "./SyncMutants.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Result for one mistake. */
export interface Row {
  readonly mutant: SyncMutant
  readonly isFound: boolean
  readonly outcome: string
}

/**
 * Folders that the proof reads; the files beside them are copied as well, as the license and the
 * settings of the compiler.
 */
const folders = ["packages", "proofs", "examples", "fixtures", "scripts", "docs"]

const copy = (): string => {
  // the copy has planted texts of the tests: the search for leaks must not watch the folder
  const directory = join(tmpdir(), `fiscal-connector-sync-mutants-${process.pid}`)
  mkdirSync(directory)
  const files = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  for (const name of [...folders, ...files.filter((name) => name !== ".git")])
    cpSync(join(root, name), join(directory, name), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  return directory
}

const together = 4

/** Runs the proof `sync` in the folder. */
const proof = (directory: string, seed: number, count: number) => {
  const args = ["proofs/main.ts", "sync", "--seed", String(seed), "--count", String(count)]
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: directory, encoding: "utf8" })
  return { status, printed: `${stdout}${stderr}` }
}

/** Runs the tests until one fails. */
const testsOf = (directory: string, file: string): Omit<Row, "mutant"> => {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--bail", "1", "--reporter", "tap-flat", file]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: directory, encoding: "utf8" })
  if (status === 0) return { isFound: false, outcome: `NOT FOUND by ${file}` }
  const title = /^not ok \d+ - \S+ > ([^#\n]+?) #/m.exec(stdout)?.[1]
  return title === undefined
    ? { isFound: false, outcome: `DOES NOT RUN: ${stdout.slice(-400)}` }
    : { isFound: true, outcome: `\`${basename(file)}\`: ${title}` }
}

/**
 * Tries seeds from `next` on, until one breaks a law. A seed that breaks a law without the mistake
 * proves nothing.
 */
const verdictOf = (directory: string, trials: number, next = 1): Omit<Row, "mutant"> => {
  if (next > trials) return { isFound: false, outcome: `NOT FOUND in ${trials} trials` }
  const { printed, status } = proof(directory, next, Math.min(together, trials - next + 1))
  const [, seed, law] = /seed (\d+): ([^"'\n]+)/.exec(printed) ?? []
  if (seed !== undefined && law !== undefined)
    return proof(root, Number(seed), 1).status === 0
      ? { isFound: true, outcome: `seed ${seed}: ${law}` }
      : verdictOf(directory, trials, Number(seed) + 1)
  if (status === 0) return verdictOf(directory, trials, next + together)
  return { isFound: false, outcome: `DOES NOT RUN: ${printed.slice(-400)}` }
}

/** Tries one mistake after the other. */
export const rows = (chosen: ReadonlyArray<SyncMutant>, trials: number): ReadonlyArray<Row> => {
  // all of them, before the first takes minutes
  for (const mutant of chosen) planted(readFileSync(join(root, "packages", mutant.file), "utf8"), mutant)
  const directory = copy()
  try {
    return chosen.map((mutant) => {
      const file = join(directory, "packages", mutant.file)
      const source = readFileSync(file, "utf8")
      writeFileSync(file, planted(source, mutant))
      const verdict = mutant.tests === undefined ? verdictOf(directory, trials) : testsOf(directory, mutant.tests)
      writeFileSync(file, source)
      process.stdout.write(`${mutant.name}: ${verdict.outcome}\n`)
      return { mutant, ...verdict }
    })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** `mutants.md` with the rows of a run in place of earlier rows. */
export const page = (found: ReadonlyArray<Row>, before: string): string => {
  const outcomes = new Map(found.map(({ mutant, outcome }) => [mutant.name, outcome]))
  const lines = before.split("\n")
  const kept = mutants.flatMap(({ file, name }) => {
    const now = outcomes.get(name)
    const row =
      now === undefined ? lines.find((line) => line.startsWith(`| ${name} |`)) : `| ${name} | \`${file}\` | ${now} |`
    return row === undefined ? [] : [row]
  })
  return [
    "# Mistakes in the pull of a source, and the laws and tests that find them",
    "",
    "Written by `pnpm proofs sync-mutants --full`; `-- PART` of a name tries that mistake and writes its row.",
    "",
    "| mistake | in packages/ | found by |",
    "|---|---|---|",
    ...kept,
    ""
  ].join("\n")
}

/** Plants each mistake in a copy of the sources, and runs the proof `sync` there, a few trials at a time, until a law is broken. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mutants, type SyncMutant } from "./SyncMutants.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Result for one mistake. */
export interface Row {
  readonly mutant: SyncMutant
  readonly isFound: boolean
  readonly told: string
}

/** Everything that the proof reads, without the documentation of old runs and the tools. */
const parts = ["packages", "proofs", "examples", "scripts", "docs", "package.json"]

const copy = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "fiscal-connector-sync-mutants-"))
  const configs = readdirSync(root).filter((name) => /^(vitest|tsconfig).*\.(ts|json)$/.test(name))
  for (const name of [...parts, ...configs])
    cpSync(join(root, name), join(directory, name), { recursive: true, verbatimSymlinks: true })
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  return directory
}

const planted = (source: string, { edits, name }: SyncMutant): string =>
  edits.reduce((text, [find, replace]) => {
    if (text.split(find).length !== 2) throw new Error(`${name}: its text is not in the file exactly once: ${find}`)
    return text.replace(find, () => replace)
  }, source)

const together = 4

/** Trials from `next` on, until one breaks a law. */
const verdictOf = (directory: string, trials: number, next = 1): Omit<Row, "mutant"> => {
  if (next > trials) return { isFound: false, told: `NOT FOUND in ${trials} trials` }
  const args = [
    "proofs/main.ts",
    "sync",
    "--seed",
    String(next),
    "--count",
    String(Math.min(together, trials - next + 1))
  ]
  const { stderr, stdout } = spawnSync(process.execPath, args, { cwd: directory, encoding: "utf8" })
  const [, seed, law] = /seed (\d+): ([^"\n]+)/.exec(`${stdout}${stderr}`) ?? []
  if (seed !== undefined && law !== undefined) return { isFound: true, told: `seed ${seed}: ${law}` }
  if (/1 passed/.test(stdout)) return verdictOf(directory, trials, next + together)
  return { isFound: false, told: `DOES NOT RUN: ${`${stdout}${stderr}`.slice(-400)}` }
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
      const verdict = verdictOf(directory, trials)
      writeFileSync(file, source)
      process.stdout.write(`${mutant.name}: ${verdict.told}\n`)
      return { mutant, ...verdict }
    })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** `mutants.md` with the rows of a run in place of earlier rows. */
export const page = (found: ReadonlyArray<Row>, before: string): string => {
  const told = new Map(found.map(({ mutant, told }) => [mutant.name, told]))
  const lines = before.split("\n")
  const kept = mutants.flatMap(({ file, name }) => {
    const now = told.get(name)
    const row =
      now === undefined ? lines.find((line) => line.startsWith(`| ${name} |`)) : `| ${name} | \`${file}\` | ${now} |`
    return row === undefined ? [] : [row]
  })
  return [
    "# Mistakes in the pull of a source, and the laws that find them",
    "",
    "Written by `pnpm proofs sync-mutants --full`; `-- PART` of a name tries that mistake and writes its row.",
    "",
    "| mistake | in packages/ | found by |",
    "|---|---|---|",
    ...kept,
    ""
  ].join("\n")
}

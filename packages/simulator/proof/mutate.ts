/**
 * `pnpm simulate:mutants [--seeds N] [NAME]`: plants each mutant in a copy of the sources, and says which law caught it in which seed. A mutant
 * that no seed catches is said, and fails the proof.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Mutant, mutants } from "./Mutants.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const copied = ["core", "sandbox", "simulator"]
const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** The packages the simulator is made of, with the same dependencies. */
const copy = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "fiscal-connector-mutants-"))
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  for (const name of copied) {
    const target = join(directory, "packages", name)
    mkdirSync(target, { recursive: true })
    for (const part of ["src", "package.json", "node_modules"]) {
      cpSync(join(root, "packages", name, part), join(target, part), { recursive: true, verbatimSymlinks: true })
    }
  }
  return directory
}

const planted = (source: string, { edits, name }: Mutant): string =>
  edits.reduce((text, [find, replace]) => {
    if (text.split(find).length !== 2) throw new Error(`${name}: its text does not stand exactly once: ${find}`)
    return text.replace(find, () => replace)
  }, source)

const caughtBy = (directory: string, seeds: number): string | undefined => {
  const main = join(directory, "packages/simulator/src/main.ts")
  const { stderr, stdout } = spawnSync(process.execPath, [main, "--seeds", String(seeds), "--first"], {
    encoding: "utf8"
  })
  const line = stdout.split("\n").find((text) => /^seed \d+: /.test(text))
  return line ?? (stdout.includes("a minute and core") ? undefined : `does not run: ${stderr.slice(0, 300)}`)
}

const main = (): void => {
  const [seeds, only] = [Number(process.env["SEEDS"] ?? 30), process.argv[2]]
  const directory = copy()
  let survivors = 0
  for (const mutant of mutants.filter(({ name }) => only === undefined || name.includes(only))) {
    const file = join(directory, "packages", mutant.file)
    const source = readFileSync(file, "utf8")
    writeFileSync(file, planted(source, mutant))
    const caught = caughtBy(directory, seeds)
    writeFileSync(file, source)
    if (caught === undefined) survivors++
    say(`${mutant.name}: ${caught ?? `NOT CAUGHT in ${seeds} seeds`}`)
  }
  if (existsSync(directory)) rmSync(directory, { recursive: true })
  say(`${survivors} not caught`)
  process.exitCode = survivors === 0 ? 0 : 1
}

main()

/**
 * Draws mistakes over the sources of core and the command, and reports the tests that catch them.
 *
 *     node proofs/mutants/main.ts draw --commit HASH [--count 60] --out mutants.json
 *     node proofs/mutants/main.ts run --commit HASH --mutants mutants.json --out verdicts.json
 *         [--only 3,17] [--files PART]…
 *     node proofs/mutants/main.ts compare before.json after.json
 *
 * The seed is the hash of the commit for the draw. A run clones the commit and plants all mutants
 * behind one environment variable. First all tests run once, to find the files that reach each
 * mutant. Then only those files run for each mutant, cheapest first.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { draw, type Mutant } from "./Planted.ts"
import { checkout, judge, reach, removed, type Verdict } from "./Suite.ts"

const repository = join(import.meta.dirname, "../..")
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    commit: { type: "string", default: "HEAD" },
    count: { type: "string", default: "60" },
    mutants: { type: "string" },
    out: { type: "string" },
    only: { type: "string" },
    files: { type: "string", multiple: true, default: [] }
  }
})

interface Judged {
  readonly mutant: Mutant
  readonly verdict: Verdict
}

const read = <A>(file: string): A => JSON.parse(readFileSync(file, "utf8")) as A
const write = (value: unknown): void => {
  if (values.out === undefined) say(JSON.stringify(value, null, 1))
  else writeFileSync(values.out, JSON.stringify(value, null, 1))
}

const outcomeOf = (verdict: Verdict): string =>
  verdict.is === "caught"
    ? `caught by ${verdict.by}`
    : verdict.is === "survived"
      ? `SURVIVED ${verdict.files} files of tests`
      : verdict.is.toUpperCase()

const drawn = (): void => {
  const commit = execFileSync("git", ["-C", repository, "rev-parse", values.commit], { encoding: "utf8" }).trim()
  const folder = mkdtempSync(join(tmpdir(), "mutants-draw-"))
  execFileSync("bash", ["-c", `git -C "$0" archive "$1" packages | tar -x -C "$2"`, repository, commit, folder])
  const mutants = draw(folder, Number.parseInt(commit.slice(0, 8), 16), Number(values.count))
  rmSync(folder, { recursive: true })
  for (const { file, id, kind, line, description } of mutants) say(`${id} ${kind} ${file}:${line}  ${description}`)
  write(mutants)
}

const ran = (): void => {
  if (values.mutants === undefined) throw new Error("--mutants FILE is what `draw` wrote.")
  const mutants = read<ReadonlyArray<Mutant>>(values.mutants)
  const ids = values.only?.split(",").map(Number)
  const at = checkout(repository, values.commit, mutants)
  try {
    const reached = reach(at, values.files)
    for (const file of reached.red) say(`fails without a mutant: ${file.slice(at.root.length + 1)}`)
    const judged: Array<Judged> = []
    for (const mutant of mutants) {
      if (ids !== undefined && !ids.includes(mutant.id)) continue
      const verdict = judge(at, reached, mutant)
      judged.push({ mutant, verdict })
      say(`${mutant.id} ${mutant.file}:${mutant.line}  ${outcomeOf(verdict)}`)
      // An interrupted run of hours keeps its verdicts.
      if (values.out !== undefined) write(judged)
    }
    const caught = judged.filter(({ verdict }) => verdict.is === "caught").length
    say(`${caught} of ${judged.length} caught`)
  } finally {
    removed(at)
  }
}

const compared = (before: string, after: string): void => {
  const verdicts = new Map(read<ReadonlyArray<Judged>>(after).map(({ mutant, verdict }) => [mutant.id, verdict]))
  let lost = 0
  for (const { mutant, verdict } of read<ReadonlyArray<Judged>>(before)) {
    const now = verdicts.get(mutant.id)
    const isLost = verdict.is === "caught" && now?.is !== "caught"
    if (isLost) lost++
    if (isLost || verdict.is !== "caught")
      say(
        `${isLost ? "LOST  " : "      "}${mutant.id} ${mutant.file}:${mutant.line} ${mutant.description}\n        before: ${outcomeOf(verdict)}; after: ${now === undefined ? "not run" : outcomeOf(now)}`
      )
  }
  say(`${lost} caught before and not after`)
  process.exitCode = lost === 0 ? 0 : 1
}

const [action, first, second] = positionals
if (action === "draw") drawn()
else if (action === "run") ran()
else if (action === "compare" && first !== undefined && second !== undefined) compared(first, second)
else {
  process.stderr.write("Say draw, run or compare; the file's first lines show how.\n")
  process.exitCode = 1
}

/**
 * Compares the tests of two runs: `node proofs/suites/TestNames.ts BEFORE.json SUITE=AFTER.json …
 * [--moves FILE]`, each as written by `vitest list --json FILE` or by vitest's JSON reporter.
 * Prints the tests per suite, and each test that is missing from its suite: moved, renamed or
 * removed, with the reason in the list of moves. Exits with 1 if a test is missing without a
 * reason.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { isGone, type Move, type Named, suiteTable } from "./Comparison.ts"

interface Results {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string }>
  }>
}

/** List as written by `vitest list --json FILE`, without a run. */
type Listed = ReadonlyArray<{ readonly name: string; readonly file: string }>

const named = (file: string, suite: string): ReadonlyArray<Named> => {
  const written = JSON.parse(readFileSync(file, "utf8")) as Results | Listed
  const listed =
    "testResults" in written
      ? written.testResults.flatMap(({ assertionResults, name }) =>
          assertionResults.map(({ fullName }) => ({ name: fullName, file: name }))
        )
      : written
  return listed.map(({ file, name }) => ({
    suite,
    file: file.replace(/^.*?\/(?=(packages|examples|proofs)\/)/, ""),
    name: name.replaceAll(" > ", " ")
  }))
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { moves: { type: "string", default: join(import.meta.dirname, "moves.json") } }
})
const pairs = positionals.map((argument) => {
  const [suite, file] = argument.includes("=") ? argument.split("=", 2) : ["before", argument]
  return { suite: suite!, file: file! }
})
const before = pairs.filter(({ suite }) => suite.startsWith("before")).flatMap(({ file, suite }) => named(file, suite))
const after = pairs.filter(({ suite }) => !suite.startsWith("before")).flatMap(({ file, suite }) => named(file, suite))
const moves = JSON.parse(readFileSync(values.moves, "utf8")) as ReadonlyArray<Move>

const gone = isGone(before, after, moves)
process.stdout.write(`${suiteTable(before, after)}\n\n`)
for (const { fate, test } of gone) process.stdout.write(`${fate}\n    ${test.file} > ${test.name}\n`)
const lost = gone.filter(({ fate }) => fate.startsWith("LOST"))
process.stdout.write(`\n${gone.length - lost.length} moved, renamed or merged; ${lost.length} lost\n`)
process.exitCode = lost.length === 0 ? 0 : 1

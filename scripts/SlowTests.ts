/**
 * Vitest reporter that prints the ten slowest files, and each test of more than three seconds
 * without a reason. The reason is a comment `// slow: REASON` in the test's file. The reporter
 * fails no test, because a busy machine makes tests slow.
 */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

/** Limit in milliseconds. */
const limit = 3000

const reasonPattern = /^ *\/\/ slow: (.{10,})$/m

export interface Timed {
  readonly file: string
  /** Reason for slow tests; undefined if the file states none. */
  readonly reason: string | undefined
  readonly tests: ReadonlyArray<{ readonly name: string; readonly millis: number }>
}

const seconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`.padStart(8)

const total = ({ tests }: Timed): number => tests.reduce((sum, { millis }) => sum + millis, 0)

export const reasonIn = (text: string): string | undefined => reasonPattern.exec(text)?.[1]

/** Returns the report for the end of a run. */
export const report = (files: ReadonlyArray<Timed>): string => {
  const slowest = files
    .toSorted((a, b) => total(b) - total(a))
    .slice(0, 10)
    .map((file) => `${seconds(total(file))}  ${file.file}${file.reason === undefined ? "" : `  (${file.reason})`}`)
  const unreasoned = files
    .filter(({ reason }) => reason === undefined)
    .flatMap(({ file, tests }) => tests.filter(({ millis }) => millis > limit).map((test) => ({ ...test, file })))
    .toSorted((a, b) => b.millis - a.millis)
    .map(({ file, millis, name }) => `${seconds(millis)}  ${file} > ${name}`)
  return [
    "",
    " Slowest files",
    ...slowest,
    ...(unreasoned.length === 0
      ? []
      : [
          "",
          ` Over ${limit / 1000} s without a reason: make the test faster, move it to proofs/, or add // slow: REASON to its file`,
          ...unreasoned
        ]),
    ""
  ].join("\n")
}

const timed = (module: TestModule): Timed => ({
  file: relative(process.cwd(), module.moduleId),
  reason: reasonIn(readFileSync(module.moduleId, "utf8")),
  tests: Array.from(module.children.allTests(), (test) => ({
    name: test.fullName,
    millis: test.diagnostic()?.duration ?? 0
  }))
})

export class SlowTests implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    // no report for a run of a single file
    if (modules.length > 1) process.stdout.write(`${report(modules.map(timed))}\n`)
  }
}

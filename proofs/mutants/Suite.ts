/**
 * Checkout with all mutants planted, and runs of its tests: the files that reach each mutant, and
 * the mutants caught.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Proof, proofs } from "../Proofs.ts"
import { type Mutant, plant } from "./Planted.ts"

export interface Checkout {
  readonly root: string
  /** Available vitest configurations, without PostgreSQL and the browser. */
  readonly configs: ReadonlyArray<string>
  readonly gone: ReadonlyArray<Mutant>
}

/** Proofs that `pnpm proofs` leaves to the full run: without units of work they prove nothing. */
const unsampled = Object.values<Proof>(proofs).flatMap(({ file, sample }) =>
  sample === 0 ? [`proofs/${file}${file.endsWith("/") ? "**" : ""}`] : []
)

/**
 * Makes a separate clone: tests keep the compiled command in the node_modules of their checkout.
 */
export const checkout = (repository: string, commit: string, mutants: ReadonlyArray<Mutant>): Checkout => {
  const root = mkdtempSync(join(tmpdir(), "mutants-"))
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { stdio: "ignore" })
  git("clone", "--quiet", "--shared", "--no-checkout", repository, root)
  git("-C", root, "checkout", "--quiet", commit)
  execFileSync("npx", ["--yes", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"], {
    cwd: root,
    stdio: "ignore"
  })
  const gone = plant(root, mutants)
  writeFileSync(
    join(root, "mutants.setup.ts"),
    `import { expect } from "vitest"\nprocess.env["MUTANT_FILE"] = expect.getState().testPath ?? ""\n`
  )
  const configs = ["vitest.config.ts", "vitest.proofs.config.ts"].filter((name) => existsSync(join(root, name)))
  for (const config of configs) {
    writeFileSync(
      join(root, `mutants.${config}`),
      `import base from "./${config}"
const setupFiles = ["./mutants.setup.ts", ...[(base as any).test.setupFiles ?? []].flat()]
const { test } = base as any
const exclude = [...test.exclude, ...${JSON.stringify(unsampled)}]
export default { ...base, test: { ...test, exclude, setupFiles, isolate: process.env["MUTANT_SEEN"] !== undefined } }
`
    )
  }
  return { root, configs: configs.map((name) => `mutants.${name}`), gone }
}

export const removed = ({ root }: Checkout): void => rmSync(root, { recursive: true, force: true })

interface Results {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: ReadonlyArray<{
      readonly fullName: string
      readonly status: string
      readonly duration?: number
    }>
  }>
}

interface Ran {
  readonly status: number | null
  readonly results: Results | undefined
}

const run = (
  { root }: Checkout,
  config: string,
  files: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  options: { readonly bail?: number; readonly timeout?: number } = {}
): Ran => {
  const out = join(root, "mutants.results.json")
  rmSync(out, { force: true })
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", config, "--reporter", "json", "--outputFile", out]
  const { status } = spawnSync(
    process.execPath,
    [...args, ...(options.bail === undefined ? [] : ["--bail", String(options.bail)]), ...files],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: "ignore",
      ...(options.timeout === undefined ? {} : { timeout: options.timeout, killSignal: "SIGTERM" as const })
    }
  )
  return { status, results: existsSync(out) ? (JSON.parse(readFileSync(out, "utf8")) as Results) : undefined }
}

/** Test files that reach each mutant, with the duration of each file in milliseconds. */
export interface Reach {
  readonly files: ReadonlyMap<string, { readonly config: string; readonly millis: number }>
  readonly reached: ReadonlyMap<number, ReadonlySet<string>>
  /** Files that fail without any mutant, and so prove nothing. */
  readonly red: ReadonlyArray<string>
}

export const reach = (at: Checkout, only: ReadonlyArray<string>): Reach => {
  const seen = mkdtempSync(join(tmpdir(), "mutants-seen-"))
  const files = new Map<string, { readonly config: string; readonly millis: number }>()
  const red: Array<string> = []
  for (const config of at.configs) {
    const { results } = run(at, config, only, { MUTANT_SEEN: seen })
    for (const { assertionResults, name, status } of results?.testResults ?? []) {
      const millis = assertionResults.reduce((sum, { duration = 0 }) => sum + duration, 0)
      if (status === "passed") files.set(name, { config, millis })
      else red.push(name)
    }
  }
  const reached = new Map<number, Set<string>>()
  for (const name of readdirSync(seen)) {
    for (const line of readFileSync(join(seen, name), "utf8").split("\n")) {
      const [id = "", file = ""] = line.split("\t")
      if (!files.has(file)) continue
      const own = reached.get(Number(id)) ?? new Set()
      reached.set(Number(id), own.add(file))
    }
  }
  rmSync(seen, { recursive: true, force: true })
  return { files, reached, red }
}

export type Verdict =
  | { readonly is: "caught"; readonly by: string }
  | { readonly is: "survived"; readonly files: number }
  | { readonly is: "not reached" | "gone" }

/** Number of files per run, cheapest first: most mutants are caught in the first run. */
const batch = 12

export const judge = (at: Checkout, { files, reached }: Reach, { id }: Mutant): Verdict => {
  if (at.gone.some((mutant) => mutant.id === id)) return { is: "gone" }
  const own = [...(reached.get(id) ?? [])].toSorted((a, b) => files.get(a)!.millis - files.get(b)!.millis)
  if (own.length === 0) return { is: "not reached" }
  for (const [config, ofConfig] of Map.groupBy(own, (file) => files.get(file)!.config)) {
    for (let from = 0; from < ofConfig.length; from += batch) {
      const some = ofConfig.slice(from, from + batch)
      const usual = some.reduce((sum, file) => sum + files.get(file)!.millis, 0)
      // A hanging run counts as caught.
      const ran = run(at, config, some, { MUTANT: String(id) }, { bail: 1, timeout: Math.ceil(60_000 + 5 * usual) })
      if (ran.status === 0) continue
      // After the first failure, other files end as failed without a failed test.
      const failedTest = ({ assertionResults }: Results["testResults"][number]) =>
        assertionResults.find(({ status }) => status === "failed")
      const red = ran.results?.testResults.filter(({ status }) => status === "failed") ?? []
      const failed = red.find(failedTest) ?? red[0]
      const test = failed === undefined ? undefined : failedTest(failed)
      const by =
        failed === undefined
          ? "a run that does not end"
          : `${failed.name.slice(at.root.length + 1)} > ${test?.fullName ?? "the file itself"}`
      return { is: "caught", by }
    }
  }
  return { is: "survived", files: own.length }
}

/**
 * Simulates days of the whole connector; `pnpm proofs simulator --seed 17 --count 1 -- --verbose`
 * prints one as a trace.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { given } from "../Given.ts"

const { count, rest, seed } = given("simulator")
const main = join(import.meta.dirname, "../simulated/main.ts")

/** Limits of the heap: a day needs 60 MB, and would be given 400. */
const limits = ["--max-semi-space-size=8", "--max-old-space-size=160"]

/**
 * Runs a simulator and returns its exit code; the story of a failing seed is printed on standard
 * output.
 */
const simulated = (...args: ReadonlyArray<string>) =>
  new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, [...limits, main, ...args, ...rest], {
      stdio: ["ignore", "inherit", "inherit"]
    })
    child.on("error", reject)
    child.on("exit", resolve)
  })

describe("simulated days of the whole connector", () => {
  it(`satisfy every law: ${count}, from seed ${seed}`, async () => {
    assert.strictEqual(await simulated("--from", String(seed), "--seeds", String(count)), 0)
  })
})

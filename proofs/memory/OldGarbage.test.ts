import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"

const module = join(import.meta.dirname, "../../packages/cli/src/import/OldGarbage.ts")

/** How often the whole heap is collected while 32 MiB are alive and eighty times that is made and let go. */
const collections = (when: "whilePlanning" | "otherwise"): number => {
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [
      // with threads of its own the collector starts when they find a core: the counts of a busy machine are others
      "--single-threaded-gc",
      "--trace-gc",
      "--max-semi-space-size=1",
      "--input-type=module",
      "-e",
      `(await import(${JSON.stringify(module)})).${when}()
       const kept = Array.from({ length: 1024 }, (_, n) => Array(4096).fill(n))
       for (let n = 0; n < 80_000; n++) {
         kept[n % 1024] = Array(4096).fill(n)
         if (n % 500 === 0) await new Promise(setImmediate)
       }`
    ],
    { encoding: "utf8" }
  )
  assert.strictEqual(stderr, "")
  return stdout.match(/Mark-Compact/g)?.length ?? 0
}

describe("old garbage", () => {
  it("is collected sooner while a plan is made than otherwise", () => {
    // 30 and 16 times, whatever else the machine does
    const others = collections("otherwise")
    assert.isAbove(collections("whilePlanning"), 1.25 * others)
    assert.isAbove(others, 8)
  })
})

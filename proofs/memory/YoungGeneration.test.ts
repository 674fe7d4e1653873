import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"

const module = join(import.meta.dirname, "../../packages/cli/src/YoungGeneration.ts")

const roomAfterwards = (program: string): number => {
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { getHeapSpaceStatistics } from "node:v8"
       ${program}
       const kept = []
       for (let n = 0; n < 400_000; n++) kept.push([n, { n }, String(n)])
       console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size)`
    ],
    { encoding: "utf8" }
  )
  assert.match(stdout, /^\d+\n$/, stderr)
  return Number(stdout) / 2 ** 20
}

describe("the young generation of the heap", () => {
  it("grows to 16 MiB, and no further, however much data is kept", () => {
    assert.isAbove(roomAfterwards(""), 16)
    assert.strictEqual(roomAfterwards(`(await import(${JSON.stringify(module)})).limit()`), 16)
  })
})

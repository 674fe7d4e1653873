import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { join } from "node:path"

const grownBy = (name: "bomb" | "unpacked" | "million") => {
  const flags = ["--expose-gc", "--single-threaded-gc"]
  const out = execFileSync(process.execPath, [...flags, join(import.meta.dirname, "HostileWorkbooks.ts"), name])
  return JSON.parse(String(out)) as { readonly grown: number; readonly told: string }
}

describe("a compression bomb", () => {
  it("with a stated size is refused before decompression", () => {
    const unpacked = grownBy("unpacked")
    assert.isAbove(unpacked.grown, 50)
    const { grown, told } = grownBy("bomb")
    assert.match(told, /sheet1\.xml unpacks to more than 200 times its size/)
    assert.isBelow(grown, unpacked.grown / 4)
  })
})

describe("a million shared texts", () => {
  it("are read in flat memory", () => {
    const { grown, told } = grownBy("million")
    assert.match(told, /no row among the first 40 is a header/)
    assert.isBelow(grown, 160)
  })
})

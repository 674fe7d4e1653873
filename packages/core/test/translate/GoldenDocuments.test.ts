import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as GoldenCase from "./GoldenCase.ts"

// UPDATE_GOLDEN=1 writes the expected results again: only after the figures in why.txt are
// calculated by hand.
const isUpdate = process.env["UPDATE_GOLDEN"] === "1"

describe("golden documents", () => {
  it("all exist, each with amounts computed by hand", () => {
    assert.isAtLeast(GoldenCase.names.length, 30)
    for (const name of GoldenCase.names) assert.isAtLeast(GoldenCase.read(name, "why.txt").trim().length, 20, name)
  })

  it.effect.each(GoldenCase.names)("%s", (name) =>
    Effect.gen(function* () {
      const { at, findings, payload } = yield* GoldenCase.run(name)
      if (isUpdate) {
        GoldenCase.write(name, "expected.json", `${payload}\n`)
        GoldenCase.write(name, "findings.json", `${JSON.stringify(findings, null, 2)}\n`)
      }
      assert.deepStrictEqual(findings, JSON.parse(GoldenCase.read(name, "findings.json")))
      assert.strictEqual(payload, GoldenCase.normal(GoldenCase.read(name, "expected.json")))
      assert.deepStrictEqual(
        at,
        findings.map(({ path }) => `/${path}`),
        "every finding has its place in the source"
      )
    })
  )
})

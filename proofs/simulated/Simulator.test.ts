import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { changesOf, mutants, planted } from "../simulator/Mutants.ts"
import { run } from "./day/Day.ts"
import { fixOf } from "./Fixes.ts"
import { of } from "./Scenario.ts"
import { shrink } from "./Shrink.ts"

describe("a scenario", () => {
  it("is reduced to the smallest one with the same failure", () => {
    const scenario = of(5, { only: ["crashes", "limits", "corrections", "two-accounts"] })
    const smallest = shrink(
      scenario,
      ({ documents, troubles }) => troubles.has("limits") && documents.includes(12) && documents.includes(20),
      ({ machines }) => machines.map((machine) => `${machine}/1`)
    )
    assert.deepStrictEqual([...smallest.troubles], ["limits"])
    assert.deepStrictEqual(smallest.documents, [12, 20])
    assert.deepStrictEqual(smallest.machines, [])
  })

  it("without troubles fiscalises every document at its first attempt", () => {
    const day = run(of(2, { only: [], documents: 8 }))
    assert.deepStrictEqual(day.violations, [])
    assert.strictEqual(day.receipts, 8)
  })
})

describe("a mutant", () => {
  it("replaces a text that occurs exactly once in the present sources", () => {
    for (const change of mutants.flatMap(changesOf)) {
      const source = readFileSync(new URL(`../../packages/${change.file}`, import.meta.url), "utf8")
      assert.notStrictEqual(planted(source, change), source, change.name)
    }
  })

  it("with a missing text is an error that names the text", () => {
    assert.throws(
      () => planted("const a = 1", { name: "a is two", edits: [["const b", "const a"]] }),
      /^a is two: .* const b$/
    )
  })
})

describe("the printed action for a document", () => {
  it("names a command that the operator follows", () => {
    assert.deepStrictEqual(
      [
        "UNKNOWN",
        "EXPIRED",
        "UNANSWERED",
        "HELD_late",
        "HELD_older-copy",
        "HELD_outdated",
        "HELD_contradicted",
        "OTHER_DEVICE"
      ].map(fixOf),
      ["portal", "portal", "portal", "resend", "look", "withdraw", "portal", "acknowledge"]
    )
  })
})

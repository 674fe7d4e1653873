import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { mutants, planted } from "../proof/Mutants.ts"
import { run } from "../src/day/Day.ts"
import { fixOf } from "../src/Fixes.ts"
import { unexplained } from "../src/laws/KnownHoles.ts"
import { regressions } from "../src/Regressions.ts"
import { of, type Scenario } from "../src/Scenario.ts"
import { shrink } from "../src/Shrink.ts"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const hashes = () =>
  execFileSync(process.execPath, [main, "--seeds", "2", "--from", "7", "--documents", "6", "--hashes", "--no-shrink"], {
    encoding: "utf8"
  })
    .split("\n")
    .filter((line) => /^\d+ \d+$/.test(line))

const unknownViolations = (scenario: Scenario) => unexplained(run(scenario))

describe("a seed", () => {
  it("comes to the same in two processes, whatever ran there before", () => {
    const [first, second] = [hashes(), hashes()]
    assert.lengthOf(first, 2)
    assert.deepStrictEqual(second, first)
    assert.deepStrictEqual(
      [7, 8].map((seed) => `${seed} ${run(of(seed, { documents: 6 })).hash}`),
      first
    )
  })

  it("comes to the same where an error names the store's file", () => {
    const hash = () => {
      const lines = execFileSync(process.execPath, [
        main,
        "--seeds",
        "1",
        "--from",
        "300005",
        "--hashes",
        "--no-shrink"
      ])
      return String(lines).split("\n")[0]
    }
    assert.strictEqual(hash(), hash())
  })

  it("comes to something else than another", () => {
    assert.notStrictEqual(run(of(3, { documents: 4 })).hash, run(of(4, { documents: 4 })).hash)
  })

  for (const { because, limits, seed } of regressions) {
    it(`${seed} holds every law: ${because}`, () => {
      assert.deepStrictEqual(unknownViolations(of(seed, limits)), [])
    })
  }
})

describe("a scenario", () => {
  it("is made as small as its failure allows", () => {
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

  it("without any trouble fiscalises every document at its first attempt", () => {
    const day = run(of(2, { only: [], documents: 8 }))
    assert.deepStrictEqual(day.violations, [])
    assert.strictEqual(day.receipts, 8)
  })
})

describe("a mutant", () => {
  it("is planted in a text that stands exactly once in today's sources", () => {
    for (const mutant of mutants) {
      const source = readFileSync(new URL(`../../${mutant.file}`, import.meta.url), "utf8")
      assert.notStrictEqual(planted(source, mutant), source, mutant.name)
    }
  })

  it("whose text is gone is an error that says which", () => {
    assert.throws(
      () => planted("const a = 1", { name: "a is two", edits: [["const b", "const a"]] }),
      /^a is two: .* const b$/
    )
  })
})

describe("what is printed about a document", () => {
  it("names a command that the operator follows", () => {
    assert.deepStrictEqual(
      [
        "UNKNOWN",
        "EXPIRED",
        "UNANSWERED",
        "HELD_late",
        "HELD_person",
        "HELD_outdated",
        "HELD_contradicted",
        "OTHER_DEVICE"
      ].map(fixOf),
      ["portal", "portal", "portal", "resend", "look", "withdraw", "withdraw", "acknowledge"]
    )
  })
})

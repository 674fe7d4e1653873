import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as Random from "../../adapter-csv/proof/Random.ts"
import { asTexts, differenceOf, judgeFormats } from "../proof/FormatTrial.ts"
import { mutation } from "../proof/Mutation.ts"
import { judgeWorkbook } from "../proof/WorkbookTrial.ts"

describe("a sample of the corpus, as workbooks of two writers", () => {
  it.effect("is read right or asked about less than its CSV files, and never guessed", () =>
    Effect.gen(function* () {
      const seeds = Array.from({ length: 120 }, (_, i) => 300_001 + i)
      const judged = yield* Effect.forEach(seeds, judgeWorkbook)
      const wrong = judged.flatMap(({ kind, verdict }, i) =>
        verdict.is === "wrong" ? [`seed ${seeds[i]!}, ${kind}: ${verdict.why}`] : []
      )
      assert.deepStrictEqual(wrong, [])
      assert.isAbove(judged.filter(({ verdict }) => verdict.is === "read").length, 50)
    })
  )

  it.effect("of every known format gives the documents of its CSV file", () =>
    Effect.gen(function* () {
      const { documents, wrong } = yield* judgeFormats(1, 9)
      assert.deepStrictEqual(wrong, [])
      assert.isAbove(documents, 30)
    })
  )
})

describe("the examples and golden files of CSV, as workbooks of two writers", () => {
  const golden = new URL("../../adapter-csv/fixtures/golden/", import.meta.url)
  const examples = new URL("../../../examples/", import.meta.url)
  const files = [
    ...readdirSync(golden).map((name) => ({
      name,
      file: new URL(`${name}/input.csv`, golden),
      options: new URL(`${name}/options.json`, golden)
    })),
    ...readdirSync(examples)
      .filter((name) => /^historical.*[a-z]\.csv$/.test(name) && !name.includes("refused"))
      .map((name) => ({ name, file: new URL(name, examples), options: undefined }))

    // its faults are of quotes and rows that are too short, which a workbook does not have
  ].filter(({ name }) => name !== "plain-troubles")

  it.each(files)("$name gives the same documents", ({ file, name, options }) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const given = options !== undefined && existsSync(options) ? JSON.parse(readFileSync(options, "utf8")) : {}
        const european = name === "european-by-map"
        const text = new TextDecoder(european ? "windows-1252" : "utf-8").decode(readFileSync(file))
        assert.isUndefined(yield* differenceOf(text, given, asTexts, Random.make(1), european ? ";" : ","))
      })
    )
  )
})

describe("a sample of damaged workbooks", () => {
  it.effect("is refused, or gives what it gave before", () =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach(
        Array.from({ length: 150 }, (_, i) => 500_001 + i),
        mutation
      )
      assert.deepStrictEqual(
        found.flatMap(({ trouble }) => trouble ?? []),
        []
      )
      assert.isAbove(found.filter(({ outcome }) => outcome === "refused").length, 50)
    })
  )
})

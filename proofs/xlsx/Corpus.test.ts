import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { counted, shown } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import { asTexts, differenceOf, judgeFormats } from "./FormatTrial.ts"
import { judgeWorkbook } from "./WorkbookTrial.ts"

const { count, extent, seed, seeds } = given("xlsx-corpus")

describe("a sample of the corpus, as workbooks of two writers", () => {
  it.effect("is read correctly or with fewer questions than its CSV files, and never guessed", function* () {
    const judged = yield* Effect.forEach(seeds, judgeWorkbook)
    const wrong = judged.flatMap(({ kind, verdict }, i) =>
      verdict.is === "wrong" ? [`seed ${seeds[i]!}, ${kind}: ${verdict.why}`] : []
    )
    yield* shown(
      counted(
        judged.map(
          ({ kind, verdict }) => `${kind}: ${verdict.is}${"about" in verdict ? ` (${verdict.about.join(", ")})` : ""}`
        )
      )
    )
    assert.deepStrictEqual(wrong, [])
    if (extent !== "part") assert.isAbove(judged.filter(({ verdict }) => verdict.is === "read").length, 0.4 * count)
  })

  it.effect("of every known format gives the documents of its CSV file", function* () {
    const { documents, wrong } = yield* judgeFormats(Math.max(1, Math.floor(count / 120)), seed)
    assert.deepStrictEqual(wrong, [])
    assert.isAbove(documents, 30)
  })
})

describe("the examples and golden files of CSV, as workbooks of two writers", () => {
  const golden = new URL("../../packages/adapter-csv/fixtures/golden/", import.meta.url)
  const examples = new URL("../../examples/", import.meta.url)
  const files = [
    ...readdirSync(golden).map((name) => ({
      name,
      file: new URL(`${name}/input.csv`, golden),
      options: new URL(`${name}/options.json`, golden)
    })),
    ...readdirSync(examples)
      .filter((name) => /^historical.*[a-z]\.csv$/.test(name) && !name.includes("refused"))
      .map((name) => ({ name, file: new URL(name, examples), options: undefined }))

    // Excluded: the faults are quotes and short rows, which a workbook cannot have.
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

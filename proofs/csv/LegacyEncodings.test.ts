import { assert, describe, it } from "@effect/vitest"
import { Buffer } from "node:buffer"
import { decodeOriginal, type Encoding } from "../../packages/adapter-csv/src/scan/Encoding.ts"
import { EncodingEvidence } from "../../packages/adapter-csv/src/scan/EncodingEvidence.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import { cellsOf, encodingsWritten, languages, western, written } from "./LegacyTexts.ts"

const { count, extent, seed } = given("csv-encodings")

interface Tally {
  files: number
  asked: number
  readonly missing: Array<string>
  readonly wrong: Array<string>
}

/** Writes files, reads each, and compares the settled text with the text that was written. */
const tally = (encodings: ReadonlyArray<string>, ofLanguages: ReadonlyArray<(typeof languages)[number]>): Tally => {
  const random = Random.make(seed)
  const found: Tally = { files: 0, asked: 0, missing: [], wrong: [] }
  for (const encoding of encodings)
    for (const language of ofLanguages)
      for (let i = 0; i < count; i++) {
        const cells = cellsOf(language, random).filter((cell) => written(cell, encoding) !== undefined)
        const text = cells.join("\n")
        if (!/\P{ASCII}/u.test(text)) continue
        const bytes = written(text, encoding)!
        const evidence = new EncodingEvidence()
        for (let from = 0; from < bytes.length; from += 7) evidence.take(bytes.subarray(from, from + 7))
        evidence.finish()
        const result = evidence.found(() => false)
        found.files++
        const isTrue = (one: Encoding) => decodeOriginal(Buffer.from(bytes).toString("latin1"), one) === text
        if ("encoding" in result) {
          if (!isTrue(result.encoding)) found.wrong.push(`${encoding} as ${result.encoding}: ${text}`)
        } else {
          found.asked++
          if (!result.slice(0, 8).some((reading) => isTrue(reading.encoding)))
            found.missing.push(`${encoding}: ${text}`)
        }
      }
  return found
}

describe("a file in a legacy encoding", () => {
  it("is never read as a wrong text without a question", () => {
    const { files, missing, wrong } = tally(encodingsWritten, languages)
    assert.isAbove(files, count * 100)
    assert.deepStrictEqual(wrong.slice(0, 5), [])
    // the true text is not among the first eight: the operator types the name of the encoding
    assert.isBelow(missing.length / files, 0.01, missing.slice(0, 5).join("\n---\n"))
  })

  it("of Western Europe is read without a question in 98 of 100 files", () => {
    const { asked, files, wrong } = tally(["windows-1252"], western)
    assert.deepStrictEqual(wrong, [])
    if (extent !== "part") assert.isAtMost(asked / files, 0.02)
  })
})

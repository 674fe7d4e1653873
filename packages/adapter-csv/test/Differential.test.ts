/** Compares the scanner with two established parsers, on files that all three support. */
import { assert, describe, it } from "@effect/vitest"
import { parse as csvParse } from "csv-parse/sync"
import papaparse from "papaparse"
import type { Delimiter } from "../src/scan/Dialect.ts"
import { Scanner } from "../src/scan/Scanner.ts"
import * as Random from "../../../proofs/Random.ts"

type Grid = ReadonlyArray<ReadonlyArray<string>>

const ours = (text: string, delimiter: Delimiter, chunk: number): { readonly grid: Grid; readonly faults: number } => {
  const grid: Array<ReadonlyArray<string>> = []
  let faults = 0
  const scanner = new Scanner({ dialect: { delimiter, quotes: "doubled" }, encoding: "utf-8" }, (record) => {
    if (record.blank) return
    if (record.fault !== undefined) faults++
    grid.push(Array.from({ length: record.count }, (_, cell) => record.cell(cell)))
  })
  const bytes = new TextEncoder().encode(text)
  for (let i = 0; i < bytes.length; i += chunk) scanner.write(bytes.slice(i, i + chunk))
  scanner.finish()
  return { grid, faults }
}

const lineEnds = ["\n", "\r\n", "\r"]

/** Returns the rows read by csv-parse; undefined if csv-parse finds the file faulty. */
const byCsvParse = (text: string, delimiter: string): Grid | undefined => {
  try {
    return csvParse(text, {
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true
    })
  } catch {
    return undefined
  }
}

const byPapaparse = (text: string, delimiter: string, newline: string): Grid =>
  papaparse
    .parse<ReadonlyArray<string>>(text, { delimiter, newline: newline as "\n" })
    .data.filter((row) => row.length > 1 || row[0] !== "")

describe("the scanner compared with csv-parse and papaparse", () => {
  it("reads 2000 generated grids as both libraries do, in every dialect and chunk size", () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const random = Random.make(seed)
      const delimiter = random.pick([",", ";", "\t", "|"] as const)
      const lineEnd = random.pick(lineEnds)
      const letters = ["a", "Z", "ß", "漢", "🧾", " ", "1", ".", '"', ",", ";", "\t", "|", "'", "\\", lineEnd]
      const cell = () => random.times(0, 6, () => random.pick(letters)).join("")
      const grid = random.times(1, 8, () => random.times(2, 5, cell))
      const write = (text: string) =>
        random.chance(0.3) || text.includes(delimiter) || /["\r\n]/.test(text)
          ? `"${text.replaceAll('"', '""')}"`
          : text
      const text = grid.map((row) => row.map(write).join(delimiter)).join(lineEnd) + random.pick(["", lineEnd])
      const read = ours(text, delimiter, random.between(1, 40)).grid
      const why = `seed ${seed}: ${JSON.stringify(text)}`
      assert.deepStrictEqual(read, grid, why)
      assert.deepStrictEqual(byCsvParse(text, delimiter), grid, why)
      assert.deepStrictEqual(byPapaparse(text, delimiter, lineEnd), grid, why)
    }
  })

  it("agrees with csv-parse on 5000 random texts: valid texts give the same cells, faulty texts give a fault or a stray quote", () => {
    let faulty = 0
    for (let seed = 1; seed <= 5000; seed++) {
      const random = Random.make(seed)
      const scrap = random.times(1, 14, () => random.pick(["a", "b", '"', '"', ",", ",", "\n", "\r\n", " "])).join("")
      const text = `h,${scrap}`
      const { faults, grid } = ours(text, ",", random.between(1, 5))
      const theirs = byCsvParse(text, ",")
      const why = `seed ${seed}: ${JSON.stringify(text)}`
      if (theirs === undefined) {
        faulty++
        assert.isTrue(faults > 0 || grid.flat().some((cell) => cell.includes('"')), why)
      } else assert.deepStrictEqual(grid, theirs, why)
    }
    assert.isAbove(faulty, 500)
  })
})

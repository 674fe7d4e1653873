import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { readFileSync } from "node:fs"
import type { Delimiter, Quotes } from "../src/scan/Dialect.ts"
import type { Encoding } from "../src/scan/Encoding.ts"
import { type Fault, Scanner, type ScannerOptions } from "../src/scan/Scanner.ts"
import * as Random from "../../../proofs/Random.ts"
import { seeded } from "../../core/test/Property.ts"

interface Scanned {
  readonly cells: ReadonlyArray<string>
  readonly line: number
  readonly fault: Fault | undefined
}

interface Case {
  readonly name: string
  readonly text: string
  readonly delimiter?: Delimiter
  readonly quotes?: Quotes
  readonly records: ReadonlyArray<ReadonlyArray<string>>
  readonly fault?: readonly [number, Fault]
}

const scan = (bytes: Uint8Array, chunk: number, options: Partial<ScannerOptions> = {}): ReadonlyArray<Scanned> => {
  const found: Array<Scanned> = []
  const scanner = new Scanner(
    { dialect: { delimiter: ",", quotes: "doubled" }, encoding: "utf-8", ...options },
    (record) => {
      if (record.blank) return
      const cells = Array.from({ length: record.count }, (_, cell) => record.cell(cell))
      found.push({ cells, line: record.line, fault: record.fault })
    }
  )
  for (let i = 0; i < bytes.length; i += chunk) scanner.write(bytes.slice(i, i + chunk))
  scanner.finish()
  return found
}

/**
 * Returns the content of all records, and the number of cells known to equal those of the record
 * before.
 */
const read = (bytes: Uint8Array, chunk: number) => {
  const records: Array<object> = []
  let repeated = 0
  const before: Array<ReadonlyArray<string>> = []
  const scanner = new Scanner({ dialect: { delimiter: ",", quotes: "doubled" }, encoding: "utf-8" }, (record) => {
    const { count, fault, flags, line } = record
    const cells = Array.from({ length: count }, (_, cell) => record.rawCell(cell))
    for (const [cell, raw] of cells.entries()) {
      for (let back = 1; back <= before.length && record.areSince(record.nth - back, cell); back++) {
        if (back === 1) repeated++
        assert.strictEqual(raw, before.at(-back)![cell])
      }
    }
    assert.isFalse(record.areSince(record.nth - 1, count), "a cell that the record does not have")
    const starts = cells.map((_, cell) => record.startOf(cell))
    records.push({ raw: record.raw(), cells, starts, flags: Array.from(flags.slice(0, count)), line, fault })
    before.push(cells)
  })
  for (let i = 0; i < bytes.length; i += chunk) scanner.write(bytes.slice(i, i + chunk))
  scanner.finish()
  return { records, repeated }
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const fixture: { readonly cases: ReadonlyArray<Case> } = JSON.parse(
  readFileSync(new URL("../fixtures/conformance.json", import.meta.url), "utf8")
)

describe("Scanner", () => {
  for (const { delimiter = ",", fault, name, quotes = "doubled", records, text } of fixture.cases) {
    it(`reads in chunks of any size: ${name}`, () => {
      for (const chunk of [1, 2, 3, 5, 1000]) {
        const found = scan(utf8(text), chunk, { dialect: { delimiter, quotes } })
        assert.deepStrictEqual(
          found.map(({ cells }) => cells),
          records
        )
        const faults = found.flatMap(({ fault }, i) => (fault === undefined ? [] : [[i, fault]]))
        assert.deepStrictEqual(faults, fault === undefined ? [] : [[...fault]])
      }
    })
  }

  it("states the line of every record", () => {
    const text = 'ä,b\r\n"two\r\nlines",x\n\nlast,"y"'
    for (const chunk of [1, 4, 100]) {
      assert.deepStrictEqual(
        scan(utf8(text), chunk).map(({ line }) => line),
        [1, 2, 5]
      )
    }
  })

  it("reads rows that partly repeat the row before exactly as single rows, and marks the repeated cells", () => {
    const random = Random.make(7)
    const pieces = ["a", '"b,1"', '"b\r\n1"', '"b""1"', "", "ä", "bb", "x".repeat(70), ' "', 'stray"', "a\rb"]
    pieces.push(
      `${"x".repeat(70)}y`,
      `${"x".repeat(9)}"z`,
      `${"x".repeat(12)}ä`,
      "x".repeat(12),
      "a\0".repeat(4),
      "\0".repeat(8)
    )
    const broken = ['"text"after', '"open']
    let repeated = 0
    for (let n = 0; n < 3000; n++) {
      const part = (most: number) => random.times(0, most, () => random.pick(random.chance(0.02) ? broken : pieces))
      const [head, tail] = [part(5), part(5)]
      const lineEnd = random.pick(["\n", "\r\n", "\r"])
      const rows = random.times(2, 8, () =>
        [...head.slice(random.between(0, 1)), ...part(2), ...tail.slice(random.between(0, 1))].join(",")
      )
      const bytes = utf8(rows.join(lineEnd) + random.pick(["", lineEnd]))
      const alone = read(bytes, 1)
      const together = read(bytes, bytes.length)
      assert.deepStrictEqual(together.records, alone.records, JSON.stringify(rows))
      repeated += together.repeated
    }
    assert.isAbove(repeated, 5000)
  })

  it("distinguishes byte sequences with the same numeric value", () => {
    const zero = "\0".repeat(7)
    const bytes = Buffer.from(`${zero}\0,a\n${zero}\x80,a\n`, "latin1")
    assert.deepStrictEqual(read(bytes, bytes.length).records, read(bytes, 1).records)
  })

  it("decodes every byte of Windows-1252 and ISO-8859-1 like the platform", () => {
    const bytes = Uint8Array.from({ length: 128 }, (_, i) => 128 + i)
    const read = (encoding: Encoding) => scan(bytes, 7, { encoding })[0]!.cells[0]!
    assert.strictEqual(read("windows-1252"), new TextDecoder("windows-1252").decode(bytes))
    assert.strictEqual(read("iso-8859-1"), String.fromCharCode(...bytes))
  })

  it("gives up a quoted cell longer than the longest record, and continues at the next line", () => {
    const text = `1,"${"x\n".repeat(100)}\n2,b\n`
    const found = scan(utf8(text), 16, { longestRecord: 64 })
    assert.deepStrictEqual(found[0], { cells: [], line: 1, fault: "unterminated-quote" })
    assert.deepStrictEqual(found.at(-1)?.cells, ["2", "b"])
    assert.strictEqual(found.at(-1)?.line, 102)
  })

  it("skips an endless line longer than the longest record", () => {
    const found = scan(utf8(`${"x".repeat(1000)}\n2,b\n`), 16, { longestRecord: 64 })
    assert.deepStrictEqual(
      found.map(({ cells, fault, line }) => [cells, fault, line]),
      [
        [[], "record-too-long", 1],
        [["2", "b"], undefined, 2]
      ]
    )
  })

  const cell = Arbitrary.schema(Schema.String.check(Schema.isPattern(/^[ a",;\r\nß漢]{0,5}$/)))
  it.prop(
    "reads back any written grid, in every quoting and chunk size",
    { grid: Arbitrary.array(Arbitrary.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }) },
    ({ grid }) => {
      const quote = (text: string, i: number) =>
        i % 2 === 0 || /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
      const text = grid.map((row) => row.map(quote).join(",")).join("\r\n")
      return [1, 3, 64].every((chunk) => {
        const cells = scan(utf8(text), chunk).map(({ cells }) => cells)
        return JSON.stringify(cells) === JSON.stringify(grid)
      })
    },
    seeded()
  )
})

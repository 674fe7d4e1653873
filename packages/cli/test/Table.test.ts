import { toneOf } from "../../core/src/submission/OutcomeRecord.ts"
import { assert, describe, it } from "@effect/vitest"
import stringWidth from "string-width"
import * as Screen from "../src/output/Screen.ts"
import { type Column, table } from "../src/output/Table.ts"
import { columnsOf, leaving } from "../src/output/Terminal.ts"

interface Row {
  readonly number: string
  readonly buyer: string
  readonly total: string
  readonly state: string
}

const columns: ReadonlyArray<Column<Row>> = [
  { title: "Number", limit: 24, keep: "always", value: ({ number }) => number },
  { title: "Buyer", limit: 28, value: ({ buyer }) => buyer },
  { title: "Total", align: "right", keep: "always", value: ({ total }) => total },
  { title: "State", keep: "always", value: ({ state }) => state, tone: ({ state }) => toneOf(state) },
  { title: "Verification", value: () => "6FBB-ADEE-1234-5678" }
]

const rows: ReadonlyArray<Row> = [
  { number: "INV-0001", buyer: "Żółć Ceramics (Private) Limited of Harare", total: "USD 1007.97", state: "Fiscalised" },
  { number: "INV-0002", buyer: "日本語の顧客の名前です", total: "USD 3.00", state: "Held" }
]

const at = (width: number | undefined, color: "shown" | "none" = "none") => table(columns, rows, { width, color })

// slow: compares every character with a library
describe("a table", () => {
  it("is at most as wide as the screen, and always shows number, total and state", () => {
    for (const width of [40, 60, 80, 120, 200]) {
      const lines = at(width).split("\n")
      for (const line of lines.slice(0, 3)) assert.isAtMost(stringWidth(line), width, line)
      for (const word of ["INV-0001", "USD 1007.97", "Fiscalised"]) assert.include(at(width), word)
    }
  })

  it("names the omitted columns, and the way to see them", () => {
    assert.include(at(40), "(no room for: Buyer, Verification; --json has them)")
    assert.notInclude(at(200), "no room")
    assert.include(at(undefined), "6FBB-ADEE-1234-5678")
  })

  it("has colored states only on a terminal", () => {
    assert.include(leaving(at(80, "shown")), "\u001b[32mFiscalised")
    assert.include(leaving(at(80, "shown")), "\u001b[33mHeld")
    assert.notInclude(at(80), "\u001b")
  })
})

describe("the output to a terminal", () => {
  it("is colored, unless NO_COLOR or TERM=dumb is set", () => {
    const terminal = { isTTY: true, columns: 80 }
    assert.deepStrictEqual(Screen.of(terminal, { TERM: "xterm" }), { width: 80, color: "shown" })
    assert.strictEqual(Screen.of(terminal, { TERM: "xterm", NO_COLOR: "1" }).color, "none")
    assert.strictEqual(Screen.of(terminal, { TERM: "dumb" }).color, "none")
    assert.deepStrictEqual(Screen.of({}, { COLUMNS: "100" }), { width: 100, color: "none" })
    assert.deepStrictEqual(Screen.of({}, {}), { width: undefined, color: "none" })
  })
})

describe("the width of a text", () => {
  it("equals the result of string-width for every character, next to any other character", () => {
    for (let unit = 0x20; unit < 0x1_0000; unit += 1) {
      const text = `é“${String.fromCharCode(unit)}”Ж`
      assert.strictEqual(columnsOf(text), stringWidth(text), unit.toString(16))
    }
  })
})

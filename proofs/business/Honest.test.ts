import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Console } from "effect"
import { TestClock } from "effect/testing"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import { firm } from "./Firm.ts"
import { books, judge, judgeFirm } from "./HonestTrial.ts"
import { knownFile, knownFirm, layouts } from "./KnownLayouts.ts"
import type { Layout } from "./Layouts.ts"

const { count, seed } = given("honest")

/** Number of documents in one file. */
const size = 8

/** Returns the layout's firm of a seed; the layouts come in turn. */
const named = (nth: number, seed: number) => {
  const { name } = layouts[nth % layouts.length]!.format
  return [name, knownFirm(name, seed, size)] as const
}

describe("a column with an unknown name that states the total of every document but one", () => {
  it.effect("refuses only that document, in every layout", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const problems: Array<string> = []
    for (let nth = 0; nth * size * 4 < count; nth++) {
      const random = Random.make(seed + nth * 7919)
      const file = knownFile(...named(nth, seed + nth * 7919), random, random.between(0, size - 1))
      const { planned, refused, wrong } = yield* judge(file, books.answered)
      if (planned === size - 1 && refused.length === 1 && refused[0]!.includes("AMOUNT_CONTRADICTS")) continue
      problems.push(`seed ${seed + nth * 7919}: ${planned} planned; ${[...wrong, ...refused].join("; ")}`)
    }
    assert.deepStrictEqual(problems.slice(0, 20), [])
  })
})

describe("honest exports of every layout, with additional columns that are not totals", () => {
  it.effect("are planned with the charged amounts, and none is refused after the rounding is settled", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const outcomes: Array<string> = []
    const [wrong, refused]: [Array<string>, Array<string>] = [[], []]
    for (let nth = 0; nth * size < count; nth++) {
      const file = knownFile(...named(nth, seed + nth), Random.make(seed + nth))
      for (const [name, book] of Object.entries(books)) {
        const outcome = yield* judge(file, book)
        wrong.push(...outcome.wrong.map((text) => `${name} book, seed ${seed + nth}: ${text}`))
        if (name === "answered") refused.push(...outcome.refused.map((text) => `seed ${seed + nth}: ${text}`))
        for (let i = 0; i < outcome.planned; i++) outcomes.push(`${name} book: planned as charged`)
        for (const _ of outcome.refused) outcomes.push(`${name} book: refused`)
      }
    }
    yield* Console.log(counted(outcomes))
    assert.deepStrictEqual(wrong.slice(0, 20), [])
    assert.deepStrictEqual(refused.slice(0, 20), [])
  })
})

/** Shapes and tables of a firm, other than the layouts of products. */
const shapes: ReadonlyArray<Layout> = [
  { shape: "documents" },
  { shape: "xero-like" },
  { shape: "csv", rows: "line" },
  { shape: "csv", rows: "fill-down" },
  { shape: "workbook", rows: "line" }
]

describe("documents of a firm in seven languages, as a program, a system or a table states them", () => {
  it.effect("are planned with the charged amounts, with true answers about the table", function* () {
    yield* TestClock.setTime(Date.parse("2026-12-31T12:00:00Z"))
    const outcomes: Array<string> = []
    for (let nth = 0; nth * size * 2 < count; nth++) {
      const { refused, wrong } = yield* judgeFirm(firm(seed + nth), shapes[nth % shapes.length]!, seed + nth)
      outcomes.push(...[...wrong, ...refused].map((text) => `seed ${seed + nth}: ${text}`))
    }
    assert.deepStrictEqual(outcomes.slice(0, 20), [])
  })
})

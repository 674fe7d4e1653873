import type { Equation } from "../../src/profile/Candidates.ts"
import { profile } from "../../src/profile/ColumnProfile.ts"
import { columnsOf } from "../../src/profile/Expression.ts"
import { assert, describe, it } from "@effect/vitest"
import { figuresOf, type Made, made, planted } from "./GeneratedTables.ts"
import * as Random from "../../../../proofs/Random.ts"

/** Files of one run: the full number is 400. */
const files = Number(process.env["PROFILE_FILES"] ?? 40)

const profiled = (table: Made) => profile({ figures: figuresOf(table), texts: table.texts, documents: table.documents })

/** Writes an equation with the names of the generator. */
const written = ({ names }: Pick<Made, "names">, { expression: { less, of, plus, tax }, target }: Equation): string => {
  const base =
    of === undefined
      ? ""
      : "column" in of
        ? names[of.column]!
        : of.product
            .map((column) => names[column])
            .toSorted()
            .join(" × ")
  const off = less === undefined ? "" : ` − ${names[less.column]}${less.as === "percent" ? " %" : ""}`
  const percent = tax?.percent
  const rate =
    percent === undefined
      ? ""
      : ` ${tax!.is} ${percent.by === "rate" ? "rate" : percent.by === "text" ? "code" : names[percent.column]}`
  const added = (plus ?? []).map((column) => names[column]!).toSorted()
  return `${names[target]} = ${[base + off + rate, ...added].filter((part) => part !== "").join(" + ")}`
}

/** Relations that the generator makes, by the names of their columns. */
const isTrue = ({ rates }: Pick<Made, "rates">, equation: string): boolean => {
  const net = "(?:amount|price × quantity(?: − discount(?:Percent %)?)?)"
  const rate = "(?:rate|code|percent)"
  return [
    `amount = price × quantity(?: − discount(?:Percent %)?)?`,
    `discount = price × quantity − amount`,
    `tax = ${net} alone ${rate}`,
    `tax = gross within ${rate}`,
    `gross = (?:amount \\+ tax|${net} added ${rate}|tax added rate)`,
    `net = ${net}`,
    `totalTax = tax`,
    ...(rates === "one" ? [`totalTax = (?:total within|net alone) ${rate}`] : []),
    `total = (?:gross|${net} added ${rate}|net \\+ totalTax|amount \\+ totalTax|(?:net \\+ tax|tax \\+ net)|net added ${rate})`,
    `gross = amount \\+ tax`
  ].some((pattern) => new RegExp(`^${pattern}$`).test(equation))
}

const settledIn = (table: Made): ReadonlyArray<Equation> => {
  const { ofDocuments, ofRows } = profiled(table)
  return [...ofRows.values(), ...ofDocuments.values()].flatMap((found) =>
    found.is === "settled" ? [found.equation] : []
  )
}

describe("a column profile", () => {
  it("settles no wrong equation of an honest file, and uses no unrelated number", () => {
    const wrong: Array<string> = []
    let [amounts, shown] = [0, 0]
    for (let seed = 1; seed <= files; seed++) {
      const table = made(Random.make(seed))
      const settled = settledIn(table).map((equation) => written(table, equation))
      if (table.names.includes("amount")) amounts++
      if (settled.some((equation) => equation.startsWith("amount ="))) shown++
      wrong.push(...settled.filter((equation) => !isTrue(table, equation)).map((equation) => `${seed}: ${equation}`))
    }
    assert.deepStrictEqual(wrong, [])
    assert.isAtLeast(shown / amounts, 0.9)
  })

  it("explains away no error of one cell", () => {
    const hidden: Array<string> = []
    for (let seed = 1; seed <= files; seed++) {
      const random = Random.make(10_000 + seed)
      const error = planted(made(random), random)
      for (const equation of settledIn(error.table)) {
        const { exceptions, expression, rows, target } = equation
        // an amount without tax states nothing about its base
        if (expression.tax?.is === "alone" && error.table.rows[error.row]![target] === "0.00") continue
        const isAbout = [target, ...columnsOf(expression)].includes(error.table.names.indexOf(error.name))
        const document = error.table.documents[error.row]
        const isOfDocument = (row: number) => row === error.row || error.table.documents[row] === document
        if (!isTrue(error.table, written(error.table, equation)))
          hidden.push(`${seed}: ${error.name}: ${written(error.table, equation)}`)
        else if (isAbout && rows.includes(error.row) && !exceptions.some(isOfDocument))
          hidden.push(`${seed}: ${written(error.table, equation)} holds in row ${error.row}`)
      }
    }
    assert.deepStrictEqual(hidden, [])
  })

  const table = (names: ReadonlyArray<string>, rows: ReadonlyArray<string>, documents: ReadonlyArray<string>) => {
    const cells = rows.map((row) => row.split(" ").map((cell) => (cell === "-" ? "" : cell)))
    const { running, scopes, totals } = profile({ figures: figuresOf({ names, rows: cells }), texts: [], documents })
    return { running: [...running].map((pair) => pair.map((column) => names[column])), scopes, totals }
  }

  it("finds running sums, and rows that sum the rows above them", () => {
    const { running, totals } = table(
      ["amount", "balance"],
      ["20.00 20.00", "5.00 25.00", "11.50 36.50", "7.25 43.75", "43.75 -"],
      ["1", "2", "2", "3", ""]
    )
    assert.deepStrictEqual(running, [["balance", "amount"]])
    assert.deepStrictEqual(totals, [4])
  })

  it("does not know from documents of one row whether a column is of rows or of documents", () => {
    const names = ["quantity", "price", "total"]
    const single = ["2 10.00 20.00", "3 7.00 21.00", "4 9.50 38.00", "5 3.10 15.50"]
    assert.deepStrictEqual(table(names, single, ["1", "2", "3", "4"]).scopes, ["unknown", "unknown", "unknown"])
    const several = ["2 10.00 41.00", "3 7.00 41.00", "4 9.50 53.50", "5 3.10 53.50", "1 8.00 30.50", "9 2.50 30.50"]
    const { scopes } = table(names, several, ["1", "1", "2", "2", "3", "3"])
    assert.deepStrictEqual(scopes, ["row", "row", "document"])
  })

  it("takes no amount for the code of a rate: an invoice and its note state the same amounts", () => {
    const fees = [10.88, 20.5, 10.88, 20.5, undefined, undefined]
    const rows = fees.flatMap((fee, i) =>
      [5, i % 2 === 0 ? 5 : 15].map((quantity) => [String(quantity), fee?.toFixed(2) ?? ""])
    )
    const { ofDocuments } = profile({
      figures: figuresOf({ names: ["quantity", "fee"], rows }),
      texts: [0, 1].map((column) => rows.map((row) => row[column]!)),
      documents: rows.map((_, i) => String(i >> 1))
    })
    assert.isUndefined(ofDocuments.get(1))
  })

  it("settles nothing in files of one row, of one document, without numbers or with equal columns", () => {
    const found = (names: ReadonlyArray<string>, rows: ReadonlyArray<string>, documents: ReadonlyArray<string>) => {
      const figures = figuresOf({ names, rows: rows.map((row) => row.split(" ")) })
      const { ofDocuments, ofRows } = profile({ figures, texts: [], documents })
      return [...ofRows.values(), ...ofDocuments.values()].filter(({ is }) => is === "settled").length
    }
    const names = ["quantity", "price", "amount"]
    assert.strictEqual(found(names, ["2 10.00 20.00"], ["1"]), 0)
    assert.strictEqual(found(names, ["2 10.00 20.00", "3 7.00 21.00", "4 9.50 38.00"], ["1", "1", "1"]), 0)
    assert.strictEqual(found(names, ["1 10.00 10.00", "1 7.00 7.00", "1 9.50 9.50"], ["1", "2", "3"]), 0)
    assert.strictEqual(found(["a"], [], []), 0)
    assert.strictEqual(found([], ["", ""], ["1", "2"]), 0)
  })

  it("takes seconds for a thousand number columns", () => {
    const random = Random.make(7)
    const names = Array.from({ length: 1000 }, (_, i) => `n${i}`)
    const rows = Array.from({ length: 50 }, () => names.map(() => (random.between(1, 99_999) / 100).toFixed(2)))
    const documents = rows.map((_, i) => String(i >> 1))
    const { ofRows } = profile({ figures: figuresOf({ names, rows }), texts: [], documents })
    assert.deepStrictEqual(
      [...ofRows.values()].filter(({ is }) => is === "settled"),
      []
    )
  })
})

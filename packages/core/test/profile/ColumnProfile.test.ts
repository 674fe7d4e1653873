import type { Equation } from "@fiscal-connector/core/unstable/profile/Candidates"
import { profile } from "@fiscal-connector/core/unstable/profile/ColumnProfile"
import { columnsOf } from "@fiscal-connector/core/unstable/profile/Expression"
import { assert, describe, it } from "@effect/vitest"
import { figuresOf, type Made, made, planted, randomOf } from "./GeneratedTables.ts"

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
      const table = made(randomOf(seed))
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
      const random = randomOf(10_000 + seed)
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
})

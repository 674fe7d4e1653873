import { parse, zero } from "../../src/document/Money.ts"
import type { SourceDocument, SourceLine } from "../../src/source/SourceDocument.ts"
import { WorkedOut } from "../../src/question/WorkedOut.ts"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"

const money = (text: string) => Option.getOrElse(parse(text), () => zero)

const line = (amount: string, code: string, tax?: string): SourceLine => ({
  lineAmount: money(amount),
  taxes: [{ code, ...(tax !== undefined && { amount: money(tax) }) }]
})

const document = (lines: ReadonlyArray<SourceLine>, more: Partial<SourceDocument> = {}): SourceDocument => ({
  _tag: "SourceDocument",
  kind: "invoice",
  id: "1",
  number: "1",
  order: 0,
  date: "2026-02-01" as never,
  taxMode: "exclusive",
  lines,
  charges: [],
  totals: {},
  originals: [],
  findings: [],
  where: () => ({ file: "made" }),
  ...more
})

const ratesOf = (documents: ReadonlyArray<SourceDocument>, code: string, among?: ReadonlyArray<string>) => {
  const worked = new WorkedOut()
  for (const each of documents) worked.add(each, ({ taxes }) => [taxes[0]!.code])
  return worked.ratesOf(code, among).map(({ of, percent }) => [percent, of])
}

describe("the percent computed from tax amounts", () => {
  it("is exact to the cent for amounts beyond machine floats", () => {
    const large = document([line("90071992547409939.31", "VAT", "13510798882111490.90")])
    assert.deepStrictEqual(ratesOf([large], "VAT"), [["15", 1]])
    const off = document([line("90071992547409939.31", "VAT", "13510798882111490.20")])
    assert.deepStrictEqual(ratesOf([off], "VAT"), [])
  })

  it("allows half a cent for each line that may be rounded, and no more", () => {
    const one = (tax: string) => document([line("100.00", "VAT", tax)])
    assert.deepStrictEqual(ratesOf([one("15.01")], "VAT", ["15", "0"]), [["15", 1]])
    assert.deepStrictEqual(ratesOf([one("15.02")], "VAT", ["15", "0"]), [])
  })

  it("is not a tenth of a percent by one document only, whose lines may have several", () => {
    const totals = { net: money("88.00"), tax: money("12.40") }
    const mixed = document([line("80.00", ""), line("8.00", "")], { totals })
    assert.deepStrictEqual(ratesOf([mixed], ""), [])
    const other = document([line("70.00", "")], { totals: { net: money("70.00"), tax: money("9.87") } })
    assert.deepStrictEqual(ratesOf([mixed, other], ""), [["14.1", 2]])
  })

  it("is found from the rest if the other taxes of a document are known, also for inclusive amounts", () => {
    const documents = [
      document([line("115.00", "A", "15.00")], { taxMode: "inclusive" }),
      document([line("115.00", "A"), line("105.00", "B")], {
        taxMode: "inclusive",
        totals: { tax: money("20.00"), total: money("220.00") }
      })
    ]
    assert.deepStrictEqual(ratesOf(documents, "B"), [["5", 1]])
  })

  it("changes once at most, at the start of a month", () => {
    const on = (day: string, tax: string) => document([line("1000.00", "VAT", tax)], { date: day as never })
    const worked = new WorkedOut()
    for (const each of [on("2025-12-30", "150.00"), on("2026-01-02", "155.00"), on("2026-02-02", "155.00")])
      worked.add(each, () => ["VAT"])
    assert.deepStrictEqual(
      worked.ratesOf("VAT").map(({ first, percent }) => [percent, first]),
      [
        ["15", "2025-12-30"],
        ["15.5", "2026-01-02"]
      ]
    )
  })
})

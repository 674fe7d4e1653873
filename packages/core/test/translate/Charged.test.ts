import { assert, describe, it } from "@effect/vitest"
import { formatAmount } from "../../src/document/Money.ts"
import { refuses } from "../../src/finding/Finding.ts"
import type { SourceDocument, SourceLine } from "../../src/source/SourceDocument.ts"
import { translate } from "../../src/translate/translate.ts"
import { day, money } from "../preflight/SampleTranslated.ts"
import { bookWith } from "./GeneratedSources.ts"

const document = (lines: ReadonlyArray<SourceLine>, fields: Partial<SourceDocument> = {}): SourceDocument => ({
  _tag: "SourceDocument",
  kind: "invoice",
  id: "inv-1",
  number: "INV-1",
  order: 0,
  date: day("2025-06-30"),
  currency: "USD",
  taxMode: "exclusive",
  lines,
  charges: [],
  totals: {},
  originals: [],
  findings: [],
  where: () => ({ file: "a.csv" }),
  ...fields
})

type Stated = { readonly tax?: string; readonly total?: string }

/** Returns a line of one piece with the tax "Standard" of 15 %. */
const line = (amount: string, { tax, total }: Stated, code = "Standard"): SourceLine => ({
  description: "Widget",
  quantity: money("1"),
  unitPrice: money(amount),
  lineAmount: money(amount),
  taxes: [{ code, ...(tax !== undefined && { amount: money(tax) }) }],
  ...(total !== undefined && { totals: { total: money(total) } })
})

const outcome = (source: SourceDocument, rounding: "per-group" | "per-line" | "as-inclusive" = "per-group") => {
  const { findings, translated } = translate(source, bookWith({ rounding }))
  const refused = findings.filter(refuses)
  return refused.length > 0
    ? refused.map(({ code }) => code).join(" ")
    : formatAmount(translated!.document.payload.total)
}

/** 25.06 + 25.61 + 25.63: tax per line 11.44, per tax code 11.45. */
const perLine = [
  line("25.06", { total: "28.82" }),
  line("25.61", { total: "29.45" }),
  line("25.63", { total: "29.47" })
]

describe("a document without a stated total", () => {
  it("is not sent with a sum that differs from its lines", () => {
    assert.strictEqual(outcome(document(perLine)), "LINES_TOTAL_MISMATCH")
    const finding = translate(document(perLine), bookWith({})).findings.find(({ code }) => code.startsWith("LINES"))
    assert.match(finding!.detail!, /the lines state 87\.74/)
    assert.match(finding!.fix, /as-inclusive/)
  })

  it("is sent with exactly that sum if the book rounds like the source", () => {
    assert.strictEqual(outcome(document(perLine), "as-inclusive"), "87.74")
  })

  it("is also checked if lines state their taxes instead", () => {
    const lines = [line("25.06", { tax: "3.76" }), line("25.61", { tax: "3.84" }), line("25.63", { tax: "3.84" })]
    assert.strictEqual(outcome(document(lines)), "LINES_TOTAL_MISMATCH")
    assert.strictEqual(outcome(document(lines), "as-inclusive"), "87.74")
  })

  it("is sent with the line totals unchanged, even if a line was rounded down", () => {
    const lines = [line("0.10", { total: "0.11" }), line("0.30", { total: "0.34" })]
    assert.strictEqual(outcome(document(lines), "as-inclusive"), "0.45")
  })

  it("is sent if lines state no totals, or a taxed line omits its total", () => {
    assert.strictEqual(outcome(document([line("25.06", {}), line("25.61", {}), line("25.63", {})])), "87.75")
    assert.strictEqual(
      outcome(document([line("25.06", { total: "28.82" }), line("25.61", { total: "29.45" }), line("25.63", {})])),
      "87.75"
    )
  })

  it("names both totals if nothing shows how tax is rounded, until the book settles it", () => {
    const unstated = ["25.06", "25.61", "25.63"].map((amount) => line(amount, {}))
    const named = (source: SourceDocument, rounding: "per-group" | "as-inclusive" | "per-line" = "per-group") =>
      translate(source, bookWith({ rounding })).findings.flatMap(({ code, detail }) =>
        code === "ROUNDING_UNSTATED" ? [detail] : []
      )
    const detail = "25.06 + 25.61 + 25.63 + tax 11.45 = 87.75, or 87.74 with the tax of each line rounded"
    assert.deepStrictEqual(named(document(unstated)), [detail])
    assert.strictEqual(outcome(document(unstated)), "87.75")
    for (const rounding of ["as-inclusive", "per-line"] as const)
      assert.deepStrictEqual(named(document(unstated), rounding), [])
    const settled: ReadonlyArray<Partial<SourceDocument>> = [
      { totals: { total: money("87.75") } },
      { totals: { tax: money("11.45") } },
      { taxMode: "inclusive" },
      { lines: unstated.slice(0, 1) }
    ]
    for (const fields of settled) assert.deepStrictEqual(named(document(unstated, fields)), [])
  })

  it("needs no line total for a line without tax", () => {
    const lines = [...perLine, line("10", {}, "Exempt")]
    assert.strictEqual(outcome(document(lines)), "LINES_TOTAL_MISMATCH")
    assert.strictEqual(outcome(document(lines), "as-inclusive"), "97.74")
  })

  it("counts a charge whose tax is not stated as a line with a rounded tax", () => {
    // 214.32 + 2.51 is rounded line by line; the device rounds 15 % of 1445.47 once, to 216.82
    const shipped = (line: SourceLine) =>
      document([line], { charges: [{ kind: "shipping", amount: money("16.70"), taxes: [] }] })
    const as = (line: SourceLine, rounding: "per-group" | "as-inclusive") => {
      const book = bookWith({ rounding, policies: { charges: "as-line-taxed-like-lines" } })
      const { findings, translated } = translate(shipped(line), book)
      const codes = findings.filter(refuses).map(({ code }) => code)
      return codes.join(" ") || formatAmount(translated!.document.payload.total)
    }
    assert.strictEqual(as(line("1428.77", { tax: "214.32" }), "per-group"), "LINES_TOTAL_MISMATCH")
    assert.strictEqual(as(line("1428.77", { tax: "214.32" }), "as-inclusive"), "1662.30")
    assert.strictEqual(as(line("1428.77", { tax: "214.3155" }), "per-group"), "1662.29")
    assert.strictEqual(as(line("1428.77", {}), "per-group"), "1662.29")
  })

  it("is sent with the line totals if a line's tax amount was rounded differently", () => {
    // The source printed 171.104 as 171.10 and its tax as 25.66; the customer was charged 196.77.
    const lines = [line("171.10", { tax: "25.66", total: "196.77" })]
    for (const rounding of ["per-group", "per-line", "as-inclusive"] as const)
      assert.strictEqual(outcome(document(lines), rounding), "196.77", rounding)
  })

  it("is sent with the rounded sum if lines state more places than a cent", () => {
    const lines = [line("25.06", { tax: "3.759" }), line("25.61", { tax: "3.8415" }), line("25.63", { tax: "3.8445" })]
    assert.strictEqual(outcome(document(lines)), "87.75")
  })

  it("is not sent with a cent of difference from the sum of line totals with more places, however many were rounded", () => {
    // The sum 196.765 is 196.77; with each line rounded separately, the sum is 196.76.
    const lines = [line("100.03", { total: "115.0345" }), line("71.07", { total: "81.7305" })]
    assert.strictEqual(outcome(document(lines)), "196.77")
    assert.strictEqual(outcome(document(lines), "as-inclusive"), "196.77")
    assert.strictEqual(outcome(document(lines), "per-line"), "LINES_TOTAL_MISMATCH")
    // The sum is 87.736; rounded once for the tax code, it is 87.75.
    const others = [
      line("25.06", { total: "28.816" }),
      line("25.61", { total: "29.45" }),
      line("25.63", { total: "29.47" })
    ]
    assert.strictEqual(outcome(document(others)), "LINES_TOTAL_MISMATCH")
    assert.strictEqual(outcome(document(others), "as-inclusive"), "87.74")
  })

  it("is not sent with lines of other totals because of its net amount, which shows no tax", () => {
    // each row repeats the total of the document
    const lines = [line("0.10", { total: "0.46" }), line("0.30", { total: "0.46" })]
    const source = document(lines, { totals: { net: money("0.40") } })
    assert.strictEqual(outcome(source, "as-inclusive"), "LINE_TOTAL_DIFFERS LINE_TOTAL_DIFFERS")
  })

  it("is also checked if amounts include tax", () => {
    const lines = [line("115", { total: "115" }), line("23", { total: "23.01" })]
    assert.strictEqual(outcome(document(lines, { taxMode: "inclusive" })), "LINES_TOTAL_MISMATCH")
  })
})

describe("a document with a stated total or tax", () => {
  it("must equal that statement, and its lines may differ by rounding", () => {
    assert.strictEqual(outcome(document(perLine, { totals: { total: money("87.75") } })), "87.75")
    assert.strictEqual(outcome(document(perLine, { totals: { tax: money("11.45") } })), "87.75")
  })
})

import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { codes, found, header, numbers, plainly, row, table } from "./PlainTable.ts"
import { read } from "./Sample.ts"

describe("the kind of a row", () => {
  it.effect("skips bills in a sales export, and counts them", function* () {
    const sorted = yield* read(
      table(`Kind,${header}`, `Bill,${row("B-1")}`, `Invoice,${row("INV-1")}`, `in_invoice,${row("B-2")}`)
    )
    assert.deepStrictEqual(numbers(sorted), ["INV-1"])
    assert.deepStrictEqual(
      sorted.skipped.map(({ key, reason }) => `${key}: ${reason}`),
      ['B-1: kind "Bill"', 'B-2: kind "in_invoice"']
    )
  })

  it.effect("does not turn a payment into an invoice unless the column map states so", function* () {
    const { documents } = yield* read(table(`Kind,${header}`, `Payment,${row("P-1")}`))
    assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_KIND_UNKNOWN"])
  })
})

describe("an unknown kind of a layout that has several names for its number", () => {
  it.effect("is what the operator answers", function* () {
    const text = table(
      "Number,Invoice Partner Display Name,Invoice/Bill Date,Currency,Type,Status,Invoice lines/Label,Invoice lines/Quantity,Invoice lines/Unit Price,Invoice lines/Taxes,Invoice lines/Subtotal",
      "I-1,Moyo,2026-02-03,USD,Pledge,Posted,Lamp,1,10.00,VAT 15%,10.00"
    )
    assert.deepStrictEqual(found(yield* read(text)), [["I-1", "CSV_KIND_UNKNOWN"]])
    const answered = yield* read(text, { columns: { version: 1, kinds: { Pledge: "invoice" } } })
    assert.deepStrictEqual(found(answered), [["I-1"]])
  })
})

describe("an unknown kind in one row of a document", () => {
  const text = table(
    `Kind,${header}`,
    `Pledge,${row("1")}`,
    `Invoice,${row("1", { text: "Lamp" })}`,
    `Pledge,${row("2")}`
  )

  it.effect("that has another kind in another row has no answer, because none would help", function* () {
    const { documents } = yield* read(text)
    const answers = documents.map(({ findings }) => findings.flatMap(({ answers = [] }) => answers).length)
    assert.deepStrictEqual(answers, [0, 3])
  })

  it.effect("is refused only for its two kinds, after the answer for the other documents", function* () {
    const sorted = yield* read(text, { columns: { version: 1, kinds: { Pledge: "skip" } } })
    assert.deepStrictEqual(found(sorted), [["1", "CSV_HEADER_CONFLICT"]])
    assert.deepStrictEqual(
      sorted.skipped.map(({ key }) => key),
      ["2"]
    )
  })

  it.effect("is never to be skipped while two columns of states disagree", function* () {
    const stated = table(`Kind,Status,State,${header}`, `Pledge,Paid,Draft,${row("1")}`)
    const columns = { version: 1, columns: { status: ["Status", "State"] } } as const
    const meant = (yield* read(stated, { columns })).documents.flatMap(({ findings }) =>
      findings.flatMap(({ answers = [], code }) => (code === "CSV_KIND_UNKNOWN" ? answers : []))
    )
    assert.deepStrictEqual(meant, [
      { map: { version: 1, kinds: { Pledge: "invoice" } } },
      { map: { version: 1, kinds: { Pledge: "credit-note" } } }
    ])
  })
})

describe("a row without a number before every document", () => {
  it.effect("is asked about without the layout that the file has", function* () {
    const text = table(header, row("").replace(/^[^,]*/, ""), row("1"))
    const asked = (columns?: { readonly version: 1; readonly layout: "continuation" }) =>
      Effect.map(read(text, { ...(columns && { columns }) }), ({ findings }) =>
        findings.flatMap(({ answers = [], code }) => (code === "CSV_KEY_MISSING" ? answers : []))
      )
    assert.deepStrictEqual(yield* asked(), [
      { map: { version: 1, layout: "continuation" } },
      { settings: { unnumberedRows: "skip" } }
    ])
    assert.deepStrictEqual(yield* asked({ version: 1, layout: "continuation" }), [
      { settings: { unnumberedRows: "skip" } }
    ])
  })
})

describe("a buyer or an item that is only the mark of a document that is not issued", () => {
  const text = table(header, row("1", { name: "VOID" }), row("2", { text: "** Cancelled **" }), row("3"))
  const questions = ["CSV_STATUS_UNKNOWN"]

  it.effect("is asked about, and its document refused", function* () {
    assert.deepStrictEqual(found(yield* read(text)), [["1", ...questions], ["2", ...questions], ["3"]])
  })

  it.effect("is what the operator answers", function* () {
    const statuses = { VOID: "issued", "** Cancelled **": "skip" } as const
    const sorted = yield* read(text, { columns: { version: 1, statuses } })
    assert.deepStrictEqual(found(sorted), [["1"], ["3"]])
    assert.deepStrictEqual(
      sorted.skipped.map(({ reason }) => reason),
      ['item "** Cancelled **"']
    )
  })
})

describe("the status of a row", () => {
  const stated = read(
    table(
      `Status,${header}`,
      `Draft,${row("1")}`,
      `Voided,${row("2")}`,
      `Cancelled,${row("3")}`,
      `Paid,${row("4")}`,
      `Maybe,${row("5")}`
    )
  )

  it.effect("skips drafts, voids and cancelled documents", function* () {
    const { skipped } = yield* stated
    assert.deepStrictEqual(
      skipped.map(({ key }) => key),
      ["1", "2", "3"]
    )
  })

  it.effect("refuses its document if the status is unknown", function* () {
    assert.deepStrictEqual(found(yield* stated), [["4"], ["5", "CSV_STATUS_UNKNOWN"]])
  })
})

describe("a credit note", () => {
  const negative = table(header, row("1", { qty: "-1", amount: "-10.00", total: "-10.00" }))

  it.effect("is not made by a negative total alone; the total is stated as it is", function* () {
    const { documents } = yield* read(negative)
    assert.strictEqual(documents[0]!.kind, "invoice")
    assert.strictEqual(plainly(documents[0]!.totals.total), "-10")
  })

  it.effect("is made by a negative total if the operator chooses so", function* () {
    const { documents } = yield* read(negative, { settings: { negativeTotals: "credit-note" } })
    assert.strictEqual(documents[0]!.kind, "credit-note")
  })

  it.effect("is made by negative lines without a total if the operator chooses so", function* () {
    const { documents } = yield* read(table(header, row("1", { qty: "-1", amount: "-10.00", total: "" })), {
      settings: { negativeTotals: "credit-note" }
    })
    assert.strictEqual(documents[0]!.kind, "credit-note")
  })

  it.effect("is asked about if nothing but its number states the kind", function* () {
    const stated = (content: string, settings: object = {}) =>
      Effect.map(read(content, { settings }), ({ documents }) =>
        documents.map(({ kind, number, words = [] }) => [
          number,
          kind,
          ...words.map(({ means, text }) => [text, means])
        ])
      )
    const numbered = table(header, row("INV-1"), row("CN-2"), row("INV-3-CR"), row("CNC 4"))
    assert.deepStrictEqual(yield* stated(numbered), [
      ["INV-1", "invoice"],
      ["CN-2", "invoice", ["CN", "credit-note"]],
      ["INV-3-CR", "invoice", ["CR", "credit-note"]],
      ["CNC 4", "invoice"]
    ])
    const [, second] = yield* stated(numbered, { creditNotePrefixes: ["CN"] })
    assert.deepStrictEqual(second, ["CN-2", "credit-note"])
    assert.deepStrictEqual((yield* stated(numbered, { kind: "invoice" })).flat(2).includes("credit-note"), false)
    assert.deepStrictEqual(yield* stated(table(`Kind,${header}`, `Invoice,${row("CN-2")}`)), [["CN-2", "invoice"]])
  })

  it.effect("is recognized by its number prefix if the operator names one", function* () {
    const { documents } = yield* read(table(header, row("CN-1")), { settings: { creditNotePrefixes: ["CN-"] } })
    assert.strictEqual(documents[0]!.kind, "credit-note")
  })
})

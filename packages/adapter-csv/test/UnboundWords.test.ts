import { assert, describe, it } from "../../core/test/It.ts"
import { BigDecimal, Effect } from "effect"
import { header, row, table } from "./PlainTable.ts"
import { read } from "./Sample.ts"

describe("an unread column with a known name", () => {
  it.effect("is stated as a word of its document, with its cell and the way to settle it", function* () {
    const { documents } = yield* read(table(`${header},Voided`, `${row("1")},yes`, `${row("2")},`))
    const [first, second] = documents
    assert.deepStrictEqual(first!.words, [
      {
        subject: "unissued",
        name: "Voided",
        text: "yes",
        answers: [
          { map: { version: 1, columns: { cancelled: "Voided" } } },
          { map: { version: 1, unread: ["Voided"] } }
        ]
      }
    ])
    assert.strictEqual(first!.where(["words", 0]).columnName ?? first!.where(["words", 0]).text, "Voided")
    assert.isUndefined(second!.words)
  })

  it.effect("is a buyer column if the column map does not have one", function* () {
    const { documents } = yield* read("No,Day,Client,What,Pieces,Each\r\n1,2026-03-02,Ada,Pen,1,10.00\r\n", {
      columns: {
        version: 1,
        columns: { number: "No", date: "Day", description: "What", quantity: "Pieces", unitPrice: "Each" }
      },
      settings: { amounts: "exclusive", currency: "USD" }
    })
    assert.deepStrictEqual(
      documents[0]!.words?.map(({ answers, subject, text }) => [subject, text, answers?.[0]]),
      [["buyer-name", "Ada", { map: { version: 1, columns: { customerName: "Client" } } }]]
    )
  })

  it.effect("is skipped if the column map lists it as unread", function* () {
    const { documents } = yield* read(table(`${header},Voided`, `${row("1")},yes`), {
      columns: { version: 1, unread: ["Voided"] }
    })
    assert.isUndefined(documents[0]!.words)
  })

  it.effect("is one of several columns of a name, by its place among them", function* () {
    const twice = (unread: ReadonlyArray<string | { readonly column: string; readonly nth: number }>) =>
      read("No,Day,What,Qty,Each,Qty,Void,Void\n1,2026-03-02,Pen,2,10.00,7,yes,no\n", {
        columns: {
          version: 1,
          columns: {
            number: "No",
            date: "Day",
            description: "What",
            quantity: { column: "Qty", nth: 1 },
            unitPrice: "Each"
          },
          unread
        },
        settings: { amounts: "exclusive", currency: "USD" }
      })
    const second = { column: "Void", nth: 2 }
    const [document] = (yield* twice([{ column: "Qty", nth: 2 }, second])).documents
    assert.deepStrictEqual(
      document!.words?.map(({ answers, text }) => [text, answers?.[0]]),
      [["yes", { map: { version: 1, columns: { cancelled: { column: "Void", nth: 1 } } } }]]
    )
    assert.strictEqual(BigDecimal.format(document!.lines[0]!.quantity!), "2")
    assert.deepStrictEqual(document!.amounts ?? [], [])
    const { reason } = yield* Effect.flip(twice(["Qty", "Void"]))
    assert.include(JSON.stringify(reason), "is read and unread")
  })

  it.effect("has the meaning that the column map gives to its words", function* () {
    const { documents } = yield* read(table(`${header},State`, `${row("1")},Parked`), {
      columns: { version: 1, statuses: { Parked: "skip" } }
    })
    assert.deepStrictEqual(
      documents[0]!.words?.map(({ means }) => means),
      ["skip"]
    )
  })

  it.effect("is stated again if a later row of the document has another value", function* () {
    const { documents } = yield* read(
      table(`${header},State`, `${row("1")},Paid`, `${row("1")},Paid`, `${row("1")},Void`)
    )
    assert.deepStrictEqual(
      documents[0]!.words?.map(({ text }) => text),
      ["Paid", "Void"]
    )
  })
})

describe("two status columns of one layout", () => {
  const erpnext =
    "ID,Date,Currency,Customer Name,Is Return (Credit Note),Return Against,Status,Docstatus,Quantity (Items),Rate (Items),Amount (Items),Item Tax Template (Items)"
  const of = (status: string, docstatus: string) =>
    read(`${erpnext}\r\nS-1,2026-03-02,USD,Kestrel,0,,${status},${docstatus},1,10.00,10.00,VAT\r\n`, {
      settings: { amounts: "exclusive" }
    })

  it.effect.each([
    ["Paid", "2"],
    ["Cancelled", "1"],
    ["Paid", "0"],
    ["Draft", "Submitted"]
  ])("refuse the document if they disagree: %s and %s", ([status, docstatus]) =>
    Effect.gen(function* () {
      const { documents, skipped } = yield* of(status!, docstatus!)
      assert.strictEqual(skipped.length, 0)
      assert.deepStrictEqual(
        documents.flatMap(({ findings }) => findings.map(({ code }) => code)),
        ["CSV_COLUMNS_DISAGREE"]
      )
    })
  )

  it.effect.each([
    ["Paid", "1", 1],
    ["Cancelled", "2", 0],
    ["Draft", "0", 0],
    ["Cancelled", "0", 0]
  ] as const)("decide together if they agree: %s and %s", ([status, docstatus, sent]) =>
    Effect.gen(function* () {
      const { documents } = yield* of(status, docstatus)
      assert.strictEqual(documents.filter(({ findings }) => findings.length === 0).length, sent)
    })
  )
})

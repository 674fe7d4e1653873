import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { found, header, numbers, row, table } from "./PlainTable.ts"
import { question, read, answerText } from "./Sample.ts"

describe("lines outside the table", () => {
  it.effect(
    "are no documents: titles are named, blank rows, repeated headers and empty columns state nothing",
    function* () {
      const text = `Sales 2026\nprinted on Monday,by Ada\n\n${header},,\n${row("1")},,\n\n,,,,,,,,,,,\n${header},,\n${row("2")},,\n`
      const sorted = yield* read(text)
      assert.deepStrictEqual(numbers(sorted), ["1", "2"])
      assert.deepStrictEqual(
        sorted.findings.map(({ message }) => message),
        ['not read: row outside the table "Sales 2026", row outside the table "printed on Monday by Ada"']
      )
      assert.strictEqual(sorted.documents[0]!.where([]).line, 5)
    }
  )

  it.effect("are remarks of several words alone in a row, which refuse no document, and never a number", function* () {
    const remarked = (remark: string) =>
      Effect.map(read(`${header}\n${remark}\n${row("1")}\n${row("2")}\n${remark}\n`), (sorted) => [
        numbers(sorted).length,
        ...sorted.documents.flatMap(({ findings }) => findings.map(({ code }) => code)),
        ...sorted.findings.map(({ code }) => code)
      ])
    for (const remark of ["End of report", "Printed on 03/02/2026 10:15", "Harare branch", "Page 1 of 1"])
      assert.deepStrictEqual(yield* remarked(remark), [2, "STATEMENTS_NOT_READ"], remark)
    const padded = `Harare branch${",".repeat(header.split(",").length - 1)}`
    assert.deepStrictEqual(yield* remarked(padded), [2, "STATEMENTS_NOT_READ"])
    for (const remark of ["All amounts in EUR", "Prices incl. VAT"]) {
      const { documents } = yield* read(`${header}\n${row("1")}\n${row("2")}\n${remark}\n`)
      const words = documents.map(({ words = [] }) => words.map(({ name }) => name))
      assert.deepStrictEqual(words, [[remark], [remark]])
    }
    for (const part of ["INV-9", "Total", "Rest"]) assert.include(yield* remarked(part), "CSV_ROW_WIDTH", part)
  })
})

describe("a row without a number, quantity and price", () => {
  const columns = {
    version: 1,
    layout: "continuation",
    columns: { number: "Nr", date: "Day", description: "What", quantity: "Qty", unitPrice: "Price", lineAmount: "Sum" },
    settings: { amounts: "exclusive", currency: "USD", dates: "ymd", contents: { "no-kinds": "invoices" } }
  } as const
  const rows =
    "Nr,Day,What,Qty,Price,Sum\n1,2026-03-02,Pen,2,10.00,20.00\n,,Cap,1,5.00,5.00\n2,2026-03-03,Pen,1,10.00,10.00\n"
  const linesOf = (last: string, totalRows?: "skip") =>
    Effect.map(read(`${rows}${last}`, { columns, ...(totalRows && { settings: { totalRows } }) }), (sorted) => ({
      codes: sorted.findings.map(({ code }) => code),
      lines: sorted.documents.map(({ lines }) => lines.length)
    }))

  it.effect(
    "is asked about if it sums all rows above it, whatever its text, and is never a line in silence",
    function* () {
      assert.deepStrictEqual(yield* linesOf(",,Razem,,,35.00\n"), { codes: ["CSV_TOTAL_ROW_UNSURE"], lines: [2, 1] })
      const skipped = yield* linesOf(",,Razem,,,35.00\n", "skip")
      assert.deepStrictEqual(skipped.lines, [2, 1])
      assert.notInclude(skipped.codes, "CSV_TOTAL_ROW_UNSURE")
    }
  )

  it.effect("is passed if it begins with the name of a subtotal, and sums the rows above it", function* () {
    const week = (sum: string) => linesOf(`Subtotal week 1,,,4,,${sum}\n3,2026-03-04,Pen,1,1.00,1.00\n`)
    assert.deepStrictEqual(yield* week("35.00"), { codes: ["CSV_TOTAL_ROWS_PASSED"], lines: [2, 1, 1] })
    assert.deepStrictEqual(yield* week("34.00"), { codes: ["CSV_TOTAL_ROW_UNSURE"], lines: [2, 1, 1] })
  })

  it.effect("is a line if its amount is another one", function* () {
    assert.deepStrictEqual(yield* linesOf(",,Transport,,,34.00\n"), { codes: [], lines: [2, 2] })
  })
})

describe("cells beyond the header", () => {
  const rows = [row("1"), row("2"), row("3", { text: "Box" })]

  it.effect("are allowed if they are blank in all rows", function* () {
    const { documents, findings } = yield* read(table(header, ...rows.map((row) => `${row},`)))
    assert.deepStrictEqual(findings, [])
    assert.strictEqual(documents.length, 3)
  })

  it.effect("refuse a row with one cell too many, even if the other rows have blank cells", function* () {
    const shifted = rows.map((row) => `${row},`.replace("Box", "Box, 5"))
    const { documents, findings } = yield* read(table(`${header},Reason`, ...shifted))
    assert.deepStrictEqual(
      findings.map(({ at, code, detail }) => [code, at?.line, detail]),
      [["CSV_ROW_WIDTH", 4, "12 cells, the header has 11"]]
    )
    assert.strictEqual(documents.length, 2)
  })
})

describe("a damaged row", () => {
  it.effect("loses only its own document: too short, a NUL character, an unterminated quote", function* () {
    const sorted = yield* read(
      table(header, row("1"), "2,2026-01-05,USD", row("3", { text: "a\u0000b" }), row("4", { text: '"open' }), row("5"))
    )
    assert.deepStrictEqual(
      sorted.findings.map(({ at, code }) => [code, at?.line]),
      [
        ["CSV_ROW_WIDTH", 3],
        ["CSV_UNTERMINATED_QUOTE", 5]
      ]
    )
    assert.deepStrictEqual(found(sorted), [["1"], ["3", "CSV_NUL"], ["5"]])
  })
})

describe("the same table", () => {
  const text = table(
    header,
    row("1", { name: '"Jos\u00e9, \u201cNoir\u201d\n& M\u00fcller"' }),
    row("2", { name: "Stra\u00dfe" })
  )
  const wide = Uint8Array.from(Buffer.from(`\ufeff${text}`, "utf16le"))
  const windows = Uint8Array.from(text, (c) => ({ "\u201c": 0x93, "\u201d": 0x94 })[c] ?? c.charCodeAt(0))

  for (const [encoding, variant] of [
    ["UTF-8", text],
    ["UTF-8 with a byte order mark", `\ufeff${text}`],
    ["UTF-8 with the line ends of Windows", text.replaceAll("\n", "\r\n")],
    ["UTF-16, the low byte first", wide],
    ["UTF-16, the high byte first", wide.toReversed().map((_, i) => wide[i ^ 1]!)],
    ["Windows-1252", windows]
  ] as const) {
    it.effect(`gives the same documents in ${encoding}`, function* () {
      const { documents } = yield* read(variant)
      assert.deepStrictEqual(
        documents.map(({ buyer }) => buyer?.name?.replaceAll("\r\n", "\n")),
        ["Jos\u00e9, \u201cNoir\u201d\n& M\u00fcller", "Stra\u00dfe"]
      )
    })
  }

  for (const [delimiter, name] of [
    [";", "a semicolon"],
    ["\t", "a tab"],
    ["|", "a bar"]
  ] as const) {
    const plain = table(header, row("1", { name: "Jos\u00e9" })).replaceAll(",", delimiter)
    for (const [how, variant] of [
      ["", plain],
      [" that its first line names", `sep=${delimiter}\r\n${plain}`],
      [" and lines that end with a carriage return", plain.replaceAll("\n", "\r")]
    ] as const) {
      it.effect(`gives the same documents with ${name} between its cells${how}`, function* () {
        assert.strictEqual((yield* read(variant)).documents[0]!.buyer?.name, "Jos\u00e9")
      })
    }
  }
})

describe("a backslash before a quote", () => {
  const escaped = row("1", { text: '"say \\"hi\\", ok"' })
  const path = { text: '"C:\\dir\\"' }
  const described = (...rows: ReadonlyArray<string>) =>
    Effect.map(read(table(header, ...rows)), ({ documents }) => documents[0]!.lines[0]!.description)

  it.effect("is an escape if only that reading gives sound rows", function* () {
    assert.strictEqual(yield* described(escaped), 'say "hi", ok')
  })

  it.effect("is the last character of the cell if only that reading gives sound rows", function* () {
    assert.strictEqual(yield* described(row("1", path)), "C:\\dir\\")
  })

  it.effect("is asked about if neither reading gives sound rows", function* () {
    const { readings } = yield* question(table(header, escaped, row("2", path)))
    assert.deepStrictEqual(
      readings.map(({ answer }) => answerText(answer)),
      ["quotes doubled", "quotes backslash"]
    )
  })
})

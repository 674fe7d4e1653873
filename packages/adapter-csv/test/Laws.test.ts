/**
 * Proves that no statement of an export is overruled silently; each case includes the operator's
 * next step, to the end.
 */
import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import type { CsvOptions } from "../src/CsvAdapter.ts"
import * as MapFile from "../src/columns/MapFile.ts"
import type { CsvDocument } from "../src/documents/CsvDocument.ts"
import { propose } from "../src/propose/ColumnProposal.ts"
import { file, input, questions, read, answerText } from "./Sample.ts"

const table = (...rows: ReadonlyArray<string>): string => `${rows.join("\n")}\n`

const plain =
  "InvoiceNumber,InvoiceDate,Currency,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,AmountsAre"
const line = (number: string, text = "Pen", amount = "5.00", day = "2026-01-05") =>
  `${number},${day},USD,Ada,${text},1,${amount},${amount},S,exclusive`

const errors = ({ findings }: CsvDocument) =>
  findings.filter(({ severity }) => severity === "error").map(({ code }) => code)

const codes = (text: string, options: CsvOptions = {}) =>
  Effect.map(read(text, options), ({ documents, findings, skipped }) => ({
    documents: documents.map((document) => [document.number, ...errors(document)].join(" ")),
    findings: findings.map(({ code }) => code),
    skipped: skipped.map(({ key, reason }) => `${key}: ${reason}`)
  }))

const shopify =
  "Name,Financial Status,Created at,Lineitem quantity,Lineitem name,Lineitem price,Refunded Amount,Cancelled at,Currency,Total,Billing Name,Tax 1 Name"
const order = (name: string, status: string, refunded = "", cancelled = "") =>
  `${name},${status},2026-01-05 10:00:00 +0200,1,Pen,5.00,${refunded},${cancelled},USD,5.75,Ada,VAT`

describe("the issued status depends on the layout", () => {
  it.effect(
    "a shop order that is cancelled, only authorized, or refunded without an amount is not issued",
    function* () {
      const text = table(
        shopify,
        order("#1", "paid"),
        order("#2", "authorized"),
        order("#3", "paid", "", "2026-01-06 09:00:00 +0200"),
        order("#4", "refunded"),
        order("#5", "partially_refunded", "1.00"),
        order("#6", "Submitted")
      )
      const found = yield* codes(text)
      assert.deepStrictEqual(found.documents, [
        "#1",
        "#4 CSV_REFUND_WITHOUT_NOTE",
        "#5 CSV_REFUND_WITHOUT_NOTE",
        "#6 CSV_STATUS_UNKNOWN"
      ])
      assert.deepStrictEqual(found.skipped, ['#2: status "authorized"', '#3: cancelled "2026-01-06 09:00:00 +0200"'])
    }
  )

  it.effect("the operator can override the statuses of a known layout", function* () {
    const columns = yield* MapFile.load("map.json", '{ "version": 1, "statuses": { "Submitted": "issued" } }')
    const found = yield* codes(table(shopify, order("#6", "Submitted"), order("#7", "authorized")), { columns })
    assert.deepStrictEqual(found.documents, ["#6"])
    assert.deepStrictEqual(found.skipped, ['#7: status "authorized"'])
  })

  it.effect(
    '"Submitted" means issued in a layout that submits documents, and a draft in a layout with approvals',
    function* () {
      const erpnext =
        "ID,Date,Currency,Customer Name,Is Return (Credit Note),Return Against,Status,Quantity (Items),Rate (Items),Amount (Items),Item Tax Template (Items)"
      const found = yield* codes(table(erpnext, "S-1,2026-01-05,USD,Ada,0,,Submitted,1,5.00,5.00,VAT"))
      assert.deepStrictEqual(found.documents, ["S-1"])
      const xero =
        "ContactName,InvoiceNumber,InvoiceDate,Description,Quantity,UnitAmount,LineAmount,TaxType,Currency,Type,Status"
      const waiting = yield* codes(table(xero, "Ada,X-1,2026-01-05,Pen,1,5.00,5.00,VAT,USD,Sales invoice,Submitted"))
      assert.deepStrictEqual(waiting.skipped, ['X-1: status "Submitted"'])
    }
  )

  it.effect(
    "an issued document with an error mark is refused; a mark with the value false has no effect",
    function* () {
      const text = table(`${plain},Status,Error`, `${line("1")},Issued,Timeout`, `${line("2")},Issued,false`)
      assert.deepStrictEqual((yield* codes(text)).documents, ["1 CSV_MARKED_FAILED", "2"])
    }
  )

  it.effect("a row of received money is skipped, with a warning that it may hide a sale", function* () {
    const { skipped } = yield* codes(table(`${plain},Kind`, `${line("1")},Receipt`))
    assert.deepStrictEqual(skipped, ['1: kind "Receipt": money received; a cash sale under this name is left out, too'])
    const kinds = yield* MapFile.load(
      "map.json",
      '{ "version": 1, "base": "plain", "columns": { "kind": "Kind" }, "kinds": { "Receipt": "invoice" } }'
    )
    assert.deepStrictEqual(
      (yield* codes(table(`${plain},Kind`, `${line("1")},Receipt`), { columns: kinds })).documents,
      ["1"]
    )
  })
})

describe("several states of one document", () => {
  const states = (...rows: ReadonlyArray<string>) => table(`${plain},Status,ModifiedAt`, ...rows)

  it.effect("with change times: the latest state is used, at any position in the file", function* () {
    const text = states(
      `${line("1", "Pen", "7.00")},Issued,2026-01-07 10:00:00`,
      `${line("1", "Pen", "5.00")},Draft,2026-01-06 10:00:00`,
      `${line("2")},Issued,2026-01-06 10:00:00`,
      `${line("2")},Void,2026-01-07 10:00:00`
    )
    const { documents, skipped } = yield* read(text)
    const [document] = documents
    assert.deepStrictEqual(
      document!.findings.map(({ code }) => code),
      ["CSV_EARLIER_STATEMENT"]
    )
    assert.strictEqual(formatPlain(document!.lines[0]!.lineAmount!), "7")
    assert.deepStrictEqual(
      skipped.map(({ cancelled, key }) => [key, cancelled?.number]),
      [["2", "2"]]
    )
  })

  it.effect("without change times, or with equal times: the document is refused with all its states", function* () {
    const equal = states(`${line("1")},Issued,2026-01-06`, `${line("1", "Ink")},Void,2026-01-06 `)
    assert.include((yield* codes(equal)).documents[0], "CSV_HEADER_CONFLICT")
    const unsaid = table(`${plain},Status`, `${line("1")},Draft`, `${line("1", "Ink")},Issued`)
    const found = yield* codes(unsaid)
    assert.deepStrictEqual(found.skipped, [])
    assert.include(found.documents[0], "CSV_HEADER_CONFLICT")
    const same = states(`${line("1")},Issued,2026-01-06T10:00`, `${line("1", "Ink")},Issued,2026-01-06 10:00`)
    assert.include((yield* codes(same)).documents[0], "CSV_STATEMENTS_CONTRADICT")
  })
})

describe("a buyer without a name", () => {
  it.effect("but with an id is refused as unknown, unless the operator chooses walk-in", function* () {
    const text = table(`${plain},CustomerID`, `${line("1").replace("Ada", "")},C-7`, `${line("2").replace("Ada", "")},`)
    assert.deepStrictEqual((yield* codes(text)).documents, ["1 CSV_BUYER_UNKNOWN", "2"])
    const walkIn = yield* codes(text, { settings: { unknownBuyers: "walk-in" } })
    assert.deepStrictEqual(walkIn.documents, ["1", "2"])
  })
})

describe("two buyers with the same id", () => {
  it.effect("refuse all documents of this id, and no others", function* () {
    const text = table(
      `${plain},CustomerID`,
      `${line("1")},C-7`,
      `${line("2").replace("Ada", "Bert")},C-7`,
      `${line("3")},C-8`,
      `${line("4").replace("Ada", "")},C-7`
    )
    const found = yield* codes(text)
    assert.deepStrictEqual(found.documents, [
      "1 CSV_BUYERS_DIFFER",
      "2 CSV_BUYERS_DIFFER",
      "3",
      "4 CSV_BUYERS_DIFFER CSV_BUYER_UNKNOWN"
    ])
  })
})

describe("a row that is not a line", () => {
  it.effect(
    "totals and subtotals that equal the sum of the lines above are skipped, in the lines or below",
    function* () {
      const text = table(
        plain,
        line("1", "Pen", "5.00"),
        line("1", "Ink", "7.00"),
        "1,2026-01-05,USD,Ada,Subtotal,,,12.00,,exclusive",
        line("2", "Total Care plan", "9.00"),
        "Grand total,,,,,,,21.00,,",
        "Page 1 of 1,,,,,,,,,"
      )
      const { documents, findings } = yield* read(text)
      assert.deepStrictEqual(
        documents.map(({ findings, lines, number }) => [number, lines.length, ...findings.map(({ code }) => code)]),
        [
          ["1", 2, "CSV_TOTAL_ROWS_PASSED"],
          ["2", 1]
        ]
      )
      assert.deepStrictEqual(
        findings.map(({ code, detail }) => [code, detail]),
        [["CSV_TOTAL_ROWS_PASSED", "2 rows, the first of them here"]]
      )
    }
  )

  it.effect(
    "a total that differs from its lines is refused with the arithmetic, until the operator decides",
    function* () {
      const text = table(plain, line("1"), line("1", "Total", "8.00"))
      const [document] = (yield* read(text)).documents
      const [finding] = document!.findings
      assert.strictEqual(finding!.code, "CSV_TOTAL_ROW_UNSURE")
      assert.strictEqual(finding!.detail, '"Total" says 8.00, the lines above it come to 5.00')
      assert.deepStrictEqual(finding!.answers?.map(answerText), ["totalRows skip", "totalRows lines"])
      const lines = (totalRows: "skip" | "lines") =>
        Effect.map(read(text, { settings: { totalRows } }), ({ documents }) => documents[0]!.lines.length)
      assert.deepStrictEqual([yield* lines("skip"), yield* lines("lines")], [1, 2])
    }
  )

  it.effect(
    "consecutive page footers are skipped in every language; a footer out of sequence is asked about",
    function* () {
      for (const [first, second] of [
        ["Page 1 of 2", "Page 2 of 2"],
        ["Página 1 de 2", "Página 2 de 2"],
        ["Pa\u0301gina 1 de 2", "Pa\u0301gina 2 de 2"],
        ["Seite 1 von 2", "Seite 2 von 2"],
        ["Page 1/2", "Page 2/2"]
      ] as const) {
        const rest = ",".repeat(9)
        const text = table(plain, line("1"), first + rest, line("2"), second + rest)
        const found = yield* codes(text)
        assert.deepStrictEqual(found, { documents: ["1", "2"], findings: ["CSV_TOTAL_ROWS_PASSED"], skipped: [] })
        const turned = table(plain, line("1"), second + rest, line("2"), first + rest)
        assert.include((yield* codes(turned)).findings, "CSV_TOTAL_ROW_UNSURE")
      }
    }
  )

  it.effect("a total row with an accent in its name is skipped, and asked about if the sum differs", function* () {
    for (const name of ["Übertrag", "U\u0308bertrag", "Total à payer", "Total général"]) {
      const comesOut = yield* codes(table(plain, line("1"), `${name},,,,,,,5.00,,`))
      assert.deepStrictEqual(comesOut, { documents: ["1"], findings: ["CSV_TOTAL_ROWS_PASSED"], skipped: [] }, name)
      const off = yield* codes(table(plain, line("1"), `${name},,,,,,,8.00,,`))
      assert.include(off.findings, "CSV_TOTAL_ROW_UNSURE", name)
    }
  })

  it.effect("a total row that states only the documents' totals is skipped if it is their sum", function* () {
    const rows = [`${line("1")},11.50`, `${line("1")},11.50`, `${line("2")},5.75`]
    const footed = (sum: string) => codes(table(`${plain},Total`, ...rows, `Total,,,,,,,,,,${sum}`))
    assert.deepStrictEqual((yield* footed("17.25")).findings, ["CSV_TOTAL_ROWS_PASSED"])
    assert.include((yield* footed("28.75")).findings, "CSV_TOTAL_ROW_UNSURE")
  })

  it.effect("a repeated header is skipped; the same columns in another order begin another table", function* () {
    const again = yield* codes(table(plain, line("1"), plain, line("2")))
    assert.deepStrictEqual(again, { documents: ["1", "2"], findings: [], skipped: [] })
    const turned = plain.split(",").toReversed().join(",")
    const error = yield* Effect.flip(read(table(plain, line("1"), turned, line("2"))))
    assert.include(error.message, "line 3 is the header again, with its columns in another order")
  })

  it.effect("two rows with the same line id and different values refuse the document", function* () {
    const text = table(`${plain},LineID`, `${line("1")},a`, `${line("1", "Pen", "6.00")},a`, `${line("2")},a`)
    assert.deepStrictEqual((yield* codes(text)).documents, ["1 CSV_LINE_ID_TWICE", "2"])
  })

  it.effect("several lines in a single cell are refused with the code for packed lines", function* () {
    const packed = '"name:Pen|quantity:2|total:5.00;name:Ink|quantity:1|total:7.00"'
    assert.deepStrictEqual((yield* codes(table(plain, line("1", packed)))).documents, ["1 CSV_LINES_PACKED"])
  })
})

describe("document numbers contain visible characters only", () => {
  for (const hidden of ["\u200b", "\u00ad", "\u00a0", "\u202f", "\ufeff"]) {
    const name = `U+${hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`
    it.effect(`a number with ${name} is refused, and its rows are one document`, function* () {
      const { documents } = yield* read(table(plain, line(`A-${hidden}1`), line(`A-${hidden}1`, "Ink")), {
        settings: { encoding: "utf-8" }
      })
      assert.strictEqual(documents.length, 1)
      assert.deepStrictEqual(errors(documents[0]!), ["CSV_HIDDEN_CHARACTER"])
      assert.include(documents[0]!.findings[0]!.message, name)
    })
  }

  it.effect("a control character in a text is refused, or read as a blank if the operator chooses so", function* () {
    const text = table(plain, line("1", "Pen\u000bblue"))
    assert.deepStrictEqual((yield* codes(text)).documents, ["1 CSV_CONTROL_CHARACTER"])
    const { documents } = yield* read(text, { settings: { controlCharacters: "blank" } })
    assert.strictEqual(documents[0]!.lines[0]!.description, "Pen blue")
  })
})

describe("a damaged cell of a document", () => {
  for (const [column, damaged] of [
    ["ModifiedAt", "2026-01-06T10:00\u000b:00Z"],
    ["Status", "issued\u000b"]
  ] as const) {
    it.effect(`is reported once, however often its value is read: ${column}`, function* () {
      const [document] = (yield* read(table(`${plain},${column}`, `${line("1")},${damaged}`))).documents
      const controls = document!.findings.filter(({ code }) => code === "CSV_CONTROL_CHARACTER")
      assert.strictEqual(controls.length, 1)
    })
  }
})

describe("a document date is a day, not a time", () => {
  const xero =
    "ContactName,InvoiceNumber,InvoiceDate,Description,Quantity,UnitAmount,LineAmount,TaxType,Currency,Type,Status"
  const dated = (day: string) => table(xero, `Ada,X-1,${day},Pen,1,5.00,5.00,VAT,USD,Sales invoice,Paid`)

  for (const time of ["2026-01-05T22:00:00Z", "2026-01-05 00:00:00+00:00", "2026-01-05T23:30:00-05:00"]) {
    it.effect(`${time} is refused in a layout without times, until the operator chooses the day`, function* () {
      assert.deepStrictEqual((yield* codes(dated(time))).documents, ["X-1 CSV_DATE_HAS_TIME"])
      const { documents } = yield* read(dated(time), { settings: { times: "written-day" } })
      assert.equal<unknown>(documents[0]!.date, "2026-01-05")
      assert.deepStrictEqual((yield* codes(dated(time), { settings: { times: "instant" } })).documents, ["X-1"])
    })
  }

  it.effect("two dates of one document that differ by a day refuse it; a due date may differ", function* () {
    const text = table(
      `${plain},Date,DueDate`,
      `${line("1")},2026-01-06,2026-01-06`,
      `${line("2")},2026-01-05,2026-01-06`
    )
    assert.deepStrictEqual((yield* codes(text)).documents, ["1 CSV_DATES_DIFFER", "2"])
  })
})

describe("every part of a file is accounted for", () => {
  it.effect("a header without rows is read, and gives no documents", function* () {
    assert.deepStrictEqual(yield* codes(`${plain}\n`), { documents: [], findings: [], skipped: [] })
  })

  for (const [what, header] of [
    ["list of quotations", "Quote Number,Quote Date,Customer Name,Item Name,Quantity,Item Price"],
    ["list of orders", "SalesOrder Number,Order Date,Customer Name,Item Name,Quantity,Item Price"],
    ["list of payments received", "Payment Number,Date,Customer Name,Amount"]
  ] as const) {
    it.effect(`a ${what} is refused with its file type, by the reader and by the proposal`, function* () {
      const error = yield* Effect.flip(read(`${header}\n`))
      assert.include(error.message, `this looks like a ${what}`)
      assert.include((yield* Effect.flip(propose(file(`${header}\n`)))).message, what)
    })
  }

  describe("a column of amounts that the column map does not mention", () => {
    const map = (columns: string, more = "") =>
      MapFile.load(
        "map.json",
        `{ "version": 1, "columns": { "number": "No", "date": "Day", "description": "Text", "quantity": "Pieces", "unitPrice": "Each", ${columns} }, "settings": { "currency": "USD", "amounts": "exclusive" }${more} }`
      )
    const text = "No,Day,Text,Pieces,Each,VAT,Tax Amount,Grand Total\n1,2026-01-05,Pen,1,5.00,S,0.75,5.75\n"

    it.effect("is asked about, with both answers in the form of the column map", function* () {
      const asked = yield* questions(text, { columns: yield* map('"taxes": [{ "code": "VAT" }]') })
      assert.deepStrictEqual(
        asked.map(({ id, readings }) => [id, readings.map(({ answer, id: reading }) => [reading, answer])]),
        [
          [
            "column Tax Amount",
            [
              ["tax.amount", { map: { columns: { taxes: [{ code: "VAT", amount: "Tax Amount" }] } } }],
              ["unused", { map: { unread: ["Tax Amount"] } }]
            ]
          ],
          [
            "column Grand Total",
            [
              ["total", { map: { columns: { total: "Grand Total" } } }],
              ["unused", { map: { unread: ["Grand Total"] } }]
            ]
          ]
        ]
      )
      assert.include(asked[0]!.question, 'says nothing of "Tax Amount"')
    })

    const quickbooks =
      "InvoiceNo,Customer,InvoiceDate,DueDate,Item(Product/Service),ItemQuantity,ItemRate,ItemAmount,Item Tax Code,Currency,Grand Total"
    const sale = "I-1,Ada,2026-01-05,2026-02-05,Pen,1,5.00,5.00,S,USD,9.00"

    it.effect(
      "is read in a known layout that has no other column for it, unless the map lists it as unread",
      function* () {
        const { documents } = yield* read(table(quickbooks, sale))
        assert.strictEqual(formatPlain(documents[0]!.totals.total!), "9")
        const columns = yield* MapFile.load("map.json", '{ "version": 1, "unread": ["Grand Total"] }')
        assert.deepStrictEqual((yield* read(table(quickbooks, sale), { columns })).documents[0]!.totals, {})
      }
    )

    it.effect("is reported if its name fits more than one amount of a known layout", function* () {
      const ninja = "Client,Invoice Number,Amount,Status,Invoice Date,Item Product,Item Cost,Item Quantity,Item Total"
      const { findings } = yield* read(table(ninja, "Ada,1,5.00,Paid,2026-01-05,Pen,5.00,1,5.00"), {
        settings: { currency: "USD" }
      })
      assert.deepStrictEqual(
        findings.map(({ code }) => code),
        ["STATEMENTS_NOT_READ"]
      )
    })
  })
})

describe("two columns mapped to one field", () => {
  const map = (columns: string) =>
    MapFile.load(
      "map.json",
      `{ "version": 1, "columns": { "number": "No", "date": "Day", "description": ["Text", "Item"], ${columns} }, "settings": { "currency": "USD", "amounts": "exclusive" } }`
    )
  const head = "No,Day,Text,Item,Pieces,Each,List,Code,Key"
  const priced = '"quantity": "Pieces", "unitPrice": ["Each", "List"], "taxes": [{ "code": "Code" }]'

  it.effect("refuse the document if both have values that differ", function* () {
    const columns = yield* map(priced)
    const found = yield* codes(
      table(
        head,
        "1,2026-01-05,Pen,Blue,2,5.00,50.00,S,",
        "2,2026-01-05,Pen,Blue,2,5.00,5,S,",
        "3,2026-01-05,Pen,Blue,2,,5.00,S,"
      ),
      { columns }
    )
    assert.deepStrictEqual(found.documents, ["1 CSV_COLUMNS_DISAGREE", "2", "3"])
  })

  it.effect("are both named in the finding", function* () {
    const { documents } = yield* read(table(head, "1,2026-01-05,Pen,Blue,2,5.00,50.00,S,"), {
      columns: yield* map(priced)
    })
    const [finding] = documents[0]!.findings
    assert.strictEqual(finding!.detail, '"5.00" in "Each", "50.00" in "List"')
    assert.deepStrictEqual([finding!.path, finding!.at!.line], [["lines", 0, "unitPrice"], 2])
  })

  it.effect("are compared for every field except free text: tax, percent, identifier", function* () {
    const columns = yield* map('"quantity": "Pieces", "unitPrice": "Each", "taxes": [{ "code": ["Code", "Key"] }]')
    const text = table(head, "1,2026-01-05,Pen,Blue,2,5.00,,S,Z", "2,2026-01-05,Pen,Blue,2,5.00,,S, S")
    assert.deepStrictEqual((yield* codes(text, { columns })).documents, ["1 CSV_COLUMNS_DISAGREE", "2"])
    const keyed = yield* map(`"id": ["Key", "Code"], ${priced}`)
    const ids = table(head, "1,2026-01-05,Pen,Blue,2,5.00,,S,A1")
    assert.deepStrictEqual((yield* codes(ids, { columns: keyed })).documents, ["1 CSV_COLUMNS_DISAGREE"])
  })
})

describe("a stated sum", () => {
  const shop = (subtotal: string, tax1: string, tax2 = "") =>
    table(
      "Name,Financial Status,Created at,Lineitem quantity,Lineitem name,Lineitem price,Refunded Amount,Currency,Subtotal,Taxes,Total,Discount Amount,Billing Name,Tax 1 Name,Tax 1 Value,Tax 2 Value",
      `#1,paid,2026-01-05 10:00:00 +0200,2,Pen,16.00,,USD,${subtotal},7.05,54.05,5.00,Ada,VAT,${tax1},${tax2}`,
      "#1,,2026-01-05 10:00:00 +0200,1,Tray,20.00,,,,,,,,,,"
    )

  it.effect("must equal the sum of its parts, or the document is refused with the arithmetic", function* () {
    assert.deepStrictEqual((yield* codes(shop("47.00", "7.05"))).documents, ["#1"])
    assert.deepStrictEqual((yield* codes(shop("47.00", "5.00", "2.05"))).documents, ["#1"])
    const { documents } = yield* read(shop("40.00", "5.00", "2.00"))
    assert.deepStrictEqual(
      documents[0]!.findings.map(({ code, detail }) => [code, detail]),
      [
        ["CSV_SUMS_DIFFER", "lines come to 52.00, less its discount 47.00, stated 40.00"],
        ["CSV_SUMS_DIFFER", "taxes 5.00 + 2.00 = 7.00, tax of the document 7.05"]
      ]
    )
  })

  const erp = (taxes: ReadonlyArray<string>, totals: string) =>
    table(
      "ID,Date,Currency,Customer Name,Is Return (Credit Note),Return Against,Status,Net Total,Grand Total,Quantity (Items),Rate (Items),Amount (Items),Item Tax Template (Items),Amount (Sales Taxes and Charges)",
      `S-1,2026-01-05,USD,Ada,0,,Paid,${totals},1,5.00,5.00,VAT,${taxes[0]}`,
      ...taxes.slice(1).map((tax) => `,,,,,,,,,,,,,${tax}`)
    )

  it.effect(
    "is compared with the rows of a tax table, and the table gives the document's tax if it is not stated",
    function* () {
      assert.deepStrictEqual((yield* codes(erp(["0.50", "0.25"], "5.00,5.75"))).documents, ["S-1"])
      assert.deepStrictEqual((yield* codes(erp(["0.50", "0.50"], "5.00,5.75"))).documents, ["S-1 CSV_SUMS_DIFFER"])
      const { documents } = yield* read(erp(["0.50", "0.25"], ",5.75"))
      assert.strictEqual(formatPlain(documents[0]!.totals.tax!), "0.75")
    }
  )
})

describe("documents with and without included tax in one file", () => {
  const mixed = table(
    "InvoiceNumber,InvoiceDate,Currency,CustomerName,Description,Quantity,UnitPrice,TaxCode,TotalTax,Total",
    "1,2026-01-05,USD,Ada,Pen,1,11.50,S,1.50,11.50",
    "2,2026-01-05,USD,Ada,Pen,1,10.00,S,1.50,11.50",
    "3,2026-01-05,USD,Ada,Pen,1,10.00,Z,0.00,10.00",
    "4,2026-01-05,USD,Ada,Pen,1,10.80,S,1.50,11.50"
  )

  it.effect(
    "are distinguished by their totals if the operator chooses so; unclear documents stay unstated",
    function* () {
      const { documents } = yield* read(mixed, { settings: { amounts: "per-document" } })
      assert.deepStrictEqual(
        documents.map(({ taxMode }) => taxMode),
        ["inclusive", "exclusive", "exclusive", "unstated"]
      )
    }
  )
})

describe("the ledger account of a line", () => {
  it.effect("is read from a known layout, so that a mapping book can map a blank tax by account", function* () {
    const xero =
      "ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,UnitAmount,AccountCode,TaxType,Currency"
    const { documents } = yield* read(table(xero, "Ada,X-1,2026-01-05,2026-01-20,Pen,1,5.00,200,,USD"))
    assert.strictEqual(documents[0]!.lines[0]!.account, "200")
  })
})

describe("known layouts are adjustable", () => {
  it.effect("a map can name only the differences, and each column in it must exist", function* () {
    const xero =
      "ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,UnitAmount,AccountCode,TaxType,Currency,Steuer"
    const text = table(xero, "Ada,X-1,2026-01-05,2026-01-20,Pen,1,5.00,200,,USD,VAT 15%")
    const columns = yield* MapFile.load("map.json", '{ "version": 1, "columns": { "taxes": [{ "code": "Steuer" }] } }')
    const { documents } = yield* read(text, { columns })
    assert.deepStrictEqual(documents[0]!.lines[0]!.taxes, [{ code: "VAT 15%" }])
    const wrong = yield* MapFile.load("map.json", '{ "version": 1, "columns": { "taxes": [{ "code": "Stoer" }] } }')
    assert.include((yield* Effect.flip(read(text, { columns: wrong }))).message, 'no column "Stoer"')
  })

  it.effect("the proposal for a known header is based on its layout, and reads the file unchanged", function* () {
    const xero =
      "ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,UnitAmount,Discount,AccountCode,TaxType,Currency"
    const text = table(xero, "Ada,X-1,2026-01-05,2026-01-20,Pen,1,5.00,10,200,VAT,USD")
    const proposal = yield* propose(file(text))
    assert.include(proposal, '"base": "xero-template"')
    assert.include(proposal, '// "discountPercent": "Discount", // "10"')
    const columns = yield* MapFile.load("map.json", proposal)
    const { documents } = yield* read(text, { columns })
    assert.deepStrictEqual(
      documents.map(({ lines }) => formatPlain((lines[0]!.discount as { readonly percent: never }).percent)),
      ["10"]
    )
  })

  it.effect("an unknown layout and a line that is not a header are named", function* () {
    const text = table(plain, line("1"))
    const unknown = yield* Effect.flip(read(text, { layout: "zero" }))
    assert.include(unknown.message, 'there is no known layout "zero". Known are: plain, xero-template')
    const other = yield* Effect.flip(read(text, { settings: { headerLine: 2 } }))
    assert.include(other.message, "line 2 is not a known header")
  })
})

describe("currency signs of the region", () => {
  const priced = (amount: string, currency: string) =>
    table(
      "InvoiceNumber,InvoiceDate,Currency,CustomerName,Description,Quantity,UnitPrice,TaxCode",
      `1,2026-01-05,${currency},Ada,Pen,1,"${amount}",S`
    )

  for (const [amount, currency, other] of [
    ["R 1,100.00", "ZAR", "USD"],
    ["R1100", "ZAR", "BWP"],
    ["US$ 1 100.00", "USD", "ZAR"],
    ["ZiG 1100", "ZWG", "USD"],
    ["ZiG 1100", "ZiG", "US$"],
    ["P1,100.00", "BWP", "ZAR"],
    ["K1,100.00", "ZMW", "USD"]
  ] as const) {
    it.effect(`${amount} is 1100 in ${currency}, and contradicts ${other}`, function* () {
      const { documents } = yield* read(priced(amount, currency))
      assert.deepStrictEqual(errors(documents[0]!), [])
      assert.strictEqual(formatPlain(documents[0]!.lines[0]!.unitPrice!), "1100")
      assert.deepStrictEqual((yield* codes(priced(amount, other))).documents, ["1 CSV_CURRENCY_CONFLICT"])
    })
  }

  it.effect(
    "spellings of the mapping book also count as signs, and are compared with the stated currency",
    function* () {
      const currencies = [
        { from: ["Bond", "Z.Dollar"], code: "ZWG" },
        { from: ["US Dollar", "Usd"], code: "USD" }
      ]
      for (const [amount, currency, other] of [
        ["Bond 1,100.00", "ZWG", "USD"],
        ["1100.00 Bond", "Z.Dollar", "Usd"],
        ["Z.Dollar1100", "Bond", "US Dollar"],
        ["-US Dollar 1100.00", "USD", "Bond"]
      ] as const) {
        const settings = { negativeTotals: "credit-note" } as const
        const { documents } = yield* read(priced(amount, currency), { currencies, settings })
        assert.deepStrictEqual(errors(documents[0]!), [], amount)
        assert.strictEqual(formatPlain(documents[0]!.lines[0]!.unitPrice!).replace("-", ""), "1100")
        assert.deepStrictEqual(
          (yield* codes(priced(amount, other), { currencies, settings })).documents,
          ["1 CSV_CURRENCY_CONFLICT"],
          `${amount} in ${other}`
        )
        assert.include((yield* codes(priced(amount, currency))).documents[0], "CSV_NUMBER_UNREADABLE")
      }
      const bare = yield* read(priced("Bond 5", ""), { currencies })
      assert.strictEqual(bare.documents[0]!.currency, "Bond")
    }
  )

  it.effect("a text formula is read as its text and reported", function* () {
    const { documents } = yield* read(input(table(plain, line('"=""0007"""'))))
    assert.strictEqual(documents[0]!.number, "0007")
    assert.include(documents[0]!.findings[0]!.message, '="…"')
  })
})

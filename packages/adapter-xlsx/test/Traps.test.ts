/** Workbook of traps in several variants, also written by a foreign writer. */
import { CsvDocument } from "@fiscal-connector/adapter-csv/CsvDocument"
import { assert, describe, it } from "../../core/test/It.ts"
import { format } from "../../core/src/finding/Provenance.ts"
import { Effect, Stream } from "effect"
import { adapter } from "../src/XlsxAdapter.ts"
import * as OtherWriter from "./OtherWriter.ts"
import type { Cell } from "./WorkbookParts.ts"
import * as WorkbookParts from "./WorkbookParts.ts"
import {
  asked,
  d,
  header,
  input,
  linesOf,
  n,
  read,
  refusal,
  refusing,
  row,
  settled,
  sheetOf,
  t,
  workbook
} from "./Sample.ts"

// slow: a sheet has to be larger than every buffer on its way

/** Sheets with correct cells and with cells that refuse their documents. */
const traps: ReadonlyArray<WorkbookParts.SheetSpec> = [
  {
    name: "Märs & Co",
    rows: [
      [t("Sales of February")],
      [],
      header,
      [t("00123"), d("2026-02-03"), t('  Paper\nA4 "best" <b>'), n("3"), n("99.90000000000001"), t("VAT15")],
      [
        n("124", "00000"),
        d("2026-02-03T13:05:00"),
        t("Café 北京 \u{1F600}"),
        n("0.1"),
        n("33.299999999999997", "0.00"),
        n("0.155", "0.0%")
      ],
      [
        n("125"),
        d("2026-12-31"),
        { formula: 'A4&"x"', value: "Ink", type: "str" },
        n("1"),
        { formula: "1+1", value: "2" },
        t("VAT15")
      ],
      [],
      row("ERR", { 4: { error: "#N/A" } }),
      row("SHORT").slice(0, 4),
      row("ODD", { 2: n("7", '"No. "0') }),
      row("DAY", { 2: d("2026-03-01") }),
      row("LOW", { 1: n("45", "yyyy-mm-dd") }),
      row("LONG", { 0: n("2520018000000073144") })
    ]
  },
  { name: "Empty", rows: [] },
  { name: "Old", rows: [[t("not read")]], state: "veryHidden" }
]

const variants: ReadonlyArray<readonly [string, WorkbookParts.Variant]> = [
  ["as usual", WorkbookParts.usual],
  ["dated from 1904", { ...WorkbookParts.usual, dates: "1904" }],
  ["with its names prefixed", { ...WorkbookParts.usual, prefix: "x:" }],
  ["with its texts in its cells", { ...WorkbookParts.usual, strings: "inline" }],
  ["without names of rows and cells", { ...WorkbookParts.usual, names: "left out" }]
]

const found = (bytes: Uint8Array) =>
  Effect.map(read(bytes), ({ codes, documents, findings }) => ({
    codes,
    refusedRows: findings.filter(({ severity }) => severity === "error").map(({ code }) => code),
    documents: documents.map((document) => [
      document.number,
      String(document.date),
      ...(refusing(document).length > 0 ? refusing(document) : linesOf(document))
    ])
  }))

const expected = [
  ["00123", "2026-02-03", 'Paper\nA4 "best" <b>|3|99.9||VAT15'],
  ["00124", "2026-02-03", "Café 北京 \u{1F600}|0.1|33.3||15.5%"],
  ["125", "2026-12-31", "Ink|1|2||VAT15"],
  ["ERR", "2026-02-03", "XLSX_ERROR_CELL"],
  ["SHORT", "2026-02-03", "Pen|2|||"],
  ["ODD", "2026-02-03", "XLSX_NUMBER_SHOWN_OTHERWISE"],
  ["DAY", "2026-02-03", "XLSX_DATE_AS_TEXT"],
  ["LOW", "undefined", "XLSX_DATE_TOO_EARLY", "CSV_LINE_LOST"]
]

describe("a workbook of traps", () => {
  for (const [name, variant] of variants) {
    it.effect(`${name} gives the values of its cells`, function* () {
      const { codes, documents, refusedRows } = yield* found(
        yield* Effect.promise(() => WorkbookParts.workbook(traps, variant))
      )
      assert.deepStrictEqual(documents, expected)
      assert.deepStrictEqual(refusedRows, ["XLSX_DIGITS_LOST"])
      assert.includeMembers(codes, ["XLSX_SHEETS_HIDDEN", "XLSX_CALCULATED_VALUES"])
    })
  }

  for (const dates of ["1900", "1904"] as const) {
    it.effect(`by another writer, dated from ${dates}, gives the same values`, function* () {
      const bytes = OtherWriter.workbook(traps, { ...WorkbookParts.usual, dates })
      const { documents } = yield* found(bytes)
      // SheetJS writes doubles: 2520018000000073144 becomes 2520018000000073000, still refused.
      assert.deepStrictEqual(documents, expected)
    })
  }

  for (const part of ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml"]) {
    it.effect(`cut off within ${part} is refused at every tag`, function* () {
      const parts = WorkbookParts.partsOf(traps)
      const whole = parts.get(part)!
      const tags = [...whole.matchAll(/<\/|<[a-z]/g)].slice(1)
      for (const { index } of tags.filter((_, i) => i % 5 === 0)) {
        const cut = new Map(parts).set(part, whole.slice(0, index))
        assert.match(yield* refusal(yield* Effect.promise(() => WorkbookParts.zipped(cut))), /damaged/)
      }
    })
  }
})

describe("cells", () => {
  it.effect(
    "have their place as a spreadsheet names it, the header's name, and the stored text if it differs",
    function* () {
      const { documents } = yield* read(yield* workbook(row("A-1"), row("A-1", { 4: t("x") })))
      const [document] = documents
      const price = document!.where(["lines", 0, "unitPrice"])
      assert.strictEqual(format(price), "sales.xlsx!Sales:E2")
      assert.strictEqual(price.columnName, "UnitPrice")
      assert.strictEqual(price.text, "99.9 (stored as 99.90000000000001)")
      assert.strictEqual(format(document!.where([])), "sales.xlsx!Sales:A2")
      const [wrong] = document!.findings
      assert.strictEqual(wrong!.code, "CSV_NUMBER_UNREADABLE")
      assert.strictEqual(format(wrong!.at!), "sales.xlsx!Sales:E3")
    }
  )

  it.effect("with dates as text are read with the questions of the CSV adapter", function* () {
    const bytes = yield* workbook(row("A-1", { 1: t("03/02/2026") }), row("A-2", { 1: t("05/02/2026") }))
    assert.deepStrictEqual(
      (yield* asked(bytes)).map(({ id }) => id),
      ["dates"]
    )
    const { documents } = yield* read(bytes, { settings: { ...settled.settings, dates: "mdy" } })
    assert.deepStrictEqual(
      documents.map(({ date }) => String(date)),
      ["2026-03-02", "2026-05-02"]
    )
  })

  it.effect(
    "with numbers as text are read by the decimal mark of their column, separate from real numbers",
    function* () {
      const bytes = yield* workbook(
        row("A-1", { 4: t("1.234,50") }),
        row("A-2", { 4: n("1.5") }),
        row("A-3", { 4: n("1234") })
      )
      const { documents } = yield* read(bytes)
      assert.deepStrictEqual(documents.flatMap(linesOf), [
        "Pen|2|1234.5||VAT15",
        "Pen|2|1.5||VAT15",
        "Pen|2|1234||VAT15"
      ])
    }
  )

  it.effect("are dates with day and month swapped if other texts of the column have a day above 12", function* () {
    const bytes = yield* workbook(row("A-1", { 1: t("31/01/2026") }), row("A-2", { 1: d("2026-03-02") }))
    assert.match(yield* refusal(bytes), /day and month of those were probably swapped/)
    const sound = yield* workbook(row("A-1", { 1: t("31/01/2026") }), row("A-2", { 1: d("2026-03-22") }))
    assert.lengthOf((yield* read(sound)).documents, 2)
  })

  it.effect("keep characters that XML cannot contain, and texts that only look like escapes", function* () {
    for (const strings of ["shared", "inline"] as const) {
      const cells = row("A-1", { 2: t("a\r\nb _x000D_ _x005F_ c") })
      const bytes = yield* Effect.promise(() =>
        WorkbookParts.workbook(sheetOf(cells), { ...WorkbookParts.usual, strings })
      )
      assert.deepStrictEqual((yield* read(bytes)).documents[0]!.lines[0]!.description, "a\r\nb _x000D_ _x005F_ c")
    }
  })

  it.effect("with rich text are whole texts, without phonetic guides", function* () {
    for (const strings of ["shared", "inline"] as const) {
      const cells = row("A-1", { 0: { runs: ["INV-", "9"], guide: "IGNORED" } })
      const bytes = yield* Effect.promise(() =>
        WorkbookParts.workbook(sheetOf(cells), { ...WorkbookParts.usual, strings })
      )
      assert.deepStrictEqual(
        (yield* read(bytes)).documents.map(({ number }) => number),
        ["INV-9"]
      )
    }
  })

  const refused: ReadonlyArray<readonly [string, Cell, string]> = [
    ["a formula without a value", { formula: "1+1" }, "XLSX_FORMULA_NOT_CALCULATED"],
    ["a value from another workbook", { formula: "[1]Sheet1!A1", value: "5" }, "XLSX_OTHER_WORKBOOK"],
    [
      "a value from another service's sheet",
      { formula: 'IFERROR(__xludf.DUMMYFUNCTION("IMPORTRANGE(""x"",""A1"")"),5)', value: "5" },
      "XLSX_OTHER_WORKBOOK"
    ],
    ["an error", { error: "#REF!" }, "XLSX_ERROR_CELL"],
    ["an invalid number", { xml: '<c r="$"><v>NaN</v></c>' }, "XLSX_CELL_UNREADABLE"],
    ["an invalid boolean", { xml: '<c r="$" t="b"><v>7</v></c>' }, "XLSX_CELL_UNREADABLE"],
    ["too many digits", n("12345678901234567"), "XLSX_DIGITS_LOST"]
  ]
  for (const [what, cell, code] of refused) {
    it.effect(`with ${what} refuse only their own document`, function* () {
      const { documents } = yield* read(yield* workbook(row("A-1", { 4: cell }), row("A-2")))
      assert.deepStrictEqual(documents.map(refusing), [[code], []])
    })
  }

  it.effect("have no values if the workbook requires recalculation", function* () {
    const bytes = yield* Effect.promise(() =>
      WorkbookParts.workbook(sheetOf(row("A-1", { 4: { formula: "1+1", value: "0" } }), row("A-2")), {
        ...WorkbookParts.usual,
        calculation: '<calcPr calcId="1" fullCalcOnLoad="1"/>'
      })
    )
    assert.deepStrictEqual((yield* read(bytes)).documents.map(refusing), [["XLSX_FORMULA_NOT_CALCULATED"], []])
  })

  it.effect("of one array formula all count as calculated, and a missing value is reported", function* () {
    const array = (first: string, second: string) =>
      workbook(
        row("A-1", { 4: { xml: `<c r="$"><f t="array" ref="E2:E3">C2:C3*2</f>${first}</c>` } }),
        row("A-2", { 4: { xml: `<c r="$">${second}</c>` } })
      )
    const saved = yield* read(yield* array("<v>5</v>", "<v>6</v>"))
    assert.deepStrictEqual(saved.documents.map(refusing), [[], []])
    assert.include(saved.findings.find(({ code }) => code === "XLSX_CALCULATED_VALUES")?.detail ?? "", "2 cells")
    const half = yield* read(yield* array("<v>5</v>", ""))
    assert.deepStrictEqual(half.documents.map(refusing), [[], ["XLSX_FORMULA_NOT_CALCULATED"]])
    assert.match(yield* refusal(yield* array("", "")), /the formula of E2:E3 has no values that a spreadsheet program/)
  })

  it.effect("that share a formula count as calculated if they have a value", function* () {
    const { documents, findings } = yield* read(
      yield* workbook(
        row("A-1", { 4: { xml: '<c r="$"><f t="shared" ref="E2:E4" si="0">D2*2</f><v>4</v></c>' } }),
        row("A-2", { 4: { xml: '<c r="$"><f t="shared" si="0"/><v>4</v></c>' } }),
        row("A-3", { 4: { xml: '<c r="$"><f t="shared" si="0"/></c>' } })
      )
    )
    assert.deepStrictEqual(documents.map(refusing), [[], [], ["XLSX_FORMULA_NOT_CALCULATED"]])
    // The third cell has no readable value.
    assert.include(findings.find(({ code }) => code === "XLSX_CALCULATED_VALUES")?.detail ?? "", "2 cells")
  })

  it.effect("with a zone in their time format are instants, as texts are", function* () {
    const late: Cell = { number: "46056.9375", format: 'yyyy-mm-dd"T"hh:mm:ss"Z"' }
    const { documents } = yield* read(
      yield* workbook(row("A-1", { 1: late }), row("A-2", { 1: t("2026-02-03T22:30:00Z") }))
    )
    const [ofFormat, ofText] = documents.map(({ date }) => JSON.stringify(date))
    assert.include(ofFormat!, "2026-02-03T22:30:00")
    assert.strictEqual(ofFormat, ofText)
    assert.deepStrictEqual(documents.map(refusing), documents.map(refusing).with(0, refusing(documents[1]!)))
  })

  it.effect("that name a column of a table do not refer to another workbook", function* () {
    const bytes = yield* workbook(row("A-1", { 4: { formula: "SUM(Table1[2])", value: "5" } }))
    assert.deepStrictEqual((yield* read(bytes)).documents.map(refusing), [[]])
  })

  it.effect(
    "with an error in place of the number refuse the row, and any document that it may belong to",
    function* () {
      const { codes, documents } = yield* read(
        yield* workbook(row("A-1"), row("A-1", { 0: { error: "#N/A" } }), row("B-2"))
      )
      assert.include(codes, "XLSX_ERROR_CELL")
      assert.deepStrictEqual(documents.map(refusing), [["CSV_LINE_LOST"], ["CSV_LINE_LOST"]])
    }
  )

  it.effect("that are displayed alike make rows identical, however they are stored", function* () {
    const { documents } = yield* read(yield* workbook(row("A-1"), row("A-1", { 4: n("99.9") })))
    assert.deepStrictEqual(documents.map(refusing), [["CSV_ROWS_REPEATED"]])
  })

  it.effect("with whole numbers are read as whole numbers from every writer", function* () {
    const { documents } = yield* read(yield* workbook(row("A-1", { 0: n("1001.0"), 3: n("2.0") })))
    assert.deepStrictEqual([documents[0]?.number, ...documents.flatMap(linesOf)], ["1001", "Pen|2|99.9||VAT15"])
  })

  it.effect("after a gap without cell names have their correct columns", function* () {
    const gap = row("A-1", { 2: undefined })
    const bytes = yield* Effect.promise(() =>
      WorkbookParts.workbook(sheetOf(gap), { ...WorkbookParts.usual, names: "left out" })
    )
    assert.deepStrictEqual((yield* read(bytes)).documents.flatMap(linesOf), ["|2|99.9||VAT15"])
  })

  it.effect("with a currency sign in their format contradict another currency", function* () {
    const bytes = yield* workbook(row("A-1", { 4: n("5", '"€"#,##0.00') }))
    assert.deepStrictEqual((yield* read(bytes)).documents.map(refusing), [["CSV_CURRENCY_CONFLICT"]])
    const { documents } = yield* read(bytes, { settings: { amounts: "exclusive" } })
    assert.deepStrictEqual([documents.map(refusing), documents[0]!.currency], [[[]], "€"])
  })

  it.effect("in a custom format use the stored value if the operator chooses so", function* () {
    const bytes = yield* workbook(row("", { 0: n("12", '"INV-"0000') }))
    const { documents } = yield* read(bytes, { settings: { ...settled.settings, numberFormats: "stored" } })
    assert.deepStrictEqual([documents.map(refusing), documents[0]!.number], [[[]], "12"])
  })
})

describe("a sheet of many rows", () => {
  it.effect("is read to its end, on every read", function* () {
    const many = Array.from({ length: 2500 }, (_, i) =>
      row(`INV-${i}`, { 2: t(`Maintenance of pumping station ${i}`) })
    )
    const bytes = yield* workbook(...many)
    assert.lengthOf((yield* read(bytes)).documents, 2500)
    const settings = { ...settled.settings, dates: "dmy", decimalMark: "point", grouping: "window" } as const
    assert.lengthOf((yield* read(bytes, { settings })).documents, 2500)
  })
})

describe("the choice of sheets and rows", () => {
  const two = [...sheetOf(row("A-1")), { name: "It's March", rows: [header, row("B-1")] }]

  const numbersOf = ({ documents }: { readonly documents: ReadonlyArray<CsvDocument> }) =>
    documents.map((document) => `${document.where([]).sheet} ${document.number}`)

  const named = (...names: ReadonlyArray<string>) =>
    Effect.promise(() => WorkbookParts.workbook(names.map((name, i) => ({ name, rows: [header, row(`A-${i + 1}`)] }))))

  it.effect(
    "is not asked for if the sheets differ in a month or a number: each document is from one sheet",
    function* () {
      const march = { name: "March", rows: [header, row("B-1"), row("A-1", { 2: t("Ink") })] }
      const april = { name: "April", rows: [header, row("A-1")] }
      const bytes = yield* Effect.promise(() => WorkbookParts.workbook([april, march]))
      const all = ["April A-1", "March B-1", "March A-1"]
      assert.deepStrictEqual(numbersOf(yield* read(bytes)), all)
      const sheets = (sheet: string) => read(bytes, { settings: { ...settled.settings, sheet } })
      assert.deepStrictEqual(numbersOf(yield* sheets("march")), all.slice(1))
      assert.deepStrictEqual(numbersOf(yield* sheets("April/March")), all)
      assert.match(yield* refusal(bytes, { settings: { sheet: "May" } }), /no sheet "May".*"April", "March"/)
      const { length } = (yield* read(bytes)).documents.filter(({ lines }) => lines.length > 1)
      assert.strictEqual(length, 0)
      for (const names of [
        ["Sheet1", "Sheet2", "Sheet3"],
        ["Jan 2026", "Februar", "mars"],
        ["Invoices 01-2026", "Invoices 2026-02"]
      ])
        assert.strictEqual((yield* read(yield* named(...names))).documents.length, names.length, names.join())
    }
  )

  it.effect("is asked for if a sheet with the same header is not clearly a part of the list", function* () {
    const others = ["Jan (old)", "Template", "Copy of Jan", "Archive", "Jan (2)", "Backup Jan", "Musterblatt", "Jan x"]
    for (const other of others) {
      const [question] = yield* asked(yield* named("Jan", "Feb", other))
      assert.strictEqual(question!.id, "sheet", other)
      assert.match(question!.question, /which sheets count/)
      assert.deepStrictEqual(
        question!.readings.map(({ answer }) => answer),
        ["Jan/Feb", `Jan/Feb/${other}`, "Jan", "Feb", other].map((sheet) => ({ settings: { sheet } }))
      )
    }
  })

  it.effect("is asked for if sheets have different headers, with the sheets of one header together", function* () {
    const other = {
      name: "Buyers",
      rows: [
        [t("Buyer"), t("Street"), t("Town")],
        [t("Ada"), t("High"), t("Bern")]
      ]
    }
    const bytes = yield* Effect.promise(() => WorkbookParts.workbook([...two, other]))
    const [question] = yield* asked(bytes)
    assert.strictEqual(question!.id, "sheet")
    assert.deepStrictEqual(
      question!.readings.map(({ answer }) => answer),
      // nothing can be read from a sheet without a day
      ["Sales/It's March", "Sales", "It's March"].map((sheet) => ({ settings: { sheet } }))
    )
  })

  it.effect(
    "is not asked for if documents and their lines are in different sheets: no answer could work",
    function* () {
      const sheets = [
        {
          name: "Invoices",
          rows: [["document_number", "issued_at", "amount"].map(t), [t("A-1"), d("2026-02-03"), n("20")]]
        },
        {
          name: "Items",
          rows: [["document_number", "item_name", "quantity", "price"].map(t), [t("A-1"), t("Pen"), n("2"), n("10")]]
        },
        { name: "Taxes", rows: [["document_number", "tax_name", "amount"].map(t), [t("A-1"), t("VAT"), n("3")]] }
      ]
      const bytes = yield* Effect.promise(() => WorkbookParts.workbook(sheets))
      assert.match(
        yield* refusal(bytes),
        /documents are in the sheet "Invoices" and their lines in the sheet "Items", joined by the column "document_number"/
      )
    }
  )

  it.effect("holds the currency, the tax and the unit in the names of the sheet and the file", function* () {
    const outcome = (sheet: string, file = "sales.xlsx") =>
      Effect.gen(function* () {
        const bytes = yield* Effect.promise(() => WorkbookParts.workbook([{ name: sheet, rows: [header, row("A-1")] }]))
        const readings = yield* Stream.runCollect(adapter.read(input(bytes, file), settled))
        return readings.flatMap((one) => (one instanceof CsvDocument ? (one.words ?? []).map(({ text }) => text) : []))
      }).pipe(Effect.catch((error) => Effect.succeed([error.message])))
    assert.deepStrictEqual(yield* outcome("Sales ZWG"), ["ZWG"])
    assert.deepStrictEqual(yield* outcome("Sales", "2026/sales-eur.xlsx"), ["EUR"])
    assert.deepStrictEqual(yield* outcome("Prices incl. VAT"), ["including tax"])
    assert.match((yield* outcome("USD in thousands"))[0]!, /the sheet "USD in thousands" states that amounts are in/)
    for (const name of ["Sales", "ALL", "USD and EUR", "March 2025"]) assert.deepStrictEqual(yield* outcome(name), [])
  })

  it.effect("omits hidden sheets with a report; if all sheets are hidden, they are asked about", function* () {
    const [first, second] = two as [WorkbookParts.SheetSpec, WorkbookParts.SheetSpec]
    const one = yield* Effect.promise(() => WorkbookParts.workbook([first, { ...second, state: "hidden" }]))
    const { codes, documents } = yield* read(one)
    assert.lengthOf(documents, 1)
    assert.include(codes, "XLSX_SHEETS_HIDDEN")
    const none = yield* Effect.promise(() => WorkbookParts.workbook([{ ...first, state: "hidden" }]))
    assert.deepStrictEqual(
      (yield* asked(none)).map(({ id }) => id),
      ["sheet"]
    )
  })

  const hiding = (...hiddenRows: ReadonlyArray<number>) =>
    Effect.promise(() =>
      WorkbookParts.workbook([{ ...sheetOf(row("A-1"), row("A-1", { 2: t("Ink") }), row("B-1"))[0]!, hiddenRows }])
    )

  it.effect("asks about hidden rows, and then reads them", function* () {
    const [question] = yield* asked(yield* hiding(3, 4))
    assert.strictEqual(question!.id, "hiddenRows")
    const { codes, documents } = yield* read(yield* hiding(3, 4), {
      settings: { ...settled.settings, hiddenRows: "read" }
    })
    assert.deepStrictEqual(
      documents.map(({ lines }) => lines.length),
      [2, 1]
    )
    assert.include(codes, "XLSX_ROWS_HIDDEN")
  })

  it.effect("skips hidden rows if the operator chooses so, and refuses a partly hidden document", function* () {
    const skip = { settings: { ...settled.settings, hiddenRows: "skip" } } as const
    const whole = yield* read(yield* hiding(4), skip)
    assert.deepStrictEqual(
      whole.documents.map(({ number }) => number),
      ["A-1"]
    )
    assert.deepStrictEqual(whole.documents.map(refusing), [[]])
    const part = yield* read(yield* hiding(3), skip)
    assert.deepStrictEqual(part.documents.map(refusing), [["XLSX_ROW_HIDDEN"], []])
    const before = yield* read(yield* hiding(2), skip)
    assert.deepStrictEqual(before.documents.map(refusing), [["XLSX_ROW_HIDDEN"], []])
  })

  it.effect("includes hidden columns, with a report", function* () {
    const hiding = (columns: string) =>
      Effect.promise(() => WorkbookParts.workbook([{ ...sheetOf(row("A-1"))[0]!, columns: `<cols>${columns}</cols>` }]))
    const { documents, findings } = yield* read(
      yield* hiding('<col min="4" max="4" width="0" customWidth="1"/><col min="6" max="16384" width="9" hidden="1"/>')
    )
    assert.deepStrictEqual(documents.flatMap(linesOf), ["Pen|2|99.9||VAT15"])
    const said = findings.find(({ code }) => code === "XLSX_COLUMNS_HIDDEN")
    assert.strictEqual(said?.detail, "D, F")
    assert.notInclude((yield* read(yield* hiding('<col min="9" max="9" hidden="1"/>'))).codes, "XLSX_COLUMNS_HIDDEN")
  })

  it.effect("refuses a merged header, and reports merged cells below it", function* () {
    const merged = (...merged: ReadonlyArray<string>) =>
      Effect.promise(() => WorkbookParts.workbook([{ ...sheetOf(row("A-1"))[0]!, merged }]))
    assert.match(yield* refusal(yield* merged("C1:D1")), /header in row 1 has merged cells \(C1:D1\)/)
    assert.include((yield* read(yield* merged("A2:A3"))).codes, "XLSX_CELLS_MERGED")
  })

  it.effect(
    "names comments, struck cells and words of number formats, and no other visible sheet without rows",
    function* () {
      const parts = WorkbookParts.partsOf([
        { name: "Sales", rows: [header, row("A-1", { 3: n("2", '0" dozen"'), 4: n("99.9", '0.00" €"') })] },
        { name: "Empty", rows: [] }
      ])
      const changed = (part: string, change: (xml: string) => string) => parts.set(part, change(parts.get(part)!))
      const { main, office } = WorkbookParts
      changed("xl/styles.xml", (xml) =>
        xml
          .replace("<cellXfs>", "<fonts><font/><font><strike/></font></fonts><cellXfs>")
          .replace('<xf numFmtId="165"/>', '<xf numFmtId="165" fontId="1"/>')
      )
      parts.set(
        "xl/worksheets/_rels/sheet1.xml.rels",
        parts
          .get("_rels/.rels")!
          .replace(`${office}/officeDocument`, `${office}/comments`)
          .replace("xl/workbook.xml", "../comments1.xml")
      )
      parts.set(
        "xl/comments1.xml",
        `<comments xmlns="${main}"><commentList><comment ref="C2"><text><r><t>half is </t></r><r><t>returned</t></r></text></comment></commentList></comments>`
      )
      const bytes = yield* Effect.promise(() => WorkbookParts.zipped(parts))
      const stored = { settings: { ...settled.settings, numberFormats: "stored" } } as const
      const { findings } = yield* read(bytes, stored)
      const found = findings.find(({ statements }) => statements !== undefined)
      assert.strictEqual(found?.message, 'not read: cell comment "C2", struck cell "B2", number format "dozen"')
      const named = found?.statements?.filter(({ treatment }) => treatment === "named")
      assert.deepStrictEqual(
        named?.map(({ samples }) => samples),
        [["half is returned"], ["B2"], ["D2"]]
      )
    }
  )

  it.effect("asks whether figures count that are struck or shown with a word, and not about pieces", function* () {
    const of = (quantity: string, price: string, change: (xml: string) => string = (xml) => xml) =>
      Effect.promise(() => {
        const parts = WorkbookParts.partsOf([
          { name: "Sales", rows: [header, row("A-1", { 3: n("2", quantity), 4: n("99.9", price) })] }
        ])
        parts.set("xl/styles.xml", change(parts.get("xl/styles.xml")!))
        return WorkbookParts.zipped(parts)
      })
    const struck = (xml: string) =>
      xml
        .replace("<cellXfs>", "<fonts><font/><font><strike/></font></fonts><cellXfs>")
        .replace(/<xf numFmtId="(\d+)"\/>(?=<\/cellXfs>)/, '<xf numFmtId="$1" fontId="1"/>')
    for (const [bytes, shown] of [
      [yield* of('0" dozen"', "0.00"), 'D2 "dozen"'],
      [yield* of("0", '0.00" thousand"'), 'E2 "thousand"'],
      [yield* of('0" pcs"', '0.00" €"', struck), "E2 struck"]
    ] as const) {
      const [question] = yield* asked(bytes)
      assert.strictEqual(question!.id, "numberFormats", shown)
      assert.include(question!.question, shown)
      const answer = question!.readings[0]!.answer as { readonly settings: object }
      const { documents } = yield* read(bytes, { settings: { ...settled.settings, ...answer.settings } })
      assert.strictEqual(documents.length, 1)
    }
    assert.strictEqual((yield* read(yield* of('0" pcs"', '0.00" €"'))).documents.length, 1)
  })

  it.effect("refuses other tables below, and does not read them as lines", function* () {
    const bytes = yield* workbook(row("A-1"), [], [t("Rate"), t("Name"), t("x"), t("y"), t("z"), t("w"), t("v")])
    const { codes, documents } = yield* read(bytes)
    assert.include(codes, "CSV_ROW_WIDTH")
    assert.deepStrictEqual(documents.map(refusing), [["CSV_LINE_LOST"]])
  })
})

import { formatPlain } from "../../core/src/document/Money.ts"
import type { Question } from "../../core/src/source/Adapter.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import type { WholeMap } from "../src/columns/ColumnMap.ts"
import { headerOf, propose } from "../src/propose/ColumnProposal.ts"
import { adapter, type CsvOptions } from "../src/CsvAdapter.ts"
import * as MapFile from "../src/columns/MapFile.ts"
import { file, input, question, questions, read, answerText } from "./Sample.ts"

const header = "InvoiceNumber,InvoiceDate,Currency,Description,Quantity,UnitPrice,TaxCode"
const plain = `${header}\n1,2026-01-05,USD,Pen,1,2.50,S\n`

const messageOf = (text: string | Uint8Array) => Effect.map(Effect.flip(read(text)), ({ message }) => message)

describe("files for another adapter", () => {
  const families: ReadonlyArray<readonly [string, string]> = [
    ["Sage Pastel batch", "Header,1001,N,,ABC001,1,31/01/2026\nDetail,0,1.0000,10.0000,11.5000,,1\n"],
    ["QuickBooks IIF file", "!TRNS\tTRNSID\tTRNSTYPE\tDATE\n!SPL\tSPLID\tTRNSTYPE\tDATE\n!ENDTRNS\n"],
    ["MYOB export", "Co./Last Name\tFirst Name\tInvoice #\tDate\tTax Code\n"],
    ["SAP Business One template", "DocNum\tDocType\tDocDate\tCardCode\nDocNum\tDocType\tDocDate\tCardCode\n"],
    ["DATEV file", '"EXTF";700;21;"Buchungsstapel";9\nUmsatz;Soll;Haben\n'],
    ["Wave transactions export", "Transaction ID,Transaction Date,Account Name,Account Type,Amount (One column)\n"],
    [
      "Sage 50 audit trail",
      "Type,Account Reference,Nominal A/C Ref,Department Code,Date,Reference,Details,Net Amount,Tax Code,Tax Amount\n"
    ],
    ["Stripe invoices export", "id,Amount Due,Amount Paid,Currency,Customer,Number,Subtotal,Total,Status\n"],
    [
      "Tally register",
      "Example Ltd\n1-Apr-25 to 30-Apr-25\n\nDate,Particulars,Vch Type,Vch No.,Taxable Value,CGST,SGST,Invoice Amount\n"
    ],
    [
      "Odoo list of invoices",
      "Number,Invoice Partner Display Name,Invoice/Bill Date,Due Date,Reference,Untaxed Amount Signed,Tax Signed,Total Signed,Payment Status,Status\n"
    ],
    [
      "Odoo export without the type of its documents",
      "Number,Invoice/Bill Date,Status,Invoice lines/Label,Invoice lines/Quantity,Invoice lines/Unit Price,Invoice lines/Taxes\n"
    ],
    ["WooCommerce revenue report", "Date,Orders,Gross sales,Returns,Coupons,Net sales,Taxes,Shipping,Total sales\n"],
    ["WooCommerce orders export", "order_id,order_number,order_date,status,order_total,line_items\n"]
  ]
  for (const [name, text] of families) {
    it.effect(`are asked about with the name of their format: ${name}`, function* () {
      const message = yield* messageOf(text)
      assert.include(message, `this looks like a ${name}`)
      assert.include(message, "What is this file?")
    })
  }

  it.effect("are refused if they are empty or binary", function* () {
    assert.include(yield* messageOf(""), "the file is empty")
    assert.include(
      yield* messageOf(Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) & 0xff)),
      "the file does not show its encoding"
    )
  })

  it.effect("are refused with their file type and the next step, before any question", function* () {
    const binary = (text: string) => messageOf(Uint8Array.from(text, (c) => c.charCodeAt(0)))
    assert.include(yield* binary("PK\x03\x04\x14\x00\xa4\xff"), "a spreadsheet (.xlsx, .ods) or another ZIP archive")
    assert.include(yield* binary("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "a spreadsheet of the old kind (.xls)")
    assert.include(yield* binary("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), "a PDF")
    assert.include(yield* messageOf('[{ "Type": "ACCREC" }]'), "this looks like a JSON file")
    assert.include(yield* messageOf("\ufeff<!DOCTYPE html>\n<table>"), "this looks like a web page or XML file")
    const proposal = yield* Effect.flip(propose(file('{ "Invoices": [] }')))
    assert.include(proposal.message, "this looks like a JSON file")
  })
})

describe("the header", () => {
  it.effect("with a duplicate column is refused, with the name of the column", function* () {
    assert.include(yield* messageOf(`${header},Quantity\n`), 'the header has 2 columns "Quantity"')
  })

  it.effect.each([
    ["Name,City,Age\nJoe,Harare,41\n", "a date"],
    ["Number,Day,Text\nA-1,2026-01-05,Lamp\n", "an amount"]
  ] as const)("that no column map can read is refused without the advice to write one: %s", ([text, lacked]) =>
    Effect.gen(function* () {
      const message = yield* messageOf(text)
      assert.include(message, `no column map can help: no row of three or more columns has ${lacked}`)
      assert.notInclude(message, "Name the columns in a column map")
    })
  )

  it.effect("that a column map could read is refused with the advice to write one", function* () {
    assert.include(
      yield* messageOf('Faktura,Tag,Ding,Preis\nA-1,05.01.2026,Lampe,"9,50"\n'),
      "Name the columns in a column map"
    )
  })

  it.effect("in an encoding that does not exist is refused with those that do", function* () {
    const encoding = "ibm999" as "utf-8"
    const { message } = yield* Effect.flip(read(plain, { settings: { encoding } }))
    assert.include(message, 'there is no encoding "ibm999"')
    assert.include(message, "ibm852")
  })

  it.effect("with a column that the plain layout does not define is read with a warning", function* () {
    const { documents, findings } = yield* read(plain.replace("Currency", "Curency").replaceAll("USD", "dollars"), {
      settings: { currency: "USD" }
    })
    assert.deepStrictEqual(
      findings.map(({ code, message, severity }) => [code, severity, message]),
      [["STATEMENTS_NOT_READ", "warning", 'not read: the same everywhere "Curency"']]
    )
    assert.strictEqual(documents.length, 1)
  })

  it.effect("of a column map that does not match reports the missing columns of the closest reading", function* () {
    const columns = { version: 1, columns: { number: "InvoiceNumber", date: "Day", description: "Text" } } as const
    const error = yield* Effect.flip(read(plain, { columns }))
    assert.include(
      error.message,
      'line 1 is not a header of the column map: the header has no column "Day"; the header has no column "Text"'
    )
  })

  it.effect("that matches two layouts is asked about, and the answer names one layout", function* () {
    const both = `${header},ContactName,DueDate,UnitAmount,AccountCode,TaxType\n1,2026-01-05,USD,Pen,1,2.50,S,Ada,,2.50,200,S\n`
    const asked = yield* question(both)
    assert.deepStrictEqual(
      asked.readings.map(({ answer }) => answerText(answer)),
      ["layout plain", "layout xero-template"]
    )
    const { documents } = yield* read(both, { layout: "xero-template" })
    assert.strictEqual(documents[0]!.buyer?.name, "Ada")
  })

  it.effect("that matches with two delimiters is asked about", function* () {
    const text = `${header}\n${header.replaceAll(",", ";")}\n1,2026-01-05,USD,Pen,1,2.50,S\n`
    const asked = yield* question(text)
    assert.deepStrictEqual(
      asked.readings.map(({ answer }) => answerText(answer)),
      ["delimiter comma", "delimiter semicolon"]
    )
  })
})

describe("questions", () => {
  const open = 'InvoiceNumber,InvoiceDate,Description,Quantity,UnitPrice,TaxCode\n1,03/02/2026,Pen,1,"1,000",S\n'
  const openQuestions = (asked: ReadonlyArray<Question>) =>
    asked.map(
      ({ question, readings }) => `${question}: ${readings.map(({ answer }) => answerText(answer)).join(" or ")}`
    )
  const ofDates = "dates can be read in more than one order: dates dmy or dates mdy"
  const ofMarks =
    'the numbers of "UnitPrice" can be read with either decimal mark: decimalMark point or decimalMark comma'
  const ofCurrency = "the file does not say which currency its amounts are in: ask currency"

  const ofAmounts = "the file does not say whether its amounts include tax: amounts inclusive or amounts exclusive"

  it.effect("are asked all at once, and one run with the answers reads the file", function* () {
    assert.deepStrictEqual(openQuestions(yield* questions(open)), [ofDates, ofMarks, ofCurrency, ofAmounts])
    const settings = { dates: "dmy", decimalMark: "point", currency: "USD", amounts: "inclusive" } as const
    assert.strictEqual((yield* read(open, { settings })).documents.length, 1)
  })

  it.effect("about several files are asked together, each with its file", function* () {
    const asked = yield* questions(input(open, plain, plain.replace("2026-01-05", "04/05/2026")))
    assert.deepStrictEqual([...new Set(asked.map(({ file }) => file))], ["in.csv", "in3.csv"])
  })

  it.effect("about the year and about the order of dates are separate", function* () {
    const asked = yield* questions(open.replace("03/02/2026", "0302").replace('"1,000"', "$1.50"))
    assert.deepStrictEqual(
      asked.map(({ question }) => question),
      [
        "dates can be read in more than one order",
        "dates have no year",
        "the file does not say whether its amounts include tax"
      ]
    )
  })

  it.effect("that block the reading are asked together with all independent open questions", function* () {
    const backslashes = `${open}2,03/02/2026,"say \\"hi\\", ok",1,"1,000",S\n3,03/02/2026,"C:\\dir\\",1,"1,000",S\n`
    const asked = yield* questions(backslashes)
    assert.include(asked[0].question, "backslashes")
    assert.deepStrictEqual(openQuestions(asked.slice(1)), [ofDates, ofMarks, ofCurrency, ofAmounts])
    const polish = Uint8Array.from(open.replace("Pen", "\x8aled\x9f Pawe\xb3 S\xf3l"), (c) => c.charCodeAt(0))
    const encodings = yield* questions(polish)
    assert.include(encodings[0].question, "which of these texts is right?")
    assert.deepStrictEqual(openQuestions(encodings.slice(1)), [ofDates, ofMarks, ofCurrency, ofAmounts])
    const presets = `ContactName,DueDate,UnitAmount,AccountCode,TaxType,${open.replace("\n1", "\nAda,,1.5,200,S,1")}`
    const layouts = yield* questions(presets)
    assert.deepStrictEqual(openQuestions(layouts.slice(1)), [ofDates, ofCurrency, ofAmounts])
  })

  it.effect("are not asked if a file cannot be read at all", function* () {
    const { message } = yield* Effect.flip(read(input(open, "a,b,c\n1,2,3\n")))
    assert.include(message, "in2.csv: no row among the first 40")
  })
})

describe("the decimal mark of a column", () => {
  const two = "No,Day,Pieces,Each\n1,2026-01-05,1.000,12.50\n2,2026-01-06,2.000,1.75\n"
  const map = {
    version: 1,
    columns: { number: "No", date: "Day", quantity: "Pieces", unitPrice: "Each", taxes: [] },
    settings: { currency: "USD" }
  } as const
  const columns = (quantity: WholeMap["columns"]["quantity"]) => ({
    ...map,
    columns: { ...map.columns, ...(quantity && { quantity }) }
  })
  const quantities = (text: string, options: CsvOptions) =>
    Effect.map(read(text, options), ({ documents }) => documents.map(({ lines }) => formatPlain(lines[0]!.quantity!)))

  it.effect(
    "is asked for if one mark for the whole file is wrong for some columns, and is set in the column map",
    function* () {
      const asked = yield* question(two, { columns: map })
      assert.deepStrictEqual(asked.readings, [
        {
          reading: "decimal point",
          examples: ["1.000 = 1", "2.000 = 2"],
          answer: { settings: { decimalMark: "point" } }
        },
        {
          reading: "decimal comma",
          examples: ["1.000 = 1000", "2.000 = 2000"],
          id: "comma",
          answer: { map: { columns: { quantity: { column: "Pieces", decimalMark: "comma" } } } }
        }
      ])
      const comma = columns({ column: "Pieces", decimalMark: "comma" })
      assert.deepStrictEqual(yield* quantities(two, { columns: comma }), ["1000", "2000"])
      const point = columns({ column: "Pieces", decimalMark: "point" })
      assert.deepStrictEqual(yield* quantities(two, { columns: point }), ["1", "2"])
    }
  )

  it.effect("is set for one of several columns, and of a tax, without a change of the others", function* () {
    const text = "No,Day,Pieces,Boxes,Each,VAT\n1,2026-01-05,,1.000,12.50,1.25\n2,2026-01-05,,2.000,12.50,1.50\n"
    const answerTo = (text: string, more: Partial<WholeMap["columns"]>) =>
      Effect.map(
        question(text, { columns: { ...map, columns: { ...map.columns, ...more } } }),
        (asked) => asked.readings.find(({ id }) => id === "comma")?.answer
      )
    const taxes = [{ amount: "VAT" }]
    assert.deepStrictEqual(yield* answerTo(text, { quantity: ["Pieces", { column: "Boxes", nth: 1 }], taxes }), {
      map: { columns: { quantity: ["Pieces", { column: "Boxes", nth: 1, decimalMark: "comma" }] } }
    })
    const contradictory = text.replace("1.25", '"1,25"').replaceAll(".000", "")
    assert.deepStrictEqual(yield* answerTo(contradictory, { taxes }), {
      map: { columns: { taxes: [{ amount: { column: "VAT", decimalMark: "comma" } }] } }
    })
  })

  it.effect("is shown by an amount whose discount is zero", function* () {
    const text = two
      .replace("Each", "Each,Off,Sum")
      .replace("12.50", "12.50,0.00,12.50")
      .replace("1.75", "1.75,0.00,3.50")
    const reduced = { ...map, columns: { ...map.columns, discount: "Off", lineAmount: "Sum" } }
    assert.deepStrictEqual(yield* quantities(text, { columns: reduced }), ["1", "2"])
    const asked = yield* question(text.replaceAll("0.00,", "0.50,"), { columns: reduced })
    assert.strictEqual(asked.id, "decimalMark Pieces")
  })

  it.effect("has priority over the mark for the whole file", function* () {
    const comma = columns({ column: "Pieces", decimalMark: "comma" })
    const settings = { decimalMark: "point" } as const
    assert.deepStrictEqual(yield* quantities(two, { columns: comma, settings }), ["1000", "2000"])
  })

  it.effect("is asked for several columns in one question, with sample cells of each column", function* () {
    const asked = yield* question('No,Day,Pieces,Each\n1,2026-01-05,"1,000","2,500"\n', { columns: map })
    assert.strictEqual(asked.question, 'the numbers of "Pieces", "Each" can be read with either decimal mark')
    assert.deepStrictEqual(asked.readings[1]!.examples, ["Pieces: 1,000 = 1", "Each: 2,500 = 2.5"])
  })

  it.effect("is refused if one column has both marks, or if the column does not contain numbers", function* () {
    const both = {
      ...map,
      columns: {
        ...map.columns,
        quantity: { column: "Each", decimalMark: "comma" },
        unitPrice: { column: "Each", decimalMark: "point" }
      }
    } as const
    assert.include((yield* Effect.flip(read(two, { columns: both }))).message, '"Each" is given both decimal marks')
    const text = '{ "version": 1, "columns": { "number": { "column": "No", "decimalMark": "comma" } } }'
    const { findings } = yield* Effect.flip(MapFile.load("map.json", text))
    assert.strictEqual(findings.length, 1)
  })
})

describe("the encoding", () => {
  const polish = Uint8Array.from(plain.replace("Pen", "Sp\xf3\xb3ka \xaf\xf3\xb3w"), (c) => c.charCodeAt(0))

  it.effect("is asked with the texts side by side, another encoding and UTF-8 last", function* () {
    const { readings } = yield* question(polish)
    assert.deepStrictEqual(readings[0], {
      reading: "windows-1250",
      examples: ["Spółka Żółw"],
      answer: { settings: { encoding: "windows-1250" } }
    })
    assert.deepStrictEqual(
      readings.slice(-2).map(({ answer, reading }) => [reading, answerText(answer)]),
      [
        ["another encoding, whose name you type", "ask encoding"],
        ["I have saved the file as UTF-8", "encoding utf-8"]
      ]
    )
  })

  it.effect("other than UTF-8 is shown with texts, and the answer is read", function* () {
    const { documents, findings } = yield* read(polish, { settings: { encoding: "windows-1250" } })
    assert.strictEqual(documents[0]!.lines[0]!.description, "Spółka Żółw")
    assert.deepStrictEqual(
      findings.map(({ code, message }) => [code, message]),
      [["CSV_ENCODING", 'windows-1250 (as you said): "Spółka Żółw"']]
    )
  })

  it.effect("of an earlier file does not garble a file in UTF-8", function* () {
    const { documents, findings } = yield* read(plain.replace("Pen", "Świętokrzyska żółć"), {
      settings: { encoding: "windows-1250" }
    })
    assert.strictEqual(documents[0]!.lines[0]!.description, "Świętokrzyska żółć")
    assert.deepStrictEqual(findings, [])
  })

  it.effect("leaves the names that identify files as they are, before and after the answer", function* () {
    const named = Uint8Array.from(`Sp\xf3\xb3ka,\xaf\xf3\xb3w,${plain}`.replace("\n", "\nx,y,"), (c) => c.charCodeAt(0))
    const before = yield* headerOf(file(named))
    assert.include(before, "InvoiceNumber")
    assert.deepStrictEqual(yield* headerOf(file(named), { settings: { encoding: "windows-1250" } }), before)
  })

  it.effect("with characters of several bytes may contain the bytes of a bar and a backslash", function* () {
    // 0x81 0x7C and 0x81 0x5C are characters whose second bytes are | and \
    const text = plain.replaceAll(",", "|").replace("Pen", "\x81\x5c\x81\x7c")
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0))
    const { documents } = yield* read(bytes, { settings: { encoding: "gbk" } })
    const expected = new TextDecoder("gbk").decode(Uint8Array.of(0x81, 0x5c, 0x81, 0x7c))
    assert.strictEqual(documents[0]!.lines[0]!.description, expected)
  })
})

describe("a detected setting", () => {
  it.effect("from a byte order mark has priority over the operator's setting", function* () {
    const { documents } = yield* read(`\ufeff${plain.replace("Pen", "Öl")}`, { settings: { encoding: "gbk" } })
    assert.strictEqual(documents[0]!.lines[0]!.description, "Öl")
  })

  it.effect("that is open for one file stops all files before any is read", function* () {
    const asked = yield* question(input(plain, plain.replace("2026-01-05", "03/02/2026")))
    assert.strictEqual(asked.file, "in2.csv")
  })
})

describe("the draft of a mapping book", () => {
  it.effect("counts all spellings of taxes, currencies and payment methods", function* () {
    const text = `${header},PaymentMethod\n1,2026-01-05,USD,Pen,1,2.50,S,Card\n1,2026-01-05,USD,Ink,1,2.50,S,Card\n2,2026-01-05,ZWG,Ink,1,2.50,Z,\n`
    assert.deepStrictEqual(yield* adapter.draftBook!(input(text), {}), {
      taxes: [
        { spelling: "S", count: 2, examples: ["1"] },
        { spelling: "Z", count: 1, examples: ["2"] }
      ],
      currencies: [
        { spelling: "USD", count: 1, examples: ["1"] },
        { spelling: "ZWG", count: 1, examples: ["2"] }
      ],
      payments: [{ spelling: "Card", count: 1, examples: ["1"] }]
    })
  })
})

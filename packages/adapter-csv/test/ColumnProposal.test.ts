import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { propose } from "../src/propose/ColumnProposal.ts"
import * as MapFile from "../src/columns/MapFile.ts"
import { file, read } from "./Sample.ts"

const german =
  "Export vom Montag;;;\nBeleg;Datum;Art;Kunde;Item;Qty;Price;Amount;VAT Code;Lager\n" +
  "R-1;31.01.2026;Rechnung;Müller;Öl;2;9.585,24;19.170,48;S;A\n" +
  "R-2;01.02.2026;Storno;Müller;Öl;1;1,00;1,00;S;B\n"

const sales = (text: string) => file(text, "sales.csv")

describe("the proposal of a column map", () => {
  it.effect("lists the recognized columns with examples, and the unrecognized columns", function* () {
    const text = yield* propose(
      sales(
        german
          .replace("Beleg", "Invoice No.")
          .replace("Datum", "Date")
          .replace("Art", "Type")
          .replace("Kunde", "Customer")
      )
    )
    const lines = text.split("\n").map((line) => line.trim())
    for (const expected of [
      '"layout": "rows", // "Invoice No." is filled in every row',
      '"number": "Invoice No.", // "R-1", "R-2"',
      '"date": "Date", // "31.01.2026", "01.02.2026"',
      '"quantity": "Qty", // "2", "1"',
      '"taxes": [{"code":"VAT Code"}], // "S"',
      '// not used: "Lager" ("A", "B")',
      '"Rechnung": "invoice",',
      '// "Storno": invoice, credit-note or skip?',
      '"delimiter": "semicolon",',
      '"headerLine": 2,',
      '"dates": "dmy", // "31.01.2026" can be read in no other way',
      '"decimalMark": "comma", // numbers of "Amount": "19.170,48" can be read in no other way',
      '// "currency": the file does not say which currency its amounts are in: … (9.585,24, 19.170,48, 1,00)'
    ]) {
      assert.include(lines, expected)
    }
  })

  it.effect("can be loaded and used after the open questions are answered", function* () {
    const source = german
      .replace("Beleg", "Invoice No.")
      .replace("Datum", "Date")
      .replace("Art", "Type")
      .replace("Kunde", "Customer")
    const text = yield* propose(sales(source))
    const columns = yield* MapFile.load(
      "map.json",
      text
        .replace('// "currency": ', '"currency": "EUR", // ')
        .replace('// "Storno": invoice, credit-note or skip?', '"Storno": "credit-note",')
    )
    const { documents } = yield* read(source, { columns })
    assert.deepStrictEqual(
      documents.map(({ currency, kind, number }) => [number, kind, currency]),
      [
        ["R-1", "invoice", "EUR"],
        ["R-2", "credit-note", "EUR"]
      ]
    )
    assert.strictEqual(formatPlain(documents[0]!.lines[0]!.lineAmount!), "19170.48")
  })

  it.effect("takes a row of names as the header even if all names are unknown", function* () {
    const text = yield* propose(sales("Laskut tammikuu;;\nNumero;Päivä;Asiakas;Määrä\n1;05.01.2026;Ada;2,50\n"))
    assert.include(text, '"headerLine": 2,')
    assert.include(text, '// not used: "Päivä" ("05.01.2026")')
  })

  it.effect("uses a percent column as the tax code if no column names the tax", function* () {
    const text = yield* propose(
      sales(
        "Rechnungsnr.;Rechnungsdatum;Kunde;Artikelbezeichnung;Menge;Einzelpreis;MwSt-Satz;Währung\n" +
          "R-1;31.01.2026;Müller;Öl;2;9,50;19 %;EUR\n"
      )
    )
    assert.include(text, '"taxes": [{"code":"MwSt-Satz"}], // "19 %"')
    const columns = yield* MapFile.load("map.json", text)
    assert.deepStrictEqual(columns.columns?.number, "Rechnungsnr.")
  })

  it.effect("detects how quotes are escaped and reads the cells accordingly", function* () {
    const head = "Number,Date,Customer,Description,Qty,Price,Tax Code"
    const escaped = yield* propose(sales(`${head}\n1,2026-01-05,"Say \\"hi\\", ok",Pen,1,2.50,S\n`))
    assert.include(escaped, '"quotes": "backslash", // cells hold backslashes, and only so is every row sound')
    assert.include(escaped, '"customerName": "Customer", // "Say \\"hi\\", ok"')
    const both = yield* propose(
      sales(`${head}\n1,2026-01-05,"Say \\"hi\\"\n, ok",Pen,1,2.50,S\n2,2026-01-05,"C:\\dir\\",Pen,1,2.50,S\n`)
    )
    assert.include(both, '// "quotes": quoted cells hold backslashes')
    yield* MapFile.load("map.json", both)
  })

  it.effect("asks for the tax of charges if no column names it", function* () {
    const text = yield* propose(
      sales("order_number,Date,Item,Qty,Price,shipping_total,shipping_tax_total\n1,2026-01-05,Pen,1,2.50,5.00,0.75\n")
    )
    assert.include(text, '"shippingTaxAmount": "shipping_tax_total", // "0.75"')
    assert.include(text, '// "chargeTaxes": { "shipping": "…" }: no column names the tax of these charges')
  })

  it.effect("writes decisions for the operator as comments that list the choices", function* () {
    const text = yield* propose(
      sales("Number,Date,Customer,Description,Qty,Price,Tax Code\n1,03/02/2026,Ada,Pen,1,2.50,S\n")
    )
    assert.include(
      text,
      '// "dates": dates can be read in more than one order: dmy (03/02/2026 = 2026-02-03) or mdy (03/02/2026 = 2026-03-02)'
    )
    assert.include(text, '// "amounts": "inclusive" or "exclusive"')
    yield* MapFile.load("map.json", text)
  })

  it.effect("states a decimal mark for each column if columns differ", function* () {
    const text = yield* propose(sales("Number;Date;Qty;Price;VAT Code;VAT %\n1;2026-01-05;2.5;10,00;S;15.5\n"))
    const lines = text.split("\n").map((line) => line.trim())
    assert.include(lines, '"quantity": {"column":"Qty","decimalMark":"point"}, // "2.5"')
    assert.include(lines, '"unitPrice": {"column":"Price","decimalMark":"comma"}, // "10,00"')
    assert.include(
      lines,
      '"taxes": [{"code":"VAT Code","percent":{"column":"VAT %","decimalMark":"point"}}], // "S"; "15.5"'
    )
    assert.notInclude(text, '    "decimalMark"')
    yield* MapFile.load("map.json", text)
  })

  it.effect("is made even if no column name looks like a document number", function* () {
    const text = yield* propose(sales("Beleg;Kunde;Menge;Price;VAT Code\nR1;Ada;1;2,50;S\n"))
    assert.include(text, '// "number": "…", no column is called like that')
    assert.include(text, '// not used: "Beleg" ("R1")')
    const error = yield* Effect.flip(read("Beleg;Price\n", { columns: yield* MapFile.load("map.json", text) }))
    assert.include(error.message, "the column map names no column for `number`")
  })

  it.effect("recognizes continuation rows and reports", function* () {
    const head = "Number,Date,Customer,Description,Qty,Price,Tax Code"
    const continued = yield* propose(sales(`${head}\n1,2026-01-05,Ada,Pen,1,2.50,S\n,,,Ink,1,2.50,S\n`))
    assert.include(continued, '"layout": "continuation", // "Number" is blank in 1 of 2 rows')
    const report = yield* propose(
      sales(`Sales\n,${head}\nAda,,,,,,,\n,1,2026-01-05,Ada,Pen,1,2.50,S\nTotal for Ada,,,,,,2.50,\n`)
    )
    assert.include(report, '"layout": "report", // rows with one cell (1) and total rows (1) are among the others')
    assert.notInclude(report, '"groups"')
    const grouped = yield* propose(
      sales(
        ",No.,Date,Type,Item,Qty,Price,Tax Code\nAda,,,,,,,\n,1,05/01/2026,Invoice,Pen,1,2.50,S\n" +
          ",2,19/01/2026,Payment,Pen,1,2.50,S\nTotal for Ada,,,,,,2.50,\n"
      )
    )
    assert.include(grouped, '"groups": "customerName", // "Ada": take it out if these are no customers')
    assert.include(grouped, '// not used: a column without a name ("Ada", "Total for Ada")')
    assert.include(grouped, '"dates": "dmy", // "19/01/2026" can be read in no other way')
    assert.include(grouped, '// "Payment": invoice, credit-note or skip?')
  })

  it.effect("is not made if no row looks like a header", function* () {
    const error = yield* Effect.flip(propose(sales("a1,b2,c3\n1,2,3\n")))
    assert.include(error.message, "the line of the header")
  })
})

/** The traps of accounting exports (numbered as in the list of 25 that this adapter must survive); those that CSV cannot have are left out. */
import { formatAmount, formatPlain } from "@fiscal-connector/core/document/Money"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { CsvOptions } from "../src/CsvAdapter.ts"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import { input, question, read, said } from "./Sample.ts"

/** Rows of cells under their header, in the plain layout unless the header says otherwise. */
const table = (header: string, ...rows: ReadonlyArray<string>) => [header, ...rows, ""].join("\n")

const header = "InvoiceNumber,InvoiceDate,Currency,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,Total"
const row = (
  number: string,
  rest: Partial<
    Record<"date" | "name" | "text" | "qty" | "price" | "amount" | "tax" | "total" | "currency", string>
  > = {}
) =>
  [
    number,
    rest.date ?? "2026-01-05",
    rest.currency ?? "USD",
    rest.name ?? "Ada",
    rest.text ?? "Pen",
    rest.qty ?? "1",
    rest.price ?? "10.00",
    rest.amount ?? "10.00",
    rest.tax ?? "S",
    rest.total ?? "10.00"
  ].join(",")

const codes = (findings: ReadonlyArray<{ readonly code: string }>) => findings.map(({ code }) => code)

describe("traps", () => {
  it.effect("2: bills among sales are skipped and counted", () =>
    Effect.gen(function* () {
      const { documents, skipped } = yield* read(
        table(`Kind,${header}`, `Bill,${row("B-1")}`, `Invoice,${row("INV-1")}`, `in_invoice,${row("B-2")}`)
      )
      assert.deepStrictEqual(
        documents.map(({ number }) => number),
        ["INV-1"]
      )
      assert.deepStrictEqual(
        skipped.map(({ key, reason }) => `${key}: ${reason}`),
        ['B-1: kind "Bill"', 'B-2: kind "in_invoice"']
      )
    })
  )

  it.effect("2: a payment is no invoice unless the column map says so", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(table(`Kind,${header}`, `Payment,${row("P-1")}`))
      assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_KIND_UNKNOWN"])
    })
  )

  it.effect("3: drafts, voids and cancelled documents are skipped; a status nobody knows refuses its document", () =>
    Effect.gen(function* () {
      const { documents, skipped } = yield* read(
        table(
          `Status,${header}`,
          `Draft,${row("1")}`,
          `Voided,${row("2")}`,
          `Cancelled,${row("3")}`,
          `Paid,${row("4")}`,
          `Maybe,${row("5")}`
        )
      )
      assert.deepStrictEqual(
        skipped.map(({ key }) => key),
        ["1", "2", "3"]
      )
      assert.deepStrictEqual(
        documents.map(({ findings, number }) => [number, ...codes(findings)]),
        [["4"], ["5", "CSV_STATUS_UNKNOWN"]]
      )
    })
  )

  it.effect("4: a total that is not subtotal plus tax is stated as it stands", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(`${header},SubTotal,TotalTax`, `${row("1", { total: "71.43" })},63.20,8.22`)
      )
      const { net, tax, total } = documents[0]!.totals
      assert.deepStrictEqual(
        [net, tax, total].map((amount) => formatAmount(amount!)),
        ["63.20", "8.22", "71.43"]
      )
    })
  )

  it.effect("6: whether amounts include tax is never guessed, and lines that disagree are refused", () =>
    Effect.gen(function* () {
      const unstated = yield* read(table(header, row("1")))
      assert.strictEqual(unstated.documents[0]!.taxMode, "unstated")
      const settled = yield* read(table(header, row("1")), { settings: { amounts: "inclusive" } })
      assert.strictEqual(settled.documents[0]!.taxMode, "inclusive")
      const mixed = yield* read(
        table(`AmountsAre,${header}`, `inclusive,${row("1")}`, `exclusive,${row("1", { text: "Ink" })}`)
      )
      assert.deepStrictEqual(codes(mixed.documents[0]!.findings), ["CSV_AMOUNTS_MIXED"])
    })
  )

  it.effect("7: a civil date does not slip, and a time with an offset stays the instant it is", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(header, row("1", { date: "2018-10-20T00:00:00" }), row("2", { date: "2018-10-20T00:30:00+13:00" }))
      )
      assert.equal<unknown>(documents[0]!.date, "2018-10-20")
      assert.strictEqual(typeof documents[1]!.date, "object")
    })
  )

  it.effect("8: day and month are told apart over the whole file, else asked for", () =>
    Effect.gen(function* () {
      const one = (...dates: ReadonlyArray<string>) => table(header, ...dates.map((date, i) => row(`${i}`, { date })))
      const decided = yield* read(one("7/6/2019", "21/6/2019"))
      assert.equal<unknown>(decided.documents[0]!.date, "2019-06-07")
      const american = yield* read(one("7/6/2019", "6/21/2019"))
      assert.equal<unknown>(american.documents[0]!.date, "2019-07-06")
      const asked = yield* question(one("03/02/2026", "11/06/2026"))
      assert.deepStrictEqual(
        asked.readings.map(({ answer, examples }) => [said(answer), ...examples]),
        [
          ["dates dmy", "03/02/2026 = 2026-02-03", "11/06/2026 = 2026-06-11"],
          ["dates mdy", "03/02/2026 = 2026-03-02", "11/06/2026 = 2026-11-06"]
        ]
      )
      const contradictory = yield* question(one("31/01/2026", "01/31/2026"))
      assert.include(contradictory.question, "no order")
      const same = yield* read(one("05/05/2026", "06/06/2026"))
      assert.equal<unknown>(same.documents[1]!.date, "2026-06-06")
      const years = yield* question(one("25/04/12", "26/04/13"))
      assert.deepStrictEqual(
        years.readings.map(({ answer }) => said(answer)),
        ["dates dmy", "dates ymd"]
      )
      const words = yield* read(one("1-Apr-25", "Jan 28 2021", "20180226"))
      assert.deepStrictEqual(
        words.documents.map(({ date }) => date as string),
        ["2025-04-01", "2021-01-28", "2018-02-26"]
      )
      const yearless = yield* question(one("3101", "0502"))
      assert.deepStrictEqual(yearless.readings[0]!.examples, ["3101", "0502"])
      const given = yield* read(one("3101", "0502"), { settings: { year: 2026 } })
      assert.equal<unknown>(given.documents[1]!.date, "2026-02-05")
      const byNeighbour = yield* read(table(`DueDate,${header}`, `21/6/2019,${row("1", { date: "7/6/2019" })}`))
      assert.equal<unknown>(byNeighbour.documents[0]!.date, "2019-06-07")
    })
  )

  it.effect("9: the decimal mark is decided per column, and 1,000 alone is asked for", () =>
    Effect.gen(function* () {
      const amounts = (...cells: ReadonlyArray<string>) =>
        table(
          header,
          ...cells.map((amount, i) => row(`${i}`, { qty: "", price: "", total: "", amount: `"${amount}"` }))
        )
      const values = (text: string, options?: CsvOptions) =>
        Effect.map(read(text, options), ({ documents }) =>
          documents.map(({ lines }) => formatPlain(lines[0]!.lineAmount!))
        )
      assert.deepStrictEqual(yield* values(amounts("-19.170,48", "1.234")), ["-19170.48", "1234"])
      assert.deepStrictEqual(yield* values(amounts("12,48,500.00", "1,020.00", "1,000")), ["1248500", "1020", "1000"])
      assert.deepStrictEqual(yield* values(amounts("1200,00", "1,5")), ["1200", "1.5"])
      const asked = yield* question(amounts("1,000", "2"))
      assert.deepStrictEqual(
        asked.readings.map(({ answer, examples }) => [said(answer), ...examples]),
        [
          ["decimalMark point", "1,000 = 1000"],
          ["decimalMark comma", "1,000 = 1"]
        ]
      )
      assert.deepStrictEqual(yield* values(amounts("1,000"), { settings: { decimalMark: "point" } }), ["1000"])
      const contradictory = yield* question(amounts("1,5", "1.5"))
      assert.include(contradictory.question, "LineAmount")
    })
  )

  it.effect(
    "9: quantities and amounts follow each other only where quantity × price comes out in one reading alone",
    () =>
      Effect.gen(function* () {
        const line = (qty: string, price: string, amount: string) =>
          table(header, row("1", { qty: `"${qty}"`, price: `"${price}"`, amount: `"${amount}"`, total: "" }))
        const quantity = (text: string) =>
          Effect.map(read(text), ({ documents }) => formatPlain(documents[0]!.lines[0]!.quantity!))
        assert.strictEqual(yield* quantity(line("1,000", "2.50", "2,500.00")), "1000")
        assert.strictEqual(yield* quantity(line("1.000", "12,50", "12,50")), "1")
        const alone = yield* question(line("1,000", "", "12.50"))
        assert.include(alone.question, "Quantity")
        const bothWays = yield* question(line("2,2", "8,000", "17,600"))
        assert.include(bothWays.question, "UnitPrice")
      })
  )

  it.effect("10: money signs, brackets, trailing and typographic minus, thin spaces", () =>
    Effect.gen(function* () {
      const forms = ["$1,149.00 ", "($33.62)", "-$12.00", "12.00-", "\u221212.00", "1\u00a0234.50", "--"]
      const { documents } = yield* read(
        table(header, ...forms.map((amount, i) => row(`${i}`, { price: "", total: "", amount: `"${amount}"` })))
      )
      assert.deepStrictEqual(
        documents.map(({ lines }) => lines[0]!.lineAmount && formatPlain(lines[0]!.lineAmount)),
        ["1149", "-33.62", "-12", "-12", "-12", "1234.5", undefined]
      )
    })
  )

  it.effect("12: signs of credit notes are stated as they are; a negative total alone makes no credit note", () =>
    Effect.gen(function* () {
      const text = table(header, row("1", { qty: "-1", amount: "-10.00", total: "-10.00" }))
      const { documents } = yield* read(text)
      assert.strictEqual(documents[0]!.kind, "invoice")
      assert.strictEqual(formatPlain(documents[0]!.totals.total!), "-10")
      const said = yield* read(text, { settings: { negativeTotals: "credit-note" } })
      assert.strictEqual(said.documents[0]!.kind, "credit-note")
      const withoutTotal = yield* read(table(header, row("1", { qty: "-1", amount: "-10.00", total: "" })), {
        settings: { negativeTotals: "credit-note" }
      })
      assert.strictEqual(withoutTotal.documents[0]!.kind, "credit-note")
      const prefixed = yield* read(table(header, row("CN-1")), { settings: { creditNotePrefixes: ["CN-"] } })
      assert.strictEqual(prefixed.documents[0]!.kind, "credit-note")
    })
  )

  it.effect("13: negative, zero and description-only lines are stated, not dropped", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(
          header,
          row("1", { total: "" }),
          row("1", { text: "Discount", qty: "0.05", price: "-36", amount: "-1.80", total: "" }),
          row("1", { text: "Thank you", qty: "", price: "", amount: "", tax: "", total: "" }),
          row("1", { text: "", qty: "", price: "", amount: "0", tax: "", total: "" })
        )
      )
      assert.deepStrictEqual(
        documents[0]!.lines.map(({ description, lineAmount }) => [description, lineAmount && formatPlain(lineAmount)]),
        [
          ["Pen", "10"],
          ["Discount", "-1.8"],
          ["Thank you", undefined],
          [undefined, "0"]
        ]
      )
    })
  )

  it.effect("14 and 15: a line amount is stated as it is, and discounts by percent and by amount are told apart", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(
          `${header},Discount,DiscountPercent`,
          `${row("1", { qty: "1000", price: "0.0612", amount: "61.17", total: "" })},,`,
          `${row("1", { text: "b", total: "" })},2.00,`,
          `${row("1", { text: "c", total: "" })},,5`,
          `${row("1", { text: "d", total: "" })},0.00,0`
        )
      )
      const lines = documents[0]!.lines
      assert.strictEqual(formatPlain(lines[0]!.lineAmount!), "61.17")
      const said = lines.map(({ discount }) =>
        discount === undefined
          ? "none"
          : "amount" in discount
            ? formatPlain(discount.amount)
            : `${formatPlain(discount.percent)} %`
      )
      assert.deepStrictEqual(said, ["none", "2", "5 %", "none"])
    })
  )

  it.effect("16: shipping, adjustment, rounding and document discounts are charges, not lines", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(
          `${header},Shipping,Adjustment,Rounding,DocumentDiscount,Fee`,
          `${row("1", { total: "819.20" })},109.20,50,-0.01,5.00,0.00`
        )
      )
      assert.deepStrictEqual(
        documents[0]!.charges.map(({ amount, kind }) => [kind, formatAmount(amount)]),
        [
          ["shipping", "109.20"],
          ["adjustment", "50.00"],
          ["rounding", "-0.01"],
          ["discount", "5.00"]
        ]
      )
      assert.strictEqual(documents[0]!.lines.length, 1)
      assert.strictEqual(documents[0]!.where(["charges", 1]).text, "50")
    })
  )

  it.effect("16: a charge has the tax that its own columns name, else the one that the person has said", () =>
    Effect.gen(function* () {
      const text = table(
        `${header},Shipping,ShippingTaxCode,ShippingTaxPercent,ShippingTaxAmount,Fee`,
        `${row("1")},50.00,S,15,7.50,3.00`,
        `${row("1", { text: "Ink" })},50.00,S,15,7.50,3.00`,
        `${row("2")},50.00,,,,`,
        `${row("3")},50.00,,,7.50,`,
        `${row("4")},0.00,,,7.50,`,
        `${row("5")},50.00,S,,7.5x,`
      )
      const taxes = (options: CsvOptions) =>
        Effect.map(read(text, options), ({ documents }) =>
          documents.map(({ charges }) =>
            charges.map(({ kind, taxes }) =>
              [kind, ...taxes.flatMap(({ amount, code, percent }) => [code, percent, amount])]
                .map((part) => (typeof part === "object" ? formatPlain(part) : (part ?? "-")))
                .join(" ")
            )
          )
        )
      assert.deepStrictEqual(yield* taxes({}), [
        ["shipping S 15 7.5", "fee"],
        ["shipping"],
        ["shipping  - 7.5"],
        [],
        ["shipping S - -"]
      ])
      const said = yield* taxes({ settings: { chargeTaxes: { shipping: "Z", fee: "F" } } })
      assert.deepStrictEqual(said.slice(0, 3), [
        ["shipping S 15 7.5", "fee F - -"],
        ["shipping Z - -"],
        ["shipping Z - 7.5"]
      ])
      const { documents } = yield* read(text)
      assert.deepStrictEqual(
        documents.map(({ findings }) => codes(findings)),
        [[], [], [], ["CSV_CHARGE_TAX_ALONE"], ["CSV_NUMBER_UNREADABLE"]]
      )
      assert.strictEqual(documents[0]!.where(["charges", 0, "taxes"]).text, "S")
      assert.strictEqual(documents[0]!.where(["charges", 0]).text, "50.00")
    })
  )

  it.effect("17: a tax code stays the text it is, two taxes on a line stay two, none stays none", () =>
    Effect.gen(function* () {
      const columns: ColumnMap = {
        version: 1,
        columns: {
          number: "No",
          date: "Date",
          lineAmount: "Amount",
          taxes: [{ code: "T1", amount: "A1" }, { code: "T2" }]
        },
        settings: { currency: "USD" }
      }
      const { documents } = yield* read(
        table(
          "No,Date,Amount,T1,A1,T2",
          "1,2026-01-05,10,20% (VAT on Income),2.00,PST",
          "1,2026-01-05,11,L/GST-18%,,",
          "1,2026-01-05,12,,,"
        ),
        { columns }
      )
      assert.deepStrictEqual(
        documents[0]!.lines.map(({ taxes }) => taxes.map(({ code }) => code)),
        [["20% (VAT on Income)", "PST"], ["L/GST-18%"], []]
      )
    })
  )

  it.effect("18: blank parent cells go on with the document above, and tax rows beside them are no lines", () =>
    Effect.gen(function* () {
      const columns: ColumnMap = {
        version: 1,
        layout: "continuation",
        columns: { number: "No", date: "Date", description: "Item", lineAmount: "Amount", taxes: [{ code: "Code" }] },
        settings: { currency: "USD" }
      }
      const text = table(
        "Row,No,Date,Item,Amount,Code,Tax account",
        "1,S1,2026-01-05,Pen,10,S,VAT",
        ",,,Ink,20,S,",
        ",,,,,,Levy",
        ",S2,2026-01-06,Pad,5,S,VAT",
        ",,2026-01-07,Cup,5,S,"
      )
      const { documents, findings } = yield* read(text, { columns })
      assert.deepStrictEqual(
        documents.map(({ lines, number }) => [number, lines.length]),
        [
          ["S1", 2],
          ["S2", 1]
        ]
      )
      assert.deepStrictEqual(codes(findings), ["CSV_KEY_MISSING"])
      assert.deepStrictEqual(codes(documents[1]!.findings), ["CSV_LINE_LOST"])
    })
  )

  it.effect("19: totals repeated on every row are taken once, and rows that disagree are a conflict", () =>
    Effect.gen(function* () {
      const good = yield* read(
        table(header, row("1", { total: "1580.94" }), row("1", { text: "Ink", total: "1580.9400" }))
      )
      assert.strictEqual(formatAmount(good.documents[0]!.totals.total!), "1580.94")
      assert.deepStrictEqual(good.documents[0]!.findings, [])
      const bad = yield* read(
        table(header, row("55", { name: "Ada" }), row("55", { name: "Bob", text: "Ink", date: "2026-01-06" }))
      )
      assert.deepStrictEqual(
        bad.documents[0]!.findings.map(({ code, path }) => [code, path.join(".")]),
        [
          ["CSV_HEADER_CONFLICT", "date"],
          ["CSV_HEADER_CONFLICT", "buyer.name"]
        ]
      )
    })
  )

  it.effect("19: one number for several customers is several documents where the grouping key says so", () =>
    Effect.gen(function* () {
      const columns: ColumnMap = {
        version: 1,
        columns: { number: "No", date: "Date", customerName: "Who", lineAmount: "Amount", taxes: [{ code: "Code" }] },
        group: ["No", "Who"],
        settings: { currency: "USD" }
      }
      const { documents } = yield* read(
        table("No,Date,Who,Amount,Code", "55,2026-01-05,Ada,1,S", "55,2026-01-05,Bob,2,S"),
        { columns }
      )
      assert.strictEqual(documents.length, 2)
    })
  )

  it.effect("20: rows written twice are told from lines that are alike by the document's total", () =>
    Effect.gen(function* () {
      const twice = (total: string) =>
        table(
          header,
          row("2", { amount: "26.67", price: "26.67", total }),
          row("2", { amount: "26.67", price: "26.67", total })
        )
      const mistaken = yield* read(twice("26.67"))
      assert.strictEqual(mistaken.documents[0]!.lines.length, 1)
      assert.deepStrictEqual(codes(mistaken.documents[0]!.findings), ["CSV_ROWS_DROPPED"])
      const meant = yield* read(twice("53.34"))
      assert.strictEqual(meant.documents[0]!.lines.length, 2)
      assert.deepStrictEqual(meant.documents[0]!.findings, [])
      const undecided = yield* read(twice("99.99"))
      assert.deepStrictEqual(codes(undecided.documents[0]!.findings), ["CSV_ROWS_REPEATED"])
      const said = yield* read(twice(""), { settings: { repeatedRows: "keep" } })
      assert.strictEqual(said.documents[0]!.lines.length, 2)
      assert.deepStrictEqual(said.documents[0]!.findings, [])
    })
  )

  it.effect("21: title rows, blank rows, a header repeated further down and trailing empty columns are furniture", () =>
    Effect.gen(function* () {
      const text = `Sales 2026\nprinted on Monday,by Ada\n\n${header},,\n${row("1")},,\n\n,,,,,,,,,,,\n${header},,\n${row("2")},,\n`
      const { documents, findings } = yield* read(text)
      assert.deepStrictEqual(
        documents.map(({ number }) => number),
        ["1", "2"]
      )
      assert.deepStrictEqual(findings, [])
      assert.strictEqual(documents[0]!.where([]).line, 5)
    })
  )

  it.effect(
    "21: blank cells beyond the header are allowed where all rows have them, and no sign of a cell too many",
    () =>
      Effect.gen(function* () {
        const [head, ...rows] = [header, row("1"), row("2"), row("3", { text: "Box" })]
        const trailing = yield* read(table(head, ...rows.map((row) => `${row},`)))
        assert.deepStrictEqual(trailing.findings, [])
        assert.strictEqual(trailing.documents.length, 3)
        const reason = ",Reason"
        const shifted = rows.map((row) => `${row},`.replace("Box", "Box, 5"))
        const { documents, findings } = yield* read(table(head + reason, ...shifted))
        assert.deepStrictEqual(
          findings.map(({ at, code, detail }) => [code, at?.line, detail]),
          [["CSV_ROW_WIDTH", 4, "12 cells, the header has 11"]]
        )
        assert.strictEqual(documents.length, 2)
      })
  )

  it.effect("22: every encoding and dialect gives the same documents", () =>
    Effect.gen(function* () {
      const text = table(
        header,
        row("1", { name: '"Jos\u00e9, \u201cNoir\u201d\n& M\u00fcller"' }),
        row("2", { name: "Stra\u00dfe" })
      )
      const wide = Uint8Array.from(Buffer.from(`\ufeff${text}`, "utf16le"))
      const windows = Uint8Array.from(text, (c) => ({ "\u201c": 0x93, "\u201d": 0x94 })[c] ?? c.charCodeAt(0))
      const variants: ReadonlyArray<Uint8Array | string> = [
        text,
        `\ufeff${text}`,
        text.replaceAll("\n", "\r\n"),
        wide,
        wide.toReversed().map((_, i) => wide[i ^ 1]!),
        windows
      ]
      for (const variant of variants) {
        const { documents } = yield* read(variant)
        assert.deepStrictEqual(
          documents.map(({ buyer }) => buyer?.name?.replaceAll("\r\n", "\n")),
          ["Jos\u00e9, \u201cNoir\u201d\n& M\u00fcller", "Stra\u00dfe"]
        )
      }
      for (const delimiter of [";", "\t", "|"]) {
        const plain = table(header, row("1", { name: "Jos\u00e9" })).replaceAll(",", delimiter)
        for (const variant of [plain, `sep=${delimiter}\r\n${plain}`, plain.replaceAll("\n", "\r")]) {
          const { documents } = yield* read(variant)
          assert.strictEqual(documents[0]!.buyer?.name, "Jos\u00e9")
        }
      }
    })
  )

  it.effect("22: backslashes before quotes are understood when only one way of quoting gives sound rows", () =>
    Effect.gen(function* () {
      const escaped = yield* read(table(header, row("1", { text: '"say \\"hi\\", ok"' })))
      assert.strictEqual(escaped.documents[0]!.lines[0]!.description, 'say "hi", ok')
      const path = yield* read(table(header, row("1", { text: '"C:\\dir\\"' })))
      assert.strictEqual(path.documents[0]!.lines[0]!.description, "C:\\dir\\")
      const asked = yield* question(
        table(header, row("1", { text: '"say \\"hi\\", ok"' }), row("2", { text: '"C:\\dir\\"' }))
      )
      assert.deepStrictEqual(
        asked.readings.map(({ answer }) => said(answer)),
        ["quotes doubled", "quotes backslash"]
      )
    })
  )

  it.effect("22: ragged rows, NULs and unterminated quotes cost what they stand in and nothing else", () =>
    Effect.gen(function* () {
      const text = table(
        header,
        row("1"),
        "2,2026-01-05,USD",
        row("3", { text: "a\u0000b" }),
        row("4", { text: '"open' }),
        row("5")
      )
      const { documents, findings } = yield* read(text)
      assert.deepStrictEqual(
        findings.map(({ at, code }) => [code, at?.line]),
        [
          ["CSV_ROW_WIDTH", 3],
          ["CSV_UNTERMINATED_QUOTE", 5]
        ]
      )
      assert.deepStrictEqual(
        documents.map(({ findings, number }) => [number, ...codes(findings)]),
        [["1"], ["3", "CSV_NUL"], ["5"]]
      )
    })
  )

  it.effect("23: identifiers stay text, and what a spreadsheet did to them is reported", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(
          header,
          row("0000001"),
          row("2520018000000073144"),
          row("#1001"),
          row("1.23E+12"),
          row("'0007"),
          row("=1+1")
        )
      )
      assert.deepStrictEqual(
        documents.map(({ findings, number }) => [number, ...codes(findings)]),
        [
          ["0000001"],
          ["2520018000000073144"],
          ["#1001"],
          ["1.23E+12", "CSV_IDENTIFIER_DAMAGED"],
          ["0007", "CSV_APOSTROPHE"],
          ["=1+1", "CSV_FORMULA"]
        ]
      )
    })
  )

  it.effect("24: blank buyer cells are nothing, and nothing is invented for them", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(`${header},CustomerTIN,City,Street`, `${row("1", { name: "" })},,,`, `${row("2")},,Harare,`)
      )
      assert.strictEqual(documents[0]!.buyer, undefined)
      assert.deepStrictEqual(documents[1]!.buyer, { name: "Ada", address: { city: "Harare" } })
      assert.strictEqual(documents[1]!.paymentMethod, undefined)
    })
  )

  it.effect(
    "25: currencies keep the export's spelling, a file that names none is asked for it, signs may not contradict",
    () =>
      Effect.gen(function* () {
        const spelled = yield* read(table(header, row("1", { currency: "usd" }), row("2", { currency: "$" })))
        assert.deepStrictEqual(
          spelled.documents.map(({ currency }) => currency),
          ["usd", "$"]
        )
        const bare = "InvoiceNumber,InvoiceDate,Description,Quantity,UnitPrice,TaxCode"
        const asked = yield* question(table(bare, "1,2026-01-05,Pen,1,10.00,S"))
        assert.deepStrictEqual(
          asked.readings.map(({ answer, examples }) => [said(answer), ...examples]),
          [["ask currency", "10.00"]]
        )
        const bySign = yield* read(table(bare, "1,2026-01-05,Pen,1,$10.00,S"))
        assert.strictEqual(bySign.documents[0]!.currency, "$")
        const settled = yield* read(table(header, row("1", { currency: "" })), { settings: { currency: "ZWG" } })
        assert.strictEqual(settled.documents[0]!.currency, "ZWG")
        const conflict = yield* read(table(header, row("1", { price: "€10.00" })))
        assert.deepStrictEqual(codes(conflict.documents[0]!.findings), ["CSV_CURRENCY_CONFLICT"])
      })
  )

  it.effect("25: a money sign that stands only in a report's total rows is no document's currency", () =>
    Effect.gen(function* () {
      const columns: ColumnMap = {
        version: 1,
        layout: "report",
        groups: "customerName",
        columns: { number: "No", date: "Date", lineAmount: "Amount", taxes: [{ code: "Code" }] }
      }
      const text = table(",No,Date,Amount,Code", "Ada,,,,", ",1,2026-01-05,5.00,S", "Total for Ada,,,$5.00,")
      const asked = yield* question(text, { columns })
      assert.strictEqual(said(asked.readings[0]!.answer), "ask currency")
    })
  )

  it.effect("25: the same file again gives the same documents, wherever they stand", () =>
    Effect.gen(function* () {
      const [a, b] = [row("1"), row("2")]
      const { documents } = yield* read(input(table(header, a, b), table(header, b, a)))
      const said = documents.map(({ id, lines, totals }) =>
        JSON.stringify([id, lines.length, formatAmount(totals.total!)])
      )
      assert.deepStrictEqual(said.slice(0, 2), said.slice(2).toReversed())
    })
  )
})

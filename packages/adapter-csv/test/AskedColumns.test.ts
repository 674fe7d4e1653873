/** Questions about the columns of files whose names are unknown. */
import { assert, describe, it } from "../../core/test/It.ts"
import type { AskedColumns } from "../../core/src/source/Adapter.ts"
import { Effect } from "effect"
import { askedOf } from "../src/propose/AskedColumns.ts"
import { columnsOf } from "../src/propose/ColumnProposal.ts"
import type { CsvOptions } from "../src/CsvAdapter.ts"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import { file, read } from "./Sample.ts"

const rows = (...lines: ReadonlyArray<string>) => `${lines.join("\n")}\n`

const german = rows(
  "Beleg;Tag;Abnehmer;Ware;Stk;Einzel;Summe Pos;Satz;Whg",
  "R-1;03.02.2026;Müller;Stuhl;2;10,00;20,00;15,5;USD",
  "R-1;03.02.2026;Müller;Tisch;1;100,00;100,00;15,5;USD",
  "R-2;14.02.2026;Schmidt;Brot;4;2,50;10,00;0;USD"
)

const ask = (text: string, options: CsvOptions = {}) => askedOf(file(text, "sales.csv"), options)

const atLine = (headerLine: number): CsvOptions => ({ settings: { headerLine } })

/** Returns each proposed field with its column; `?` for a field or a column without a proposal. */
const proposals = ({ columns, fields }: AskedColumns) => [
  ...columns.flatMap(({ id, proposal }) => (proposal === "unused" ? [] : [`${proposal ?? "?"}: ${id}`])),
  ...fields.map(({ field }) => `${field}: ?`)
]

const reason = (text: string) =>
  Effect.map(Effect.flip(ask(text)), (error) =>
    error.reason._tag === "ExportUnreadable" ? error.reason.problem : error.reason._tag
  )

describe("the line of the names", () => {
  it.effect("is asked for if the values do not show it, with the first lines", function* () {
    const { fields, header } = yield* ask(
      rows("Ware;Art;Abnehmer", "Stuhl;Holz;Müller", "Tisch;Holz;Schmidt", "Brot;Korn;Schmidt")
    )
    assert.deepStrictEqual(fields, [])
    assert.strictEqual(header?.proposal, 1)
    assert.deepStrictEqual(
      header?.lines.map(({ line }) => line),
      [1, 2, 3, 4]
    )
  })

  it.effect("is asked for if the names of two lines are above the same values", function* () {
    const doubled = yield* ask(rows("Aa,Bb,Cc", "Dd,Ee,Ff", "A1,3.50,2026-02-03", "A2,4.50,2026-02-04"))
    assert.isDefined(doubled.header)
  })

  it.effect("is not asked for if it alone has texts above dates and figures", function* () {
    assert.isUndefined((yield* ask(german)).header)
    const titled = yield* ask(rows("ACME 2026", "", "Code 1,Code 2,Code 3", "A1,3.50,2026-02-03", "A2,4.50,2026-02-04"))
    assert.isUndefined(titled.header)
    assert.deepStrictEqual(
      titled.columns.map(({ id }) => id),
      ["Code 1", "Code 2", "Code 3"]
    )
  })

  it.effect("is absent if the first row has the values of an invoice", function* () {
    const nameless = rows("N-1,2026-02-03,Acme,Chair,2,10.00,20.00,S", "N-2,2026-02-14,Bolt,Bread,4,2.50,10.00,Z")
    assert.strictEqual((yield* ask(nameless)).header?.proposal, 0)
    const asked = yield* ask(nameless, atLine(0))
    assert.include(proposals(asked), "number: #1")
    assert.strictEqual(asked.columns[0]?.words, "column 1")
    assert.deepStrictEqual(asked.columns[0]?.meanings.find(({ id }) => id === "number")?.map, {
      settings: { headerLine: 0, delimiter: "comma" },
      layout: "rows",
      columns: { number: "#1" }
    })
  })

  it.effect("is not asked for if two names are known, or the operator states the line", function* () {
    const known = yield* ask(rows("Invoice Number,Invoice Date,Thing", "1,2026-02-03,Chair"))
    assert.isUndefined(known.header)
    assert.isUndefined((yield* ask(german, atLine(1))).header)
  })
})

describe("the fields of unknown columns", () => {
  it.effect("are shown by figures of three decimals, and by thousands, as the other figures are written", function* () {
    const shown = proposals(yield* ask(german, atLine(1)))
    for (const [two, one] of [
      ["2,000", "1,000"],
      ["2.000", "1.000"]
    ] as const) {
      const thousands = two === "2.000"
      const text = german
        .replace(";2;10,00;20,00", `;${two};${thousands ? "0,01" : "10,00"};20,00`)
        .replace(";1;100,00;100,00", `;${one};${thousands ? "0,10" : "100,00"};100,00`)
      assert.deepStrictEqual(proposals(yield* ask(text, atLine(1))), shown, two)
      const points = text.replaceAll(/(?<=;)\d+[.,]\d+(?=;)/g, (figure) =>
        figure.replaceAll(/[.,]/g, (mark) => (mark === "." ? "," : "."))
      )
      assert.deepStrictEqual(proposals(yield* ask(points, atLine(1))), shown, `${two} with points`)
    }
  })

  it.effect("have the column whose values show it, each with its evidence", function* () {
    const asked = yield* ask(german, atLine(1))
    assert.deepStrictEqual(proposals(asked), [
      "number: Beleg",
      "date: Tag",
      "customerName: Abnehmer",
      "description: Ware",
      "quantity: Stk",
      "unitPrice: Einzel",
      "lineAmount: Summe Pos",
      "tax.code: Satz",
      "currency: Whg"
    ])
    const [number] = asked.columns
    assert.deepInclude(number, {
      id: "Beleg",
      words: '"Beleg"',
      examples: ["R-1", "R-2"],
      unused: { unread: ["Beleg"] },
      proposal: "number"
    })
    assert.deepStrictEqual(number?.meanings[0], {
      id: "number",
      words: "the number of the invoice",
      evidence: ["every value has digits, and the rows of one value have one date"],
      map: { settings: { headerLine: 1, delimiter: "semicolon" }, layout: "rows", columns: { number: "Beleg" } }
    })
    // a text is not a figure, and a figure is not a text
    const idsOf = (column: string) => asked.columns.find(({ id }) => id === column)?.meanings.map(({ id }) => id) ?? []
    assert.notInclude(idsOf("Beleg"), "quantity")
    assert.notInclude(idsOf("Einzel"), "customerName")
  })

  it.effect("include credit notes with their originals and totals, and small totals are no percents", function* () {
    const asked = yield* ask(
      rows(
        "Beleg;Tag;Ware;Stk;Einzel;Summe Pos;Typ;Endsumme;Bezug",
        "R-1;03.02.2026;Stuhl;2;10,00;20,00;Rechnung;23,10;",
        "R-2;14.02.2026;Brot;4;2,50;10,00;Rechnung;11,55;",
        "G-1;15.02.2026;Brot;1;2,50;2,50;Gutschrift;2,89;R-2"
      ),
      atLine(1)
    )
    const found = proposals(asked)
    for (const proposal of ["kind: Typ", "original: Bezug", "total: Endsumme"]) assert.include(found, proposal)
    assert.notInclude(found, "tax.code: Endsumme")
    // a sum that is far above the amounts is something else
    const paid = yield* ask(
      rows("Aa,Bb,Cc,Dd,Ee,Ff", "X-1,2026-02-03,Chair,2,10.00,20.00", "X-2,2026-02-14,Lamp,1,5.00,5.00")
        .replace("Ff", "Ff,Gg")
        .replace(",20.00", ",20.00,90.00")
        .replace(",5.00\n", ",5.00,5.00\n"),
      atLine(1)
    )
    assert.notInclude(proposals(paid), "total: Gg")
  })

  it.effect("have no proposal if two columns could state them", function* () {
    const asked = yield* ask(
      rows(
        "Aa,Bb,Cc,Dd,Ee,Ff,Gg",
        "X-1,2026-02-03,2026-03-03,Chair,2,10.00,20.00",
        "X-2,2026-02-14,2026-03-14,Bread,4,2.50,10.00"
      ),
      atLine(1)
    )
    assert.include(proposals(asked), "date: ?")
    assert.include(proposals(asked), "unitPrice: Ff")
  })

  it.effect("are shown by equations: discounts of rows, and the sums of invoices without and with tax", function* () {
    const lines = Array.from({ length: 8 }, (_, i) => {
      const of = [0, 1].map((nth) => {
        const [quantity, price, off] = [2 + ((i * 3 + nth) % 7), 1137 + i * 211 + nth * 57, (i % 3) * 5]
        const amount = Math.round((quantity * price * (100 - off)) / 100)
        return { quantity, price, off, amount, tax: Math.round(amount * 0.15) }
      })
      const [net, tax] = [of[0]!.amount + of[1]!.amount, of[0]!.tax + of[1]!.tax]
      return of.map((one, nth) =>
        [
          `X-${i + 1}`,
          `2026-02-${String(14 + i)}`,
          nth === 0 ? "Chair" : `Lamp ${i}`,
          one.quantity,
          (one.price / 100).toFixed(2),
          one.off,
          (one.amount / 100).toFixed(2),
          15,
          (one.tax / 100).toFixed(2),
          (net / 100).toFixed(2),
          ((net + tax) / 100).toFixed(2)
        ].join(",")
      )
    }).flat()
    const found = proposals(yield* ask(rows("Aa,Bb,Cc,Dd,Ee,Ff,Gg,Hh,Ii,Jj,Kk", ...lines), atLine(1)))
    for (const proposal of [
      "quantity: Dd",
      "unitPrice: Ee",
      "discountPercent: Ff",
      "lineAmount: Gg",
      "net: Jj",
      "total: Kk"
    ])
      assert.include(found, proposal)
  })

  it.effect("are shown by the row's tax and its sum with the amount, and the total by that sum", function* () {
    const text = rows(
      "Nr;Dzień;Firma;Towar;Szt;Cena;Netto;Stawka;Podatek;Brutto;Do zapłaty",
      "FV/1;04.05.2026;Święch;Śruba;100;0,45;45,00;15%;6,75;51,75;238,03",
      "FV/1;04.05.2026;Święch;Młot;2;80,99;161,98;15%;24,30;186,28;238,03",
      "FV/2;06.05.2026;Łódź;Wiertło;3;12,50;37,50;15%;5,63;43,13;43,13",
      "FV/3;11.05.2026;Łódź;Piła;1;45,00;45,00;zw.;0,00;45,00;67,06",
      "FV/3;11.05.2026;Łódź;Gwóźdź;7;2,74;19,18;15%;2,88;22,06;67,06"
    )
    const found = proposals(yield* ask(text, atLine(1)))
    for (const one of ["lineAmount: Netto", "tax.amount: Podatek", "lineTotal: Brutto", "total: Do zapłaty"])
      assert.include(found, one)
  })

  it.effect("are never proposed for a running balance, whatever its values look like", function* () {
    const lines = (balances: ReadonlyArray<number>) => [
      `2026-02-03,Chair,2,10,20,${balances[0]}`,
      `2026-02-04,Desk,3,5,15,${balances[1]}`,
      `2026-02-05,Lamp,1,7,7,${balances[2]}`,
      `2026-02-06,Bread,4,2,8,${balances[3]}`
    ]
    const named = (balances: ReadonlyArray<number>) => ask(rows("Aa,Bb,Cc,Dd,Ee,Ff", ...lines(balances)), atLine(1))
    assert.include(proposals(yield* named([20, 35, 42, 50])), "number: ?")
    assert.include(proposals(yield* named([20, 36, 42, 50])), "number: Ff")
  })

  it.effect("are not proposed from values that no figure of the file supports", function* () {
    const asked = yield* ask(rows("Aa,Bb,Cc", "x,1,2", "y,3,5"), atLine(1))
    assert.include(proposals(asked), "unitPrice: ?")
    assert.include(proposals(asked), "quantity: ?")
    assert.include(proposals(asked), "date: ?")
  })

  it.effect("name a column by its place if several have the name, also with other capitals or signs", function* () {
    const asked = yield* ask(
      rows("Ref,Day,Name,NAME,Units,Value,value.,Code", "T-1,2026-02-03,Acme,Chair,2,10.00,20.00,S"),
      atLine(1)
    )
    assert.deepStrictEqual(
      asked.columns.map(({ id }) => id),
      ["Ref", "Day", "Name (1)", "NAME (2)", "Units", "Value (1)", "value. (2)", "Code"]
    )
    assert.strictEqual(asked.columns[5]?.proposal, "unitPrice")
    const second = asked.columns[6]?.meanings.find(({ id }) => id === "unitPrice")
    assert.deepStrictEqual(second?.map, { columns: { unitPrice: { column: "value.", nth: 2 } } })
  })

  it.effect("have answers of one text line, and none that has the name of a column", function* () {
    const asked = yield* ask('"Re\nf",none,typed\nX-1,2026-02-03,Chair\n', { settings: { headerLine: 1 } })
    assert.deepStrictEqual(
      asked.columns.map(({ id }) => id),
      ["Re f", "none (1)", "typed"]
    )
    assert.deepStrictEqual(asked.columns[0]?.meanings[0]?.map["columns"], { number: "Re\nf" })
  })

  it.effect(
    "are those of the first line where lines are side by side, and its answers read the further ones",
    function* () {
      const text = rows(
        "Nr,Tag,Artikel 1,Stk 1,Preis 1,Artikel 2,Stk 2,Preis 2",
        "I-1,2026-02-01,Chair,2,10.00,Desk,1,5.00",
        "I-2,2026-02-02,Chair,3,10.00,,,"
      )
      const asked = yield* ask(text)
      const ids = asked.columns.map(({ id }) => id)
      assert.deepStrictEqual(ids, ["Nr", "Tag", "Artikel 1", "Stk 1", "Preis 1"])
      const mapOf = (id: string, field: string) =>
        asked.columns.find((one) => one.id === id)!.meanings.find((one) => one.id === field)!
          .map as unknown as ColumnMap
      const columns: ColumnMap = {
        ...mapOf("Nr", "number"),
        columns: {
          date: "Tag",
          ...mapOf("Nr", "number").columns,
          ...mapOf("Artikel 1", "description").columns,
          ...mapOf("Stk 1", "quantity").columns,
          ...mapOf("Preis 1", "unitPrice").columns
        }
      }
      const { documents } = yield* read(text, { columns, settings: { amounts: "exclusive", currency: "USD" } })
      assert.deepStrictEqual(
        documents.map(({ lines }) => lines.map(({ description }) => description)),
        [["Chair", "Desk"], ["Chair"]]
      )
      // the page leaves the columns without a field unread
      assert.deepStrictEqual(
        (yield* columnsOf(file(text, "sales.csv"))).columns.map(({ name }) => name),
        ids
      )
      // item codes are no documents without lines
      const codes = yield* ask(rows("Invoice Number,Date,Item 1,Qty 1,Item 2,Qty 2", "1,2026-02-01,71,2,72,1"))
      assert.deepStrictEqual(proposals(codes), [
        "number: Invoice Number",
        "date: Date",
        "description: Item 1",
        "quantity: Qty 1"
      ])
    }
  )

  it.effect("leave out columns without a name or without a value, which no map can use", function* () {
    const asked = yield* ask(rows("Ref,,Day,Empty,Units", "T-1,x,2026-02-03,,2", "T-2,y,2026-02-04,,3"), atLine(1))
    assert.deepStrictEqual(
      asked.columns.map(({ id }) => id),
      ["Ref", "Day", "Units"]
    )
  })

  it.effect("have the layout that fits the column of the number", function* () {
    const asked = yield* ask(
      rows("Ref,Day,Thing,Units", "T-1,2026-02-03,Chair,2", ",,Desk,1", "T-2,2026-02-04,Lamp,3"),
      atLine(1)
    )
    const layouts = asked.columns.map(({ meanings }) => meanings.find(({ id }) => id === "number")?.map["layout"])
    assert.deepStrictEqual([layouts[0], layouts[3]], ["continuation", "rows"])
    // a report has no total and no remark in the column of the numbers
    const table = ["Doc,Day,Thing,Units,Sum", "T-1,2026-02-03,Chair,2,4.00", "TOTAL,,,2,4.00", "Prepared by Ada,,,,"]
    const layoutIn = (lines: ReadonlyArray<string>) =>
      Effect.map(
        ask(rows(...lines), atLine(1)),
        ({ columns }) =>
          columns.find(({ id }) => id === "Doc")?.meanings.find(({ id }) => id === "number")?.map["layout"]
      )
    assert.strictEqual(yield* layoutIn(table), "rows")
    const grouped = ["Moyo", "Moyo,T-1,2026-02-03,Chair,2,4.00", "Total Moyo,,,,2,4.00"]
    assert.strictEqual(yield* layoutIn([`Who,${table[0]}`, ...grouped]), "report")
  })

  it.effect("are shown by names beside the unknown ones, and each part of a tax has its own column", function* () {
    const text = rows(
      "Invoice Number,Invoice Date,Customer,Ware,Qty,Price,Amount,Town,VAT Code,VAT Amount",
      "1,2026-02-03,Acme,Chair,2,10.00,20.00,Harare,S,3.10"
    )
    const asked = yield* ask(text)
    for (const proposal of ["description: Ware", "number: Invoice Number", "city: Town", "tax.code: VAT Code"])
      assert.include(proposals(asked), proposal)
    const amount = asked.columns.find(({ id }) => id === "VAT Amount")
    assert.strictEqual(amount?.proposal, "tax.amount")
    assert.deepStrictEqual(amount?.meanings.find(({ id }) => id === "tax.amount")?.map, {
      columns: { taxes: [{ amount: "VAT Amount" }] }
    })
  })

  it.effect("are not proposed by a name alone if no value is a kind or a state", function* () {
    const named = (art: string) => rows("Beleg,Tag,Ware,Art", `K-1,2026-02-03,Stuhl,${art}`, "K-2,2026-02-04,Brot,Z0")
    const asked = yield* ask(named("A7"), atLine(1))
    assert.include(proposals(asked), "?: Art")
    assert.include(proposals(asked), "tax.code: ?")
    assert.include(proposals(yield* ask(named("Gutschrift"), atLine(1))), "kind: Art")
  })

  it.effect("are shown by figures with a currency on either side, as by plain ones", function* () {
    const text = (each: (amount: string) => string) =>
      rows(
        "Aa,Bb,Cc,Dd,Ee,Ff",
        `X-1,2026-02-03,Chair,2,${each("10.00")},${each("20.00")}`,
        `X-1,2026-02-03,Lamp,1,${each("7.50")},${each("7.50")}`,
        `X-2,2026-02-14,Bread,4,${each("2.50")},${each("10.00")}`
      )
    for (const each of [
      (amount: string) => amount,
      (amount: string) => `R${amount}`,
      (amount: string) => `${amount} USD`
    ]) {
      const asked = yield* ask(text(each), atLine(1))
      for (const proposal of ["quantity: Dd", "unitPrice: Ee", "lineAmount: Ff"])
        assert.include(proposals(asked), proposal, each(""))
    }
  })

  it.effect("are no taxes if they may be amounts of money, and may be another charge or a rounding", function* () {
    const asked = yield* ask(
      rows(
        "Aa,Bb,Cc,Dd,Ee,Ff,Gg",
        "X-1,2026-02-03,Chair,2,10.00,20.00,2.00",
        "X-1,2026-02-03,Lamp,1,7.50,7.50,2.00",
        "X-2,2026-02-14,Bread,4,2.50,10.00,1.00"
      ),
      atLine(1)
    )
    assert.include(proposals(asked), "?: Gg")
    const column = asked.columns.find(({ id }) => id === "Gg")
    for (const meaning of ["fee", "rounding", "shipping"])
      assert.isAbove(column?.meanings.find(({ id }) => id === meaning)?.evidence.length ?? 0, 0, meaning)
  })

  it.effect("are no charge and no discount if the column is the sum of the rows in every invoice", function* () {
    // also while two columns may be the number
    for (const [name, number] of [
      ["Gg", "X-"],
      ["Total", "X-"],
      ["Gg", "3"]
    ] as const) {
      const row = (nth: number, cells: string) => `${number}${nth},${cells},7${nth}`
      const asked = yield* ask(
        rows(
          `Aa,Bb,Cc,Dd,Ee,Ff,${name},Hh,Ii`,
          row(1, "2026-02-03,Chair,2,10.00,20.00,27.50,1.00"),
          row(1, "2026-02-03,Lamp,1,7.50,7.50,27.50,1.00"),
          row(2, "2026-02-14,Bread,4,2.50,10.00,21.00,2.50"),
          row(2, "2026-02-14,Pen,1,11.00,11.00,21.00,2.50"),
          row(3, "2026-02-15,Pen,3,11.00,33.00,33.00,2.00")
        ),
        atLine(1)
      )
      assert.strictEqual(
        asked.fields.some(({ field }) => field === "number"),
        number === "3"
      )
      const meanings = (column: string) =>
        asked.columns.find(({ id }) => id === column)?.meanings.map((meaning) => meaning.id) ?? []
      for (const charge of ["shipping", "fee", "rounding", "discount", "documentDiscount"]) {
        assert.notInclude(meanings(name), charge, name)
        assert.include(meanings("Hh"), charge)
      }
      assert.include(meanings(name), "total")
    }
  })

  it.effect("are no charge if the column is a total that no equation shows", function* () {
    // two taxes without a name, and shipping: 23.10 + 4.20 + 1.00 and so on
    const asked = yield* ask(
      rows(
        "Aa,Bb,Cc,Dd,Ee,Ff,Gg,Hh",
        "X-1,2026-02-03,Chair,2,10.00,20.00,28.30,1.00",
        "X-1,2026-02-03,Lamp,1,4.00,4.00,28.30,1.00",
        "X-2,2026-02-14,Bread,4,2.50,10.00,24.05,1.00",
        "X-2,2026-02-14,Pen,1,11.00,11.00,24.05,1.00"
      ),
      atLine(1)
    )
    const meanings = (column: string) =>
      asked.columns.find(({ id }) => id === column)?.meanings.map((meaning) => meaning.id) ?? []
    assert.notInclude(meanings("Gg"), "fee")
    assert.include(meanings("Hh"), "fee")
    assert.include(meanings("Gg"), "total")
  })

  it.effect("may be a charge if more than one document in ten states less than its rows", function* () {
    // no sum of a column of rows: each total has another tax or discount
    const meaningsFor = (totals: ReadonlyArray<string>) =>
      Effect.map(
        ask(
          rows(
            "Aa,Bb,Cc,Dd,Ee,Ff,Gg",
            ...totals.flatMap((total, i) => [
              `X-${i},2026-02-03,Chair ${i},2,10.00,20.00,${total}`,
              `X-${i},2026-02-03,Lamp ${i},1,4.00,4.00,${total}`
            ])
          ),
          atLine(1)
        ),
        ({ columns }) => columns.find(({ id }) => id === "Gg")?.meanings.map(({ id }) => id) ?? []
      )
    const nine = ["28.30", "27.10", "25.15", "26.31", "29.07", "24.90", "31.13", "24.40", "26.70"]
    // 24.00 less half a cent for two rows and the total
    assert.notInclude(yield* meaningsFor([...nine, "20.00"]), "fee")
    assert.include(yield* meaningsFor([...nine.slice(1), "20.00"]), "fee")
    assert.notInclude(yield* meaningsFor(["28.30", "27.10", "23.99"]), "fee")
    assert.include(yield* meaningsFor(["28.30", "27.10", "23.98"]), "fee")
  })

  it.effect("are no buyer if the value differs within one invoice, whatever states the items", function* () {
    const asked = yield* ask(german, { ...atLine(1), columns: { version: 1, columns: { description: "Abnehmer" } } })
    assert.include(proposals(asked), "description: Abnehmer")
    assert.notInclude(proposals(asked), "customerName: Ware")
  })

  it.effect("may be in a second column of the name of another field", function* () {
    const named = rows(
      "Voucher,Vdate,Client,Tel,Particulars,Units,Rate,Value,Remark",
      "X-1,2026-02-03,Moyo,0772123456,Room night,3,80.00,240.00,",
      "X-2,2026-02-04,Acme,0712000111,Room night,10,75.00,750.00,late",
      "X-3,2026-02-05,Moyo,0772123456,Dinner,6,12.00,72.00,"
    )
    const { columns, fields } = yield* ask(named, atLine(1))
    // a name says that the ten digits are no buyer's number
    const { meanings, proposal } = columns.find(({ id }) => id === "Tel")!
    assert.strictEqual(meanings.find(({ id }) => id === proposal)?.words, "the buyer's telephone number")
    assert.deepStrictEqual(fields.find(({ field }) => field === "description")?.columns, ["Particulars", "Remark"])
  })

  it.effect("lack those that another column states by name, if the own name states another field", function* () {
    const named = rows(
      "Rechnungsnr,Rechnungsdatum,Fälligkeitsdatum,Zahltag,Kunde,Bezeichnung,Menge,Einzelpreis,Betrag",
      "X-1,2026-02-03,2026-03-03,2026-03-01,Moyo,Chair,2,10.00,20.00",
      "X-1,2026-02-03,2026-03-03,2026-03-01,Moyo,Lamp,1,7.50,7.50",
      "X-2,2026-02-14,2026-03-14,2026-03-02,Acme,Bread,4,2.50,10.00"
    )
    const meanings = ({ columns }: AskedColumns, name: string) =>
      columns.find(({ id }) => id === name)?.meanings.map((meaning) => meaning.id) ?? []
    const asked = yield* ask(named, atLine(1))
    assert.notInclude(meanings(asked, "Fälligkeitsdatum"), "date")
    assert.notInclude(meanings(asked, "Kunde"), "description")
    assert.notInclude(meanings(asked, "Bezeichnung"), "customerName")
    // a name that states nothing contradicts nothing
    assert.include(meanings(asked, "Zahltag"), "date")
    assert.include(meanings(asked, "Kunde"), "customerName")
    // of numbers, the values decide
    assert.include(meanings(asked, "Einzelpreis"), "lineAmount")
    // the column of the name is not the date: another one has to be
    const other = yield* ask(named, { ...atLine(1), columns: { version: 1, unread: ["Rechnungsdatum"] } })
    assert.include(meanings(other, "Fälligkeitsdatum"), "date")
    assert.include(other.fields.find(({ field }) => field === "date")?.columns ?? [], "Fälligkeitsdatum")
  })

  it.effect("are any, if the values of the column of this name refuse it", function* () {
    const asked = yield* ask(
      rows(
        "Rechnungsnr,Datum,Fällig am,Kunde,Bezeichnung,Menge,Einzelpreis,Betrag",
        "X-1,sent,2026-03-03,Moyo,Chair,2,10.00,20.00",
        "X-2,open,2026-03-14,Acme,Bread,4,2.50,10.00"
      ),
      atLine(1)
    )
    assert.include(asked.columns.find(({ id }) => id === "Fällig am")?.meanings.map((one) => one.id) ?? [], "date")
  })

  it.effect("are not proposed by a name that the values refuse", function* () {
    const asked = yield* ask(
      rows(
        "Invoice No,Date,Valuta,Moneda,Client,Item,Qty,Price,Amount",
        "X-1,2026-02-03,2026-03-03,1.0000,2026-03-03,Chair,2,10.00,20.00",
        "X-2,2026-02-14,2026-03-14,1.0000,2026-03-14,Bread,4,2.50,10.00"
      )
    )
    for (const proposal of ["currency: Valuta", "currency: Moneda", "customerName: Client"])
      assert.notInclude(proposals(asked), proposal)
  })

  it.effect("are asked for if no column shows them, with the columns that may state them first", function* () {
    const asked = yield* ask(
      rows(
        "Aa,Bb,Cc,Dd,Ee,Ff,Gg",
        "X-1,2026-02-03,2026-03-03,Chair,2,10.00,20.00",
        "X-2,2026-02-14,2026-03-14,Bread,4,2.50,10.00"
      ),
      atLine(1)
    )
    const date = asked.fields.find(({ field }) => field === "date")
    assert.deepStrictEqual(date?.columns, ["Bb", "Cc"])
    assert.strictEqual(date?.none, null)
    assert.isUndefined(asked.fields.find(({ field }) => field === "number"))
  })

  it.effect("that a document needs are asked among the columns whose values can state them", function* () {
    const columnsOfField = (field: string, ...lines: ReadonlyArray<string>) =>
      Effect.map(ask(rows(...lines), atLine(1)), ({ fields }) => fields.find((one) => one.field === field)?.columns)
    // a number has one date; a day or an amount of money is not a number; a sum may follow
    const numbers = yield* columnsOfField(
      "number",
      "Aa,Bb,Cc,Dd,Ee,Ff,Gg,Hh",
      "1001,7001,2026-02-03,Chair,2,10.00,20.00,2000445566",
      "1001,7001,2026-02-03,Desk,1,100.00,100.00,2000445566",
      "1002,7002,2026-02-14,Bread,2,2.50,5.00,2000445566",
      "Sum,,,,,,125.00,"
    )
    assert.deepStrictEqual(numbers, ["Aa", "Bb"])
    // without such a column, each one with the form can be chosen
    const dates = yield* columnsOfField("date", "Aa,Bb,Cc,Dd,Ee", "X-1,Feb 26,Chair,2,10.00", "X-2,Mar 26,Bread,4,2.50")
    assert.deepStrictEqual(dates, ["Bb", "Dd", "Ee", "Aa"])
  })

  it.effect("are asked for again if the column that shows them has another meaning in the map", function* () {
    const text = rows("Aa,Bb,Cc,Dd,Ee,Ff", "X-1,2026-02-03,Chair,2,10.00,20.00", "X-2,2026-02-14,Bread,4,2.50,10.00")
    const required = (columns: NonNullable<CsvOptions["columns"]>["columns"], unread: ReadonlyArray<string> = []) =>
      Effect.map(ask(text, { ...atLine(1), columns: { version: 1, ...(columns && { columns }), unread } }), (asked) =>
        asked.fields.flatMap(({ field }) => (field === "number" || field === "date" ? [field] : []))
      )
    assert.deepStrictEqual(yield* required({ number: "Aa", date: "Bb" }), [])
    assert.deepStrictEqual(yield* required({ description: "Aa", date: "Bb" }), ["number"])
    assert.deepStrictEqual(yield* required({ number: "Aa" }, ["Bb"]), ["date"])
  })

  it.effect(
    "are asked about by the form of a buyer's number or an original alone, and never proposed by it",
    function* () {
      const asked = yield* ask(
        rows(
          "Number,Date,Kind,Client,BP,VAT No,Item,Qty,Price,Amount,Ref",
          "N-1,2026-02-03,Invoice,Acme,2000445566,2000445566,Chair,2,10.00,20.00,PO 7",
          "N-2,2026-02-04,Credit note,Acme,2000445566,2000445566,Chair,1,10.00,10.00,N-1"
        )
      )
      const found = proposals(asked)
      for (const column of ["?: BP", "?: Ref"]) assert.include(found, column)
      // a name and the digits together are a proposal
      assert.include(found, "customerTin: VAT No")
      const evidence = (column: string, meaning: string) =>
        asked.columns.find(({ id }) => id === column)?.meanings.find(({ id }) => id === meaning)?.evidence
      assert.deepStrictEqual(evidence("BP", "customerTin"), ["every value has 9 or 10 digits"])
      assert.deepStrictEqual(evidence("Ref", "original"), ['"N-1" is the number of another document'])
    }
  )

  it.effect(
    "are asked about for a number that may change a total without a witness, and for marks of other documents",
    function* () {
      const table = (total: string) =>
        rows(
          `Invoice No,Invoice Date,Customer,Description,Qty,Unit Price,Tax,Rebaja,Line No,Voided?${total && ",Total"}`,
          `F-1,2026-01-25,Moyo,Lamp,2,100.00,15%,5.00,1,No${total && ",224.25"}`,
          `F-2,2026-01-26,Dube,Lamp,1,100.00,15%,2.00,1,Yes${total && ",112.70"}`
        )
      const open = ({ columns }: AskedColumns) => columns.flatMap(({ id, proposal }) => (proposal === null ? [id] : []))
      const asked = yield* ask(table(""))
      assert.deepStrictEqual(open(asked), ["Rebaja", "Voided?"])
      const meanings = asked.columns.find(({ id }) => id === "Rebaja")!.meanings.map(({ id }) => id)
      assert.includeMembers(meanings, ["discount", "discountPercent", "documentDiscount", "shipping"])
      assert.deepStrictEqual(open(yield* ask(table("stated"))), ["Voided?"])
    }
  )

  it.effect("are not asked for in a file that the adapter does not read", function* () {
    assert.include((yield* Effect.flip(ask('{ "invoices": [] }'))).message, "it has no rows")
    assert.include(yield* reason("one,two\n1,2\n"), "fewer than three cells")
    const error = yield* Effect.flip(ask("Aa,Bb,Cc\n,,\n", atLine(1)))
    assert.include(error.message, "no row below line 1 has a value")
  })
})

describe("the columns for the page", () => {
  it.effect("have the fields that the values show, and a file without names has its columns by place", function* () {
    const named = yield* columnsOf(file(german, "sales.csv"))
    assert.deepStrictEqual(
      named.columns.slice(0, 3).map(({ field }) => field),
      ["number", "date", "customerName"]
    )
    const nameless = yield* columnsOf(
      file(rows("N-1,2026-02-03,2,10.00,20.00", "N-2,2026-02-14,4,2.50,10.00"), "sales.csv")
    )
    assert.deepStrictEqual(nameless.columns[0], {
      reference: "#1",
      name: "#1",
      cells: ["N-1", "N-2"],
      field: "number",
      because: "every value has digits, and the rows of one value have one date"
    })
    assert.strictEqual(nameless.rest.settings["headerLine"], 0)
  })

  it.effect("have the cells of the first eight rows, and the evidence for their fields", function* () {
    const row = (n: number) => `N-${n},2026-02-03,Lamp,10.00,${n === 9 ? "seen" : ""},`
    const text = `No,Day,What,Price,Note,Rest\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(row).join("\n")}\n`
    const { columns } = yield* columnsOf(file(text, "sales.csv"))
    assert.deepStrictEqual(columns[0]?.cells, ["N-1", "N-2", "N-3", "N-4", "N-5", "N-6", "N-7", "N-8"])
    assert.deepStrictEqual(
      columns.map(({ because, field, name }) => [name, field, because]),
      [
        ["No", "number", "its name states it"],
        ["Day", "date", "every value is a date"],
        ["What", "description", "it is the only column of texts"],
        ["Price", "unitPrice", "its name states it"],
        ["Note", "unused", 'blank in these rows, later "seen"'],
        ["Rest", null, "always blank"]
      ]
    )
  })

  it.effect("is asked about ways to pay whatever its name, and they are never the proposal", function* () {
    const paid = (first: string, second: string) =>
      rows(
        "Invoice No,Date,Item,Total,Pay",
        `N-1,2026-02-03,Chair,20.00,${first}`,
        `N-2,2026-02-14,Bread,10.00,${second}`
      )
    const column = (asked: AskedColumns) => asked.columns.find(({ id }) => id === "Pay")
    const asked = column(yield* ask(paid("Cash", "Card")))
    assert.isNull(asked?.proposal)
    assert.include(
      asked?.meanings.find(({ id }) => id === "paymentMethod")?.evidence.join(),
      '"Cash" is how something is paid'
    )
    assert.strictEqual(column(yield* ask(paid("East", "West")))?.proposal, "customerName")
  })
})

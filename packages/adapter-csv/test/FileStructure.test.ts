// slow: thousands of generated files are read
import { assert, describe, it } from "@effect/vitest"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import * as FileStructure from "../src/detect/FileStructure.ts"
import * as Generated from "./GeneratedFiles.ts"

const structureOf = (text: string, map?: ColumnMap) =>
  FileStructure.of(
    {
      head: new TextEncoder().encode(text),
      encoding: "utf-8",
      quotes: "doubled",
      delimiter: undefined,
      start: { offset: 0, line: 1 }
    },
    map
  )

const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed)

/** Returns the generated files that are not recognized as `contents`. */
const missed = (contents: string | undefined, textOf: (seed: number) => string, count = 200) =>
  seeds(count)
    .map((seed) => ({ seed, found: structureOf(textOf(seed)) }))
    .filter(({ found }) => found?.contents !== contents)
    .map(({ found, seed }) => `seed ${seed}: ${found?.contents}, ${found?.evidence}\n${textOf(seed)}`)
    .slice(0, 2)

describe("a file without a known name is recognized by its values:", () => {
  for (const side of Generated.sides)
    it(`a ledger with ${side}`, () => {
      assert.deepStrictEqual(
        missed("ledger", (seed) => Generated.ledgerOf(seed, side).text),
        []
      )
    })

  it("a ledger of which only the beginning is examined", () => {
    const rows = Array.from({ length: 3000 }, (_, nth) => [
      `${nth},2026-01-05,Bank of the north and of the south,Payment of the month,${nth + 1}.50`,
      `${nth},2026-01-05,Receivables of all kinds of customers,Payment of the month,-${nth + 1}.00`,
      `${nth},2026-01-05,Charges of the bank and of the post office,Payment of the month,-0.50`
    ])
    for (const pad of ["", "x", "xx", "xxx", "xxxx", "xxxxx"]) {
      const text = `Aa${pad},Bb,Cc,Dd,Ee\n${rows.flat().join("\n")}\n`
      assert.strictEqual(structureOf(text.slice(0, 1 << 16))?.contents, "ledger")
    }
  })

  it("a ledger whose last booking is not examined to its end", () => {
    const rows = [1, 2].flatMap((nth) => [
      `${nth},2026-01-05,Bank,-300.00`,
      ...Array.from({ length: 300 }, (_, i) => `${nth},2026-01-05,Account ${i},1.00`)
    ])
    assert.strictEqual(structureOf(`Aa,Bb,Cc,Dd\n${rows.join("\n")}\n`)?.contents, "ledger")
  })

  it("printed documents with their numbers above their tables", () => {
    assert.deepStrictEqual(missed("blocks", Generated.blocksOf), [])
  })

  it("lines as JSON in a cell", () => {
    assert.deepStrictEqual(
      missed("packed-lines", (seed) => Generated.packedOf(seed).text),
      []
    )
  })

  it("records of several types", () => {
    assert.deepStrictEqual(missed("record-types", Generated.recordTypesOf), [])
  })
})

describe("a list of documents without lines", () => {
  it("is recognized if the operator names no column for a quantity, a price or a description", () => {
    const wrong = seeds(200).filter((seed) => {
      const { names, text } = Generated.documentsOf(seed)
      const columns = { number: names["number"]!, date: names["date"]!, lineAmount: names["net"]! }
      const isDescribed = structureOf(text, { version: 1, columns: { ...columns, description: names["party"]! } })
      return structureOf(text, { version: 1, columns })?.contents !== "no-lines" || isDescribed !== undefined
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("is not assumed while a text with an unknown name may describe what was sold", () => {
    assert.deepStrictEqual(
      missed(undefined, (seed) => Generated.documentsOf(seed).text),
      []
    )
  })

  it("is recognized by known names before any question about columns", () => {
    const table = (header: string, row: string) => structureOf(`${header}\n${row}\n`)?.contents
    const list = "Invoice Number,Invoice Date,Client,Currency,Net,VAT,Gross"
    const row = "I-1,2026-01-05,Joe,USD,100.00,15.00,115.00"
    assert.strictEqual(table(list, row), "no-lines")
    assert.isUndefined(table(`${list},Description`, `${row},Nails`))
    assert.isUndefined(table(`${list},Stuff`, `${row},Nails`))
    assert.isUndefined(table(`${list},Pcs,Each`, `${row},4,25.00`))
    assert.isUndefined(table(list, `${row}\n${row.replace("100.00", "50.00")}`))
  })
})

describe("honest invoices with unknown names", () => {
  it("are not taken for another kind of file", () => {
    assert.deepStrictEqual(
      missed(undefined, (seed) => Generated.invoicesOf(seed).text, 600),
      []
    )
  })

  it("are not taken for a ledger if a row states the total and the rows below it state the lines", () => {
    const header = "αβγδ;εζηθ;ικλμ;νξοπ;ρστυ;φχψω"
    const rows = [1, 2, 3].flatMap((nth) => [
      `N-${nth};2026-01-0${nth};Joe;;;${nth}50.00`,
      `N-${nth};2026-01-0${nth};Joe;Nails;${nth}00.00;`,
      `N-${nth};2026-01-0${nth};Joe;Bolts;50.00;`
    ])
    assert.isUndefined(structureOf(`${[header, ...rows].join("\n")}\n`))
  })
})

describe("honest files that resemble another kind:", () => {
  const isInvoices = (...lines: ReadonlyArray<string>) => assert.isUndefined(structureOf(`${lines.join("\n")}\n`))

  it("invoices of several days whose sum is credited by a note", () => {
    isInvoices(
      "Aa,Bb,Cc,Dd,Ee",
      "I-1,2026-01-05,Joe,Nails,100.50",
      "I-2,2026-01-06,Joe,Bolts,49.50",
      "C-3,2026-01-09,Joe,Returned,-150.00"
    )
  })

  it("invoices that all have the same two items in equal quantities, or for equal amounts", () => {
    const areInvoices = (rowOf: (nth: number) => readonly [room: string, breakfast: string]) =>
      isInvoices(
        "Aa,Bb,Cc,Dd,Ee,Ff",
        ...[1, 2, 3, 4, 5, 6, 7].flatMap((nth) => {
          const [room, breakfast] = rowOf(nth)
          return [`I-${nth},2026-01-0${nth},Room,${room}`, `I-${nth},2026-01-0${nth},Breakfast,${breakfast}`]
        })
      )
    areInvoices((nth) => [`${nth},100.00,${nth}00.00`, `${nth},12.50,${(nth * 12.5).toFixed(2)}`])
    areInvoices((nth) => [`2,${100 + 2 * nth}.00,${200 + 4 * nth}.00`, `4,${50 + nth}.00,${200 + 4 * nth}.00`])
  })

  it("but not a ledger in two currencies, or with a sign beside each amount", () => {
    const isLedger = (rowOf: (nth: number) => readonly [debit: string, credit: string]) => {
      const rows = [1, 2, 3, 4, 5, 6, 7].flatMap((nth) => {
        const [debit, credit] = rowOf(nth)
        return [`B-${nth},2026-01-0${nth},D,Bank,${debit}`, `B-${nth},2026-01-0${nth},C,Sales,${credit}`]
      })
      assert.strictEqual(structureOf(`${["Aa,Bb,Cc,Dd,Ee,Ff,Gg", ...rows].join("\n")}\n`)?.contents, "ledger")
    }
    const inTwo = (nth: number) => `${nth}00.00,1${nth}.50,${nth * (1000 + 100 * nth + 50)}.00`
    isLedger((nth) => [inTwo(nth), inTwo(nth)])
    isLedger((nth) => [`${nth}50.00,1,${nth}50.00`, `${nth}50.00,-1,-${nth}50.00`])
    isLedger((nth) => [`${nth},110.00,${nth * 110}.00`, `${nth},-110.00,-${nth * 110}.00`])
  })

  it("an invoice that is free, with quantities and prices", () => {
    isInvoices(
      "Aa,Bb,Cc,Dd,Ee,Ff",
      "I-1,2026-01-05,Nails,2,50.25,100.50",
      "I-1,2026-01-05,Bolts,3,16.50,49.50",
      "I-1,2026-01-05,Gift,1,-150.00,-150.00"
    )
  })

  it("rows that are equal in texts with another delimiter", () => {
    const row = (nth: number) => `I-${nth},2026-01-0${nth},Ink | black | 2 | blue,5.00`
    isInvoices(
      "Aa,Bb,Cc,Dd",
      `I-1,2026-01-01,Acme | Ada,5.00`,
      row(1),
      `I-2,2026-01-02,Acme | Ada,5.00`,
      row(2),
      row(2),
      row(2)
    )
  })

  it("a report of several pages, each with the names of the columns", () => {
    const page = (nth: number) => [
      `Page,${nth}`,
      "Aa,Bb,Cc,Dd",
      `I-${nth},2026-01-05,Nails,5.00`,
      `I-${nth},2026-01-05,Bolts,7.00`
    ]
    isInvoices(...page(1), ...page(2), ...page(3))
  })
})

describe("a table that proves nothing", () => {
  for (const [what, text] of [
    ["no rows", "Aa,Bb,Cc\n"],
    ["one row", "Aa,Bb,Cc\n1,2,3\n"],
    ["blank cells", "Aa,Bb,Cc\n,,\n,,\n"],
    ["zero amounts", "Aa,Bb,Cc,Dd\nx,p,0,0\nx,q,0,0\n"],
    ["equal columns", "Aa,Bb,Cc,Dd\nx,p,5,5\nx,q,7,7\n"],
    ["damaged JSON", 'Aa,Bb,Cc\nx,y,[{"a": 1\nx,y,[]\n']
  ] as const)
    it(`has no structure: ${what}`, () => {
      assert.isUndefined(structureOf(text))
    })

  it("is examined in time, even with a thousand columns", () => {
    const row = (nth: number) => Array.from({ length: 1000 }, (_, cell) => (cell * nth) % 97).join(",")
    assert.isUndefined(structureOf(`${[1, 2, 3, 4, 5, 6, 7, 8].map(row).join("\n")}\n`))
  })
})

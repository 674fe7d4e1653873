import { defineAdapter, type Item, type Kit, type Lookup, type Row } from "@fiscal-connector/adapter-kit"
import * as Provenance from "../../core/src/finding/Provenance.ts"
import * as Readings from "../../core/src/source/Readings.ts"
import type { Reading } from "../../core/src/source/Adapter.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { DatabaseSync } from "node:sqlite"
import { gzipSync } from "node:zlib"
import { exported } from "./Export.ts"

type Given = Kit<{}, undefined>

/** Reads with an adapter that skips every record, with the record's own text as the reason. */
const skipping = (records: (kit: Given, file: Parameters<Given["json"]["items"]>[0]) => AsyncIterable<Item>) =>
  defineAdapter({
    name: "skipping",
    async *read(file, kit) {
      for await (const item of records(kit, file)) yield kit.skip(item, `${item.list} ${item.origin.json}`)
    }
  })

const spoken = (readings: ReadonlyArray<Reading>) =>
  readings.map((reading) => {
    if (reading._tag === "Skipped") return `${reading.reason} at ${Provenance.format(reading.at)}`
    return reading._tag === "Finding" ? `${reading.code} at ${Provenance.format(reading.at!)}` : reading._tag
  })

const items = (content: string | Uint8Array, ...pointers: ReadonlyArray<string>) =>
  Effect.map(
    Stream.runCollect(skipping(({ json }, file) => json.items(file, ...pointers)).read(exported(["f", content]), {})),
    spoken
  )

describe("JSON items", () => {
  it.effect("are the elements of a list at any place, or a single object", function* () {
    assert.deepStrictEqual(yield* items(`[{"a":1},\n{"a":2}]`), [' {"a":1} at f:1 /0', ' {"a":2} at f:2 /1'])
    assert.deepStrictEqual(yield* items(`{"a":1}\n{"a":2}`), [' {"a":1} at f:1', ' {"a":2} at f:2'])
    assert.deepStrictEqual(yield* items(`{"x":[{"a":0}],"d":{"rows":[{"a":1}]}}`, "/d/rows"), [
      'rows {"a":1} at f:1 /d/rows/0'
    ])
    assert.deepStrictEqual(yield* items(`{"Invoice":{"a":1},"time":"now"}`, "/Invoice"), [
      'Invoice {"a":1} at f:1 /Invoice'
    ])
  })

  it.effect("are found at several pointers and under any name, page after page", function* () {
    const pages = `{"Q":{"Invoice":[{"a":1}],"start":1,"CreditMemo":[{"a":2}]}}\n{"Q":{}}`
    assert.deepStrictEqual(yield* items(pages, "/Q/*"), [
      'Invoice {"a":1} at f:1 /Q/Invoice/0',
      'CreditMemo {"a":2} at f:1 /Q/CreditMemo/0'
    ])
    assert.deepStrictEqual(yield* items(pages, "/Q/CreditMemo", "/Q/Invoice"), [
      'Invoice {"a":1} at f:1 /Q/Invoice/0',
      'CreditMemo {"a":2} at f:1 /Q/CreditMemo/0'
    ])
    assert.deepStrictEqual(yield* items(`[{"rows":[{"a":1}]},{"rows":[{"a":2}]}]`, "/*/rows"), [
      'rows {"a":1} at f:1 /0/rows/0',
      'rows {"a":2} at f:1 /1/rows/0'
    ])
    assert.deepStrictEqual(yield* items(`[1,{"a":1}]`, "/*"), ["EXPORT_RECORD_FORM at f:1 /0", '1 {"a":1} at f:1 /1'])
  })

  it.effect("are read compressed, with a byte order mark, and in UTF-16", function* () {
    const text = `[{"a":"ß"}]`
    const expected = [' {"a":"ß"} at f:1 /0']
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le")
    for (const bytes of [gzipSync(text), Buffer.from(`\uFEFF${text}`), utf16])
      assert.deepStrictEqual(yield* items(bytes), expected)
  })

  it.effect("that are not objects, or contain invalid JSON, become findings, and the others are read", function* () {
    assert.deepStrictEqual(yield* items(`[1,{"a":tru},{"a":1}]`), [
      "EXPORT_RECORD_FORM at f:1 /0",
      "EXPORT_RECORD_UNREADABLE at f:1 /1",
      ' {"a":1} at f:1 /2'
    ])
  })

  it.effect("end with the place where a file is no longer JSON", function* () {
    for (const [text, problem] of [
      [`[{"a":1} {"a":2}]`, /line 1: a comma or \] is expected/],
      [`[{"a":1},\n`, /line 2: the file ends inside the value that begins on line 1/],
      [`{"a" 1}`, /a colon is expected/],
      [`a,b\n1,2`, /it is not JSON/]
    ] as const) {
      const error = yield* Effect.flip(items(text, ...(text.startsWith("{") ? ["/b"] : [])))
      assert.match(error.message, problem)
    }
  })
})

describe("JSON lines", () => {
  it.effect("lose only a broken line, and a pointer may lead into each line", function* () {
    const adapter = skipping(({ json }, file) => json.lines(file, "/record"))
    const lines = `{"record":{"a":1}}\n{"record":\n\n{"type":"STATE"}\n{"record":{"a":"ß"}}`
    const readings = yield* Stream.runCollect(adapter.read(exported(["f", lines]), {}))
    assert.deepStrictEqual(spoken(readings), [
      'record {"a":1} at f:1 /record',
      "EXPORT_RECORD_UNREADABLE at f:2",
      "EXPORT_RECORD_FORM at f:4",
      'record {"a":"ß"} at f:5 /record'
    ])
  })
})

describe("rows from the adapter's own source", () => {
  const adapterOf = (rows: () => AsyncIterable<Row> | Iterable<Row>) =>
    defineAdapter({
      name: "erp",
      async *read(file, { document, rows: given }) {
        for await (const row of given(file, rows()))
          yield document(row, {
            kind: "invoice",
            id: row.text("id"),
            date: row.date("day"),
            currency: "USD",
            taxMode: "inclusive",
            lines: [{ quantity: row.decimal("qty"), unitPrice: row.decimal("price"), taxCode: row.text("tax") }]
          })
      }
    })

  it.effect("may come from a database cursor, with row and column as their place", function* () {
    const database = new DatabaseSync(":memory:")
    database.exec(`CREATE TABLE sale (id INTEGER, day TEXT, qty TEXT, price REAL, tax TEXT);
        INSERT INTO sale VALUES (1, '2026-03-02', '2.50', 10, 'A'), (2, '2026-03-02', '1', 9.99, 'A')`)
    const adapter = adapterOf(() => database.prepare("SELECT * FROM sale ORDER BY id").iterate() as Iterable<Row>)
    const readings = yield* Stream.runCollect(adapter.read(exported(["erp.db", ""]), {}))
    const [one, two] = readings.map((reading) => (reading._tag === "SourceDocument" ? reading : undefined))
    assert.deepStrictEqual(one!.where(["lines", 0, "quantity"]), {
      file: "erp.db",
      line: 1,
      columnName: "qty",
      text: "2.50"
    })
    assert.deepStrictEqual(one!.findings, [])
    assert.deepStrictEqual(
      two!.findings.map(({ at, code, path }) => [code, path.join("."), at?.line, at?.columnName]),
      [["EXPORT_NUMBER_INEXACT", "lines.0.unitPrice", 2, "price"]]
    )
  })

  it.effect("of one document are returned together", function* () {
    const rows = [
      { no: "1", item: "A" },
      { no: "1", item: "B" },
      { no: "2", item: "C" }
    ]
    const adapter = defineAdapter({
      name: "flat",
      async *read(file, { document, rows: given }) {
        let group: Array<Item> = []
        const whole = () => {
          const [first, ...rest] = group
          const lines = group.map((row) => ({ description: row.text("item") }))
          const fields = {
            kind: "invoice",
            id: first!.text("no"),
            date: undefined,
            taxMode: "unstated",
            lines
          } as const
          return document([first!, ...rest], fields)
        }
        for await (const row of given(file, rows)) {
          if (group[0] !== undefined && group[0].text("no") !== row.text("no")) {
            yield whole()
            group = []
          }
          group.push(row)
        }
        yield whole()
      }
    })
    const readings = yield* Stream.runCollect(adapter.read(exported(["erp", ""]), {}))
    assert.deepStrictEqual(
      readings.map((reading) =>
        reading._tag === "SourceDocument"
          ? [reading.id, reading.where(["lines", reading.lines.length - 1, "description"]).line]
          : reading
      ),
      [
        ["1", 2],
        ["2", 3]
      ]
    )
  })

  it.effect("that end with an exception are reported as an error in the adapter's code", function* () {
    const adapter = adapterOf(async function* () {
      yield { id: 1 }
      throw new RangeError("secret of a buyer")
    })
    const error = yield* Effect.flip(Stream.runCollect(Readings.from(adapter, exported(["erp.db", ""]), {})))
    assert.match(error.message, /^erp.db: the adapter erp broke off .*RangeError/)
    assert.notInclude(error.message, "secret")
  })
})

describe("records that are joined to documents", () => {
  const adapter = defineAdapter({
    name: "joining",
    join: (files, { json, lookup, missing }): Promise<Lookup> => {
      const taxes = files.find(({ name }) => name === "taxes.json")
      if (taxes === undefined) throw missing("the taxes are not there", "Give taxes.json as well")
      return lookup(json.items(taxes), (tax) => tax.text("id"))
    },
    async *read(file, { document, joined, json, skip }) {
      for await (const row of json.items(file)) {
        if (row.has("percent")) yield skip(row, "a tax")
        else {
          const tax = joined.one(row.text("tax"))
          if (tax === undefined) row.refuse("tax", "the tax is not in taxes.json")
          yield document(row, {
            kind: "invoice",
            id: row.text("id"),
            date: undefined,
            taxMode: "unstated",
            lines: [{ taxes: tax === undefined ? [] : [{ code: tax.text("name"), percent: tax.decimal("percent") }] }]
          })
        }
      }
    }
  })
  const taxes = [
    "taxes.json",
    `[{"id": "t1", "name": "VAT", "percent": 15.5}, {"id": "t2", "name": "X", "percent": "?"}]`
  ] as const

  it.effect("have their latest state, or the conflict is reported", function* () {
    const latest = (...taxes: ReadonlyArray<string>) => {
      const found: Array<string> = []
      const adapter = defineAdapter<{}, Lookup>({
        name: "latest",
        join: ([file], { json, lookup }) => lookup(json.items(file!), () => "key"),
        async *read(file, { companion, joined, json }) {
          for await (const row of json.items(file)) companion(row)
          const one = joined.latest("key", (row) => row.optional.instant("at"))
          found.push(one === "differ" ? one : (one?.text("name") ?? "none"))
          yield* []
        }
      })
      return Effect.map(Stream.runCollect(adapter.read(exported(["a.json", taxes.join("\n")]), {})), (readings) => {
        assert.deepStrictEqual(readings, [])
        return found[0]
      })
    }
    const [old, young] = [`{"name":"A","at":"2026-03-01T08:00:00Z"}`, `{"name":"B","at":"2026-03-02T08:00:00Z"}`]
    assert.strictEqual(yield* latest(young, old), "B")
    assert.strictEqual(yield* latest(old, old), "A")
    assert.strictEqual(yield* latest(`{"name":"A"}`, `{"name":"B"}`), "differ")
    assert.strictEqual(yield* latest(`{"name":"C"}`, young), "differ")
  })

  const read = (...files: ReadonlyArray<readonly [string, string]>) =>
    Stream.runCollect(adapter.read(exported(...files), {}))

  it.effect("are found in any order of files, and their cells keep their places", function* () {
    const sales = [
      "sales.json",
      `[{"id": "1", "tax": "t1"}, {"id": "2", "tax": "t2"}, {"id": "3", "tax": "t9"}]`
    ] as const
    for (const files of [
      [taxes, sales],
      [sales, taxes]
    ]) {
      const readings = yield* read(...files)
      const [one, two, three] = readings.flatMap((reading) => (reading._tag === "SourceDocument" ? [reading] : []))
      assert.strictEqual(one!.lines[0]!.taxes[0]!.code, "VAT")
      assert.strictEqual(Provenance.format(one!.where(["lines", 0, "taxes", 0, "percent"])), "taxes.json:1 /0/percent")
      assert.deepStrictEqual(
        two!.findings.map(({ at, code, path }) => [code, path.join("."), at?.file]),
        [["EXPORT_NUMBER_FORM", "lines.0.taxes.0.percent", "taxes.json"]]
      )
      assert.deepStrictEqual(
        three!.findings.map(({ message }) => message),
        ["the tax is not in taxes.json"]
      )
    }
  })

  it.effect("that are missing are reported by name", function* () {
    const error = yield* Effect.flip(read(["sales.json", "[]"]))
    assert.strictEqual(error.message, "sales.json: the taxes are not there. Give taxes.json as well")
  })
})

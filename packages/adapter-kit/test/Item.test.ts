import { defineAdapter, type Item, type LineFields } from "@fiscal-connector/adapter-kit"
import * as Instant from "../../core/src/document/Instant.ts"
import * as Money from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { exported } from "./Export.ts"

/** Returns the value that `read` takes from a record, and the findings. */
const cells = <Value>(record: string, read: (item: Item) => Value, none: ReadonlyArray<string | boolean> = []) => {
  let value: Value | undefined
  const adapter = defineAdapter({
    name: "cells",
    none,
    async *read(file, { document, json }) {
      for await (const item of json.items(file)) {
        value = read(item)
        yield document(item, { kind: "invoice", id: "1", date: undefined, taxMode: "unstated", lines: [] })
      }
    }
  })
  return Effect.map(Stream.runCollect(adapter.read(exported(["a.json", record]), {})), (readings) => ({
    value,
    codes: readings.flatMap((reading) =>
      reading._tag === "SourceDocument" ? reading.findings.map(({ code, message }) => `${code}: ${message}`) : []
    )
  }))
}

const value = <Value>(record: string, read: (item: Item) => Value, none?: ReadonlyArray<string | boolean>) =>
  Effect.map(cells(record, read, none), ({ codes, value }) => {
    assert.deepStrictEqual(codes, [])
    return value as Value
  })

const code = (record: string, read: (item: Item) => unknown) => Effect.map(cells(record, read), ({ codes }) => codes[0])

describe("a cell", () => {
  it.effect("with a number keeps every digit, as number and as text", function* () {
    const text = "90071992547409931.10000000000000000001"
    for (const record of [`{"a": ${text}}`, `{"a": "${text}"}`])
      assert.strictEqual(Money.formatPlain(yield* value(record, (item) => item.decimal("a"))), text)
    assert.strictEqual(Money.formatPlain(yield* value(`{"a": 1999}`, (item) => item.minor("a", 2))), "19.99")
    for (const [currency, figure] of [
      ["USD", "19.99"],
      ["jpy", "1999"],
      ["KWD", "1.999"],
      ["CLF", "0.1999"],
      // Two decimal digits, although they are not in use.
      ["LBP", "19.99"]
    ] as const)
      assert.strictEqual(
        Money.formatPlain(yield* value(`{"a": 1999}`, (item) => item.minor("a", currency))),
        figure,
        currency
      )
    assert.match((yield* code(`{"a": 1999}`, (item) => item.minor("a", "XQZ")))!, /ISO 4217 does not have/)
    assert.match((yield* code(`{"a": 1999}`, (item) => item.optional.minor("a", "XQZ")))!, /ISO 4217 does not have/)
    assert.isUndefined(yield* value(`{"b": 1}`, (item) => item.optional.minor("a", "XQZ")))
    assert.match((yield* code(`{"a": "1,234.50"}`, (item) => item.decimal("a")))!, /^EXPORT_NUMBER_FORM: a is no/)
    assert.match((yield* code(`{"a": 19.99}`, (item) => item.minor("a", 2)))!, /^EXPORT_NUMBER_FORM/)
  })

  it.effect("with money has its currency, in any of its forms", function* () {
    for (const record of [
      `{"a": {"amount": "12.50", "code": "USD"}}`,
      `{"a": {"value": 12.50, "currency_code": "USD"}}`,
      `{"a": "USD 12.50"}`,
      `{"a": "12.50 USD"}`
    ]) {
      const { amount, currency } = yield* value(record, (item) => item.money("a"))
      assert.strictEqual(`${Money.formatPlain(amount)} ${currency}`, "12.5 USD")
    }
    assert.match((yield* code(`{"a": "12.50"}`, (item) => item.money("a")))!, /not an amount with its currency/)
  })

  it.effect("with a day is never read from an instant without a zone", function* () {
    const day = (text: string, form?: Parameters<Item["date"]>[1]) =>
      value(`{"a": ${text}}`, (item) => item.date("a", form))
    assert.strictEqual(yield* day(`"2026-03-02"`), "2026-03-02")
    assert.strictEqual(yield* day(`"2026-03-02T00:00:00"`), "2026-03-02")
    assert.strictEqual(yield* day(`"02/03/2026"`, { written: "dd/mm/yyyy" }), "2026-03-02")
    assert.strictEqual(yield* day(`20260302`, { written: "yyyymmdd" }), "2026-03-02")
    assert.strictEqual(yield* day(`1772402400`, { epoch: "seconds", zone: "Africa/Harare" }), "2026-03-02")
    assert.strictEqual(yield* day(`"2026-03-01T22:30:00Z"`, { zone: "+02:00" }), "2026-03-02")
    for (const text of [`"2026-03-01T22:30:00Z"`, `"2026-03-02 10:00"`])
      assert.match((yield* code(`{"a": ${text}}`, (item) => item.date("a")))!, /^EXPORT_DATE_TIME_OF_DAY/)
    for (const text of [`"02/03/2026"`, `"2026-02-30"`, `1772402400`])
      assert.match((yield* code(`{"a": ${text}}`, (item) => item.date("a")))!, /^EXPORT_DATE_FORM/)
  })

  it.effect("with an instant needs an offset, or a zone that the adapter states", function* () {
    const time = (text: string, form?: Parameters<Item["instant"]>[1]) =>
      Effect.map(
        value(`{"a": ${text}}`, (item) => item.instant("a", form)),
        (instant) => Instant.format(instant!)
      )
    assert.strictEqual(yield* time(`"2026-03-02T08:00:00+02:00"`), "2026-03-02T08:00:00+02:00")
    assert.strictEqual(yield* time(`"2026-03-02 08:00:00"`, { zone: "+02:00" }), "2026-03-02T08:00:00+02:00")
    assert.strictEqual(
      yield* time(`1772431200000`, { epoch: "milliseconds", zone: "+02:00" }),
      "2026-03-02T08:00:00+02:00"
    )
    assert.match((yield* code(`{"a": "2026-03-02T08:00:00"}`, (item) => item.instant("a")))!, /^EXPORT_INSTANT_FORM/)
  })

  it.effect("may be empty only if the adapter allows it, and the adapter defines what is empty", function* () {
    for (const record of [`{}`, `{"a": null}`, `{"a": " "}`]) {
      assert.match((yield* code(record, (item) => item.text("a")))!, /^EXPORT_VALUE_MISSING: a is missing/)
      assert.isUndefined(yield* value(record, (item) => item.optional.text("a")))
      assert.isUndefined(yield* value(record, (item) => item.optional.decimal("a")))
      assert.isUndefined(yield* value(record, (item) => item.optional.date("a")))
      assert.isUndefined(yield* value(record, (item) => item.optional.item("a")))
      assert.deepStrictEqual(yield* value(record, (item) => item.optional.each("a", () => 1)), [])
    }
    assert.match((yield* code(`{"a": false}`, (item) => item.optional.text("a")))!, /^EXPORT_VALUE_FORM/)
    assert.isUndefined(yield* value(`{"a": false}`, (item) => item.optional.text("a"), [false]))
    assert.match((yield* code(`{"a": "x"}`, (item) => item.optional.decimal("a")))!, /^EXPORT_NUMBER_FORM/)
  })

  it.effect("that is missing is reported once, however many of its parts are read", function* () {
    const { codes } = yield* cells(`{}`, (item) => {
      const buyer = item.item("buyer")
      return [buyer.text("name"), buyer.text("tin"), buyer.decimal("credit")]
    })
    assert.deepStrictEqual(codes, ["EXPORT_VALUE_MISSING: buyer is missing"])
  })

  it.effect("has the findings that the author states", function* () {
    const { codes } = yield* cells(`{"kind": "bundle"}`, (item) => {
      item.refuse("kind", "bundles are not read", "Export the parts.")
      item.warn("kind", "a bundle")
    })
    assert.deepStrictEqual(codes, ["EXPORT_VALUE_REFUSED: bundles are not read", "EXPORT_VALUE_DOUBTFUL: a bundle"])
  })

  it.effect("is compared with the system's own arithmetic, in which unreadable values do not count", function* () {
    const held = (record: string, within?: Money.Money) =>
      code(record, (item) =>
        item.hold("total", {
          sum: [item.decimal("net"), item.optional.decimal("tax")],
          less: [item.optional.decimal("off")],
          ...(within && { within })
        })
      )
    assert.isUndefined(yield* held(`{"net": 10, "tax": 1.5, "off": 2, "total": 9.50}`))
    assert.isUndefined(yield* held(`{"net": 10}`))
    assert.strictEqual(
      yield* held(`{"net": 10, "total": 9.99}`),
      "EXPORT_FIGURES_DIFFER: total is not what the document adds up to"
    )
    assert.isUndefined(yield* held(`{"net": 10, "total": 9.99}`, Money.cent))
    const { codes } = yield* cells(`{"net": "x", "total": 9.99}`, (item) =>
      item.hold("total", { sum: [item.decimal("net")] })
    )
    assert.deepStrictEqual(codes, ["EXPORT_NUMBER_FORM: net is not a decimal number"])
  })
})

describe("a document", () => {
  const line = (row: Item): LineFields => ({ quantity: row.decimal("qty"), unitPrice: row.money("price").amount })

  it.effect("has the places of cells in nested lists, however the author combines them", function* () {
    const adapter = defineAdapter({
      name: "bundles",
      async *read(file, { document, json }) {
        for await (const row of json.items(file))
          yield document(row, {
            kind: "invoice",
            id: row.text("id"),
            date: undefined,
            taxMode: "inclusive",
            lines: row.each("lines", (line) => (line.has("parts") ? line.each("parts", part) : part(line))).flat()
          })
      }
    })
    const part = (row: Item): LineFields => ({ quantity: row.decimal("qty"), description: row.text("name") })
    const text = `{"id": "1", "lines": [{"qty": 1, "name": "A"}, {"parts": [{"qty": 1, "name": "A"}, {"qty": 2, "name": "A"}]}]}`
    const [reading] = yield* Stream.runCollect(adapter.read(exported(["a.json", text]), {}))
    assert(reading?._tag === "SourceDocument")
    assert.deepStrictEqual(
      [0, 1, 2].map((i) => reading.where(["lines", i, "description"]).pointer),
      ["/lines/0/name", "/lines/1/parts/0/name", "/lines/1/parts/1/name"]
    )
  })

  it.effect("takes its currency from its amounts, and is refused if they have two", function* () {
    const adapter = defineAdapter({
      name: "tills",
      async *read(file, { document, json }) {
        for await (const row of json.items(file))
          yield document(row, {
            kind: "invoice",
            id: row.text("id"),
            date: row.date("day"),
            taxMode: "inclusive",
            lines: row.each("lines", line)
          })
      }
    })
    const row = (second: string) =>
      `{"id": "1", "day": "2026-03-02", "lines": [{"qty": 1, "price": "2.00 USD"}, {"qty": 1, "price": "2.00 ${second}"}]}`
    const readings = yield* Stream.runCollect(adapter.read(exported(["a.json", `${row("USD")}\n${row("ZWG")}`]), {}))
    const [one, two] = readings.map((reading) => (reading._tag === "SourceDocument" ? reading : undefined))
    assert.strictEqual(one!.currency, "USD")
    assert.deepStrictEqual(one!.findings, [])
    assert.deepStrictEqual(
      two!.findings.map(({ at, code, detail }) => [code, detail, at?.pointer]),
      [["EXPORT_CURRENCIES_DIFFER", "USD and ZWG", "/lines/1/price"]]
    )
  })
})

import { defineAdapter } from "@fiscal-connector/adapter-kit"
import * as Money from "../../core/src/document/Money.ts"
import * as Provenance from "../../core/src/finding/Provenance.ts"
import type { Input, Reading } from "../../core/src/source/Adapter.ts"
import type { SourceDocument } from "../../core/src/source/SourceDocument.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { acme, acmeInEffect } from "./Acme.ts"
import { exported, fixture, contentOf } from "./Export.ts"

const everything = exported(["acme.json", fixture("acme/everything/acme.json")])

const read = (adapter: typeof acme, input: Input = everything, options = {}) =>
  Stream.runCollect(adapter.read(input, options))

const documents = (readings: ReadonlyArray<Reading>) =>
  readings.filter((reading): reading is SourceDocument => reading._tag === "SourceDocument")

const one = (rows: string) => exported(["one.json", `{"rows":[${rows}]}`])

describe("an adapter of the kit", () => {
  it.effect("states the facts of the records, with a reading for each record", function* () {
    const readings = yield* read(acme)
    assert.deepStrictEqual(
      readings.map((reading) => (reading._tag === "SourceDocument" ? `${reading.kind} ${reading.id}` : reading._tag)),
      ["invoice 9001", "invoice 9002", "Skipped", "credit-note 9004", "Finding"]
    )
    const [first, second, refund] = documents(readings)
    assert.strictEqual(first!.buyer?.name, "Mwamba & Söhne")
    assert.strictEqual(Money.formatPlain(second!.lines[0]!.unitPrice!), "3.1234567890123456789")
    assert.deepStrictEqual(refund!.originals, [{ by: "id", value: "9001" }])
    assert.deepStrictEqual(first!.lines[0]!.taxes, [{ code: "STD" }])
    assert.isUndefined(second!.lines[0]!.quantity)
  })

  it.effect("states the place of each value without code of the author", function* () {
    const [first, second] = documents(yield* read(acme))
    const at = (document: SourceDocument, ...path: ReadonlyArray<string | number>) =>
      Provenance.format(document.where(path))
    assert.strictEqual(at(first!), "acme.json:4 /rows/0")
    assert.strictEqual(at(first!, "number"), "acme.json:5 /rows/0/ref")
    assert.strictEqual(at(first!, "kind"), "acme.json:5 /rows/0/type")
    assert.strictEqual(at(first!, "buyer", "vatNumber"), "acme.json:6 /rows/0/customer/vat")
    assert.strictEqual(at(first!, "lines", 1), "acme.json:9 /rows/0/lines/1")
    assert.strictEqual(at(first!, "lines", 1, "unitPrice"), "acme.json:9 /rows/0/lines/1/price")
    assert.strictEqual(at(first!, "lines", 1, "taxes", 0, "code"), "acme.json:9 /rows/0/lines/1/vat")
    assert.strictEqual(first!.where(["lines", 1, "unitPrice"]).text, "1250.00")
    const [finding] = second!.findings
    assert.deepStrictEqual(finding!.path, ["lines", 0, "quantity"])
    assert.strictEqual(finding!.code, "EXPORT_NUMBER_FORM")
    assert.strictEqual(finding!.detail, "three")
    assert.strictEqual(Provenance.format(finding!.at!), "acme.json:15 /rows/1/lines/0/qty")
  })

  it.effect("reads the same in its Effect form and in any chunks of bytes", function* () {
    const whole = contentOf(yield* read(acme))
    assert.deepStrictEqual(contentOf(yield* read(acmeInEffect)), whole)
    const bytewise: Input = {
      files: everything.files.map(({ bytes, name }) => ({
        name,
        bytes: Stream.flatMap(bytes, (chunk) => Stream.fromIterable(Array.from(chunk, (byte) => Uint8Array.of(byte))))
      }))
    }
    assert.deepStrictEqual(contentOf(yield* read(acme, bytewise)), whole)
    assert.deepStrictEqual(contentOf(yield* read(acmeInEffect, bytewise)), whole)
  })

  it.effect("traces equal texts to their own cells", function* () {
    const row = `{"id": "7", "ref": "7", "type": "sale", "status": "issued", "date": "2026-03-02", "currency": "7",
        "lines": [{"label": "7", "qty": 7, "price": 7, "vat": "7"}]}`
    const [document] = documents(yield* read(acme, one(row)))
    const pointer = (...path: ReadonlyArray<string | number>) => document!.where(path).pointer
    assert.strictEqual(pointer("id"), "/rows/0/id")
    assert.strictEqual(pointer("number"), "/rows/0/ref")
    assert.strictEqual(pointer("currency"), "/rows/0/currency")
    assert.strictEqual(pointer("lines", 0, "description"), "/rows/0/lines/0/label")
    assert.strictEqual(pointer("lines", 0, "quantity"), "/rows/0/lines/0/qty")
    assert.strictEqual(pointer("lines", 0, "unitPrice"), "/rows/0/lines/0/price")
    assert.strictEqual(pointer("lines", 0, "taxes", 0, "code"), "/rows/0/lines/0/vat")
  })

  it.effect("refuses missing, malformed and unknown values, all at once and with their places", function* () {
    const row = `{"ref": ["S"], "type": "estimate", "status": "issued", "date": "2026-03-02T22:30:00Z", "currency": "USD",
        "lines": [{"label": "A", "qty": "1,5", "price": true, "vat": "STD"}, 3]}`
    const [document] = documents(yield* read(acme, one(row)))
    assert.deepStrictEqual(
      document!.findings.map(({ at, code, path }) => `${path.join(".")} ${code} ${at?.pointer}`),
      [
        "kind EXPORT_VALUE_UNKNOWN /rows/0/type",
        "id EXPORT_VALUE_MISSING /rows/0/id",
        "number EXPORT_VALUE_FORM /rows/0/ref",
        "date EXPORT_DATE_TIME_OF_DAY /rows/0/date",
        "lines.0.quantity EXPORT_NUMBER_FORM /rows/0/lines/0/qty",
        "lines.0.unitPrice EXPORT_VALUE_FORM /rows/0/lines/0/price",
        " EXPORT_VALUE_FORM /rows/0/lines/1"
      ]
    )
    assert.isUndefined(document!.date)
  })

  it.effect("skips no record because of an unreadable cell", function* () {
    const adapter = defineAdapter({
      name: "strict",
      async *read(file, { document, json, skip }) {
        for await (const row of json.items(file)) {
          if (row.text("type") !== "sale") yield skip(row, "no sale")
          else
            yield document(row, {
              kind: "invoice",
              id: row.text("id"),
              date: undefined,
              taxMode: "unstated",
              lines: []
            })
        }
      }
    })
    const readings = yield* read(adapter, exported(["a.json", `[{"id": "1", "type": "bill"}, {"id": "2"}]`]))
    assert.deepStrictEqual(
      readings.map((reading) => (reading._tag === "Finding" ? reading.code : reading._tag)),
      ["Skipped", "EXPORT_VALUE_MISSING"]
    )
  })

  it.effect("reports a record that the author did not handle", function* () {
    const adapter = defineAdapter({
      name: "forgetful",
      async *read(file, { json, skip }) {
        for await (const row of json.items(file)) if (row.text("type") === "bill") yield skip(row, "bill")
      }
    })
    const readings = yield* read(adapter, exported(["a.json", `[{"type": "bill"},\n {"type": "sale"}]`]))
    const [, forgotten] = readings
    assert.strictEqual(forgotten?._tag === "Finding" ? forgotten.code : "", "EXPORT_RECORD_UNACCOUNTED")
    assert.strictEqual(forgotten?._tag === "Finding" ? forgotten.at?.line : 0, 2)
  })

  it.effect(
    "fails with the file and the expected content if no pointer matches or the file type is wrong",
    function* () {
      const failure = (input: Input) => Effect.map(Effect.flip(read(acme, input)), ({ message }) => message)
      assert.strictEqual(
        yield* failure(exported(["other.json", `{"data": []}`])),
        "other.json: there is nothing at /rows. Give the export that the adapter acme reads"
      )
      assert.strictEqual(
        yield* failure(exported(["other.csv", "a,b"])),
        "other.csv: the adapter acme reads .json. Give it the system's own export"
      )
      assert.match(
        yield* failure(exported(["cut.json", `{"rows": [{"id": "1"}`])),
        /cut.json: line 1: the file ends inside the value that begins on line 1/
      )
      assert.match(yield* failure(exported(["a.json", ""])), /it is empty/)
    }
  )

  it.effect("writes refused documents unchanged with the reasons, and reads them again", function* () {
    const refused = documents(yield* read(acme))
    const written = yield* Stream.runCollect(
      acme.writeRefused(Stream.fromIterable(refused.map((reading) => ({ reading, findings: reading.findings }))))
    )
    const bytes = Buffer.concat([...written])
    assert.include(bytes.toString(), `{"rows":[{"Refused":[{"Code":"EXPORT_NUMBER_FORM"`)
    const again = documents(yield* read(acme, exported(["acme.json", bytes])))
    const facts = (of: ReadonlyArray<SourceDocument>) =>
      contentOf(of.map(({ id, kind, lines }) => ({ id, kind, lines })) as never)
    assert.deepStrictEqual(facts(again), facts(refused))
  })
})

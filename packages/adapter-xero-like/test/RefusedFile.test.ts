import { assert, describe, it } from "../../core/test/It.ts"
import { make, refuses } from "../../core/src/finding/Finding.ts"
import type { Finding } from "../../core/src/finding/Finding.ts"
import type { Reading, RefusedDocument } from "../../core/src/source/Adapter.ts"
import { Effect, Stream } from "effect"
import { adapter } from "../src/XeroLikeAdapter.ts"
import { XeroFinding } from "../src/finding/XeroFinding.ts"
import { documentsIn, inputOf, plain, read, readingsOf } from "./Fixture.ts"
import { contact, creditNote, invoice, line, without } from "./Sample.ts"

const total = make(XeroFinding.XERO_NUMBER_FORM, {
  detail: "Total: 1,000",
  at: { file: "export.json", line: 3, pointer: "/0/Total" }
})

const refuse = (reading: Reading): ReadonlyArray<RefusedDocument> =>
  reading._tag === "Skipped" || (reading._tag === "Finding" && !refuses(reading))
    ? []
    : [{ reading, findings: reading._tag === "Finding" ? [reading] : [total] }]

const written = (refused: ReadonlyArray<RefusedDocument>) =>
  Stream.fromIterable(refused).pipe(adapter.writeRefused, Stream.decodeText, Stream.mkString)

const withoutPlaces = (readings: ReadonlyArray<Reading>) =>
  documentsIn(readings).map((document) => without(plain(document) as { readonly [name: string]: unknown }, "at"))

describe("a document that is refused because of its contacts", () => {
  const document = JSON.stringify([invoice()])
  const other = JSON.stringify([contact({ ContactID: "elsewhere" })])
  const codes = (readings: ReadonlyArray<Reading>) =>
    documentsIn(readings).flatMap(({ findings }) => findings.map(({ code }) => code))
  const refusedOf = (files: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const readings = yield* read(inputOf(files))
      const refused = documentsIn(readings).map((reading) => ({ reading, findings: reading.findings }))
      return { codes: codes(readings), text: yield* written(refused) }
    })

  for (const [code, contacts] of [
    ["XERO_CONTACT_UNRESOLVED", other],
    ["XERO_CONTACTS_DIFFER", JSON.stringify([contact(), contact({ Name: "Somebody else" })])]
  ] as const) {
    it.effect(`stays refused for ${code} without a correction, and states how to release it`, function* () {
      const first = yield* refusedOf({ "a.json": document, "contacts.json": contacts })
      assert.deepStrictEqual(first.codes, [code])
      const again = yield* refusedOf({ "a.refused.json": first.text })
      assert.deepStrictEqual(again.codes, [code])
      assert.strictEqual(again.text.split('take \\"Refused\\" out of its record').length, 2)
      const released = first.text.replace(/"Refused":\[.*?\],(?="[A-Z])/, "")
      assert.deepStrictEqual((yield* refusedOf({ "a.refused.json": released })).codes, [])
    })

    it.effect(`is accepted after ${code} with the missing contact`, function* () {
      const { text } = yield* refusedOf({ "a.json": document, "contacts.json": contacts })
      const again = yield* refusedOf({ "a.refused.json": text, "contacts.json": JSON.stringify([contact()]) })
      assert.deepStrictEqual(again.codes, [])
    })
  }
})

describe("writeRefused", () => {
  it.effect("returns the export's own record with the reasons", function* () {
    const source = `{"InvoiceID":"a-1","Type":"ACCREC","Status":"PAID","Total":10.10,"Ünknown":[1e2,{"x":null}],"LineItems":[]}`
    const text = yield* written((yield* readingsOf(source)).flatMap(refuse))
    assert.strictEqual(
      text,
      `[\n{"Refused":[{"Code":"XERO_NUMBER_FORM","Message":"An amount or quantity is not a decimal number","Detail":"Total: 1,000",` +
        `"Fix":"Write the number as 1234.50, without thousands separators or currency signs.","At":"export.json:3 /0/Total"}],` +
        `"InvoiceID":"a-1","Type":"ACCREC","Status":"PAID","Total":10.10,"Ünknown":[1e2,{"x":null}],"LineItems":[]}\n]\n`
    )
  })

  it.effect("writes a file that reads as the same documents, repeatedly", function* () {
    const row = { invoice_id: "r1", invoice_number: "R-1", type: "ACCREC", status: "PAID", line_amount: "100.00" }
    const files = {
      "a.json": JSON.stringify({ Invoices: [invoice(), invoice({ LineItems: [line({ Quantity: "two" })] })] }),
      "b.json": JSON.stringify([creditNote(), row, { ...row, description: "second" }]),
      "contacts.json": JSON.stringify([contact()])
    }
    const first = yield* read(inputOf(files))
    const once = yield* written(first.flatMap(refuse))
    const second = yield* read(inputOf({ "refused.json": once, "contacts.json": files["contacts.json"] }))
    assert.deepStrictEqual(
      withoutPlaces(second).map((document) => without(document, "findings")),
      withoutPlaces(first).map((document) => without(document, "findings"))
    )
    const twice = yield* written(second.flatMap(refuse))
    assert.strictEqual(twice, once)
  })

  it.effect("keeps records that are not documents, and a line for a value that is not a record", function* () {
    const readings = yield* readingsOf(`{"Type":"ACCREC","LineItems":[],"Note":"no id"}\n{"a":1}\n{"b":\n{"c":3}`)
    const text = yield* written(readings.flatMap(refuse))
    const entries = JSON.parse(text) as ReadonlyArray<{ readonly Refused: ReadonlyArray<{ readonly Code: string }> }>
    assert.deepStrictEqual(
      entries.map(({ Refused, ...record }) => [Refused[0]?.Code, record]),
      [
        ["XERO_ID_MISSING", { Type: "ACCREC", LineItems: [], Note: "no id" }],
        ["XERO_SHAPE_UNKNOWN", { a: 1 }],
        ["XERO_RECORD_UNREADABLE", {}],
        ["XERO_SHAPE_UNKNOWN", { c: 3 }]
      ]
    )
    const again = yield* readingsOf(text)
    assert.deepStrictEqual(
      again.map((reading) => (reading as Finding).code),
      ["XERO_ID_MISSING", "XERO_SHAPE_UNKNOWN", "XERO_RECORD_UNREADABLE", "XERO_SHAPE_UNKNOWN"]
    )
  })

  it.effect("writes an empty array if nothing was refused", function* () {
    assert.deepStrictEqual(JSON.parse(yield* written([])), [])
  })
})

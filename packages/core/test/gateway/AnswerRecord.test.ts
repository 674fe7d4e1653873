import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import {
  asWritten,
  type Decode,
  decides,
  isNearMiss,
  list,
  nobody,
  record,
  text,
  value,
  WholeNumber
} from "../../src/gateway/exchange/AnswerRecord.ts"
import { seeded } from "../Property.ts"

const whole = value(WholeNumber)
const needed = { by: "a guard", absent: "answer", unreadable: "answer" } as const
const guarded = { by: "a guard", absent: "null", unreadable: "documents" } as const
const Thing = record({
  id: decides(whole, needed),
  tin: nobody(text, "TIN", "TaxNumber"),
  validTill: decides(text, guarded)
})

const read = <A>(decode: Decode<A>, wire: unknown) => Result.getOrThrow(decode(wire)).value
const failure = <A>(decode: Decode<A>, wire: unknown) => {
  const result = decode(wire)
  return Result.isFailure(result) ? result.failure : ""
}

describe("the decoder of an answer record", () => {
  it("reads wire names, then aliases in order, and keeps other fields unchanged", () => {
    assert.deepStrictEqual(read(Thing.decode, { Id: 1, TaxNumber: "a", TIN: "b", x: [1] }), {
      id: 1,
      tin: "b",
      validTill: null,
      unknownFields: { TaxNumber: "a", x: [1] }
    })
    assert.strictEqual(read(Thing.decode, { Id: 1, TaxNumber: "a" }).tin, "a")
  })

  it("reads keys in any letter case: exact keys first, and keys with a value before keys without", () => {
    assert.strictEqual(read(Thing.decode, { ID: 7, tax_number: "a" }).id, 7)
    assert.strictEqual(read(Thing.decode, { ID: 7, tax_number: "a" }).tin, "a")
    assert.deepStrictEqual(read(Thing.decode, { id: 2, Id: 1, tin: "x", TIN: null }), {
      id: 1,
      tin: "x",
      validTill: null,
      unknownFields: { id: 2, TIN: null }
    })
  })

  it("reads null or missing fields as null if allowed, and otherwise names the wire field", () => {
    assert.isNull(read(Thing.decode, { Id: 1, TIN: null }).tin)
    assert.isNull(read(Thing.decode, { Id: 1 }).tin)
    assert.include(failure(Thing.decode, { TIN: "x" }), "Id: absent")
    assert.include(failure(Thing.decode, { Id: "x" }), "Id: ")
    assert.include(failure(Thing.decode, []), "expected an object")
  })

  it("reads a non-deciding field of a wrong form as null, keeps the original, and reports it", () => {
    const { misfits, tin, unknownFields } = read(Thing.decode, { Id: 1, TIN: { a: 1 } })
    assert.isNull(tin)
    assert.deepStrictEqual(unknownFields, { TIN: { a: 1 } })
    assert.deepStrictEqual(misfits, [{ field: "TIN", text: "expected text", follows: "null" }])
  })

  it("reports the consequence if a deciding field is unreadable or has a misspelled name", () => {
    const spoilt = read(Thing.decode, { Id: 1, ValidTill: [] })
    assert.deepStrictEqual(
      spoilt.misfits?.map(({ field, follows }) => [field, follows]),
      [["ValidTill", "documents"]]
    )
    const slip = read(Thing.decode, { Id: 1, ValidTil: "2026-01-01" })
    assert.deepStrictEqual(slip.misfits, [
      { field: "ValidTill", text: "expected under this name; the answer has ValidTil", follows: "documents" }
    ])
    assert.isUndefined(read(Thing.decode, { Id: 1, ValidTil: null }).misfits)
  })

  it("recognizes a misspelled name, and does not confuse it with another field's name", () => {
    for (const name of ["taxValidTil", "taxValidUntil", "tax_valid_tills", "taxValidTillDate"]) {
      assert.isTrue(isNearMiss(name, "taxValidTill"), name)
    }
    for (const name of ["taxValidFrom", "taxName", "taxPercent", "till", "x".repeat(70)]) {
      assert.isFalse(isNearMiss(name, "taxValidTill"), name)
    }
    assert.isFalse(isNearMiss("bpNumber", "vatNumber"))
    assert.isFalse(isNearMiss("IsLive", "IsActive"))
  })

  it("omits an unreadable row, but not the whole list", () => {
    const Rows = record({ rows: nobody(list(Thing.decode)) })
    const { misfits, rows } = read(Rows.decode, { Rows: [{ Id: 1 }, { TIN: "x" }, 5, { Id: 2, TIN: [] }] })
    assert.deepStrictEqual(
      rows?.map(({ id }) => id),
      [1, 2]
    )
    assert.deepStrictEqual(
      misfits?.map(({ field, follows }) => [field, follows]),
      [
        ["Rows.1", "row"],
        ["Rows.2", "row"],
        ["Rows.3.TIN", "null"]
      ]
    )
  })

  it("is not confused by fields named like parts of a JavaScript object", () => {
    const hostile: unknown = JSON.parse('{"Id":1,"__proto__":{"tin":"x"},"constructor":1,"unknownFields":{"a":1}}')
    const { tin, unknownFields } = read(Thing.decode, hostile)
    assert.isNull(tin)
    assert.deepStrictEqual(Object.keys(unknownFields), ["__proto__", "constructor", "unknownFields"])
  })

  it("leaves names unchanged if they are the same on both sides", () => {
    const Plain = record({ taxId: decides(whole, needed) }, asWritten)
    assert.strictEqual(read(Plain.decode, { taxId: "12" }).taxId, 12)
  })

  it.prop(
    "accepts every safe whole number, as a number or as a string",
    { n: Arbitrary.schema(Schema.Int) },
    ({ n }) => {
      const decode = Schema.decodeUnknownSync(WholeNumber)
      return decode(n) === n && decode(String(n)) === n
    },
    seeded()
  )

  it("refuses values that are not whole numbers", () => {
    for (const wire of [1.5, "1.5", "", "x", "1e3", "12345678901234567890", Number.NaN, true, null, [], "0x10"]) {
      assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(WholeNumber)(wire)), String(wire))
    }
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { asWritten, nullable, record, WholeNumber } from "../../src/gateway/exchange/AnswerRecord.ts"
import { CurrencyMapping } from "../../src/gateway/operation/CurrencyMapping.ts"
import { Profile } from "../../src/gateway/operation/Profile.ts"
import { ZReport } from "../../src/gateway/operation/ZReport.ts"
import * as Sample from "./SampleAnswers.ts"

const Thing = record({ id: WholeNumber, tin: nullable(Schema.String) }, { tin: ["TIN", "TaxNumber"] })
const read = Schema.decodeUnknownResult(Thing)

describe("records of answers", () => {
  it("reads wire names, aliases in their order, and keeps the rest untouched", () => {
    assert.deepStrictEqual(Result.getOrThrow(read({ Id: 1, TaxNumber: "a", TIN: "b", x: [1] })), {
      id: 1,
      tin: "b",
      unknownFields: { TaxNumber: "a", x: [1] }
    })
    assert.deepStrictEqual(Result.getOrThrow(read({ Id: 1, TaxNumber: "a" })), { id: 1, tin: "a", unknownFields: {} })
  })

  it("reads what is null or left out as null where it may be, and names the wire's field where it may not", () => {
    assert.isNull(Result.getOrThrow(read({ Id: 1, TIN: null })).tin)
    assert.isNull(Result.getOrThrow(read({ Id: 1 })).tin)
    const failure = read({ TIN: "x" })
    assert.include(Result.isFailure(failure) ? failure.failure.message : "", "Id")
  })

  it("is not led astray by fields with the names of an object's own parts", () => {
    const hostile: unknown = JSON.parse('{"Id":1,"__proto__":{"tin":"x"},"constructor":1,"unknownFields":{"a":1}}')
    const { tin, unknownFields } = Result.getOrThrow(read(hostile))
    assert.isNull(tin)
    assert.deepStrictEqual(Object.keys(unknownFields), ["__proto__", "constructor", "unknownFields"])
  })

  it("writes back what it read, in the wire's spelling", () => {
    const again = <S extends Schema.Codec<unknown, unknown>>(schema: S, wire: unknown) =>
      Schema.encodeSync(schema)(Schema.decodeUnknownSync(schema)(wire))
    const more = { ...Sample.profile, Theme: "dark" }
    assert.deepStrictEqual(again(Profile, more), more)
    assert.deepStrictEqual(again(CurrencyMapping, Sample.currencyMapping), Sample.currencyMapping)
    assert.strictEqual(
      JSON.stringify(
        again(ZReport, {
          FiscalDayNumber: 1,
          DateOpenedAt: "2026-01-01T00:00:00",
          Summaries: [{ CounterType: "Sale", Amount: 1.5, TaxID: 1 }]
        })
      ),
      '{"OpenedAt":"2026-01-01T00:00:00","ClosedAt":null,"FiscalDayNumber":1,' +
        '"Summaries":[{"CounterType":"Sale","Currency":null,"TaxPercent":null,"TaxID":1,"PaymentMethod":null,"Amount":1.50}],' +
        '"Message":null,"IsSuccess":null}'
    )
  })

  it("leaves names alone where they are the same on both sides", () => {
    const Plain = record({ taxId: WholeNumber }, {}, asWritten)
    assert.strictEqual(Result.getOrThrow(Schema.decodeResult(Plain)({ taxId: "12" })).taxId, 12)
  })

  it.prop("takes every safe whole number, as a number or as a string", { n: Arbitrary.schema(Schema.Int) }, ({ n }) => {
    const decode = Schema.decodeUnknownSync(WholeNumber)
    return decode(n) === n && decode(String(n)) === n
  })

  it("takes nothing for a whole number that is none", () => {
    for (const wire of [1.5, "1.5", "", "x", "1e3", "12345678901234567890", Number.NaN, true, null, [], "0x10"]) {
      assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(WholeNumber)(wire)), String(wire))
    }
  })
})

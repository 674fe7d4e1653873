import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Decimal from "../../src/wire/Decimal.ts"
import * as ExactJson from "../../src/wire/ExactJson.ts"
import { epochSeconds } from "../../src/wire/ReceiptDate.ts"
import * as Zone from "../../src/wire/Zone.ts"
import { seeded } from "../../../core/test/Property.ts"

describe("exact JSON", () => {
  for (const text of [
    "0.1",
    "12345678901234567.89",
    "10.10",
    "-0.001",
    "0",
    "[1,2.50,-3]",
    `{"a":{"b":[1.0,null,true,"x"]}}`
  ]) {
    it(`prints ${text} as it was read`, () => {
      assert.strictEqual(ExactJson.print(Result.getOrThrow(ExactJson.parse(text))), text)
    })
  }

  it("writes exponents as plain digits", () => {
    assert.strictEqual(ExactJson.print(Result.getOrThrow(ExactJson.parse("[1e-7,1.5E3]"))), "[0.0000001,1500]")
  })

  it.prop(
    "keeps every digit of a decimal",
    {
      value: Arbitrary.schema(Schema.BigInt),
      scale: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 })))
    },
    ({ scale, value }) => {
      const decimal = BigDecimal.make(value % 10n ** 30n, scale)
      const read = Option.getOrThrow(Decimal.fromText(Decimal.toText(decimal)))
      assert.isTrue(BigDecimal.equals(read, decimal))
    },
    seeded()
  )

  it("refuses invalid JSON and numbers with too many digits, without throwing", () => {
    for (const text of ["", "{", "nul", `{"a":1e400}`, "1e-400", "9".repeat(61), "[".repeat(100_000)]) {
      assert.isTrue(Result.isFailure(ExactJson.parse(text)), text.slice(0, 20))
    }
  })

  it("reads a key named __proto__ as a normal key", () => {
    const json = Result.getOrThrow(ExactJson.parse(`{"__proto__":{"x":1}}`))
    assert.strictEqual(ExactJson.print(json), `{"__proto__":{"x":1}}`)
    assert.isUndefined(Reflect.get({}, "x"))
  })
})

describe("a decimal in a text", () => {
  it("is a plain numeral", () => {
    for (const text of ["", " ", "1,5", "0x10", "1e", "Infinity", "--1", "1.", ".5", "1 000"]) {
      assert.isTrue(Option.isNone(Decimal.fromText(text)), text)
    }
  })
})

describe("a receipt date", () => {
  it("is an instant in whole seconds", () => {
    assert.strictEqual(epochSeconds("1970-01-01T02:00:01.999+02:00"), 1)
    assert.strictEqual(epochSeconds("2024-02-29T00:00:00Z"), 1_709_164_800)
  })

  it("is invalid without an offset, on an impossible day, or at hour 25", () => {
    for (const text of [
      "2025-01-01T00:00:00",
      "2025-01-01",
      "2025-02-29T00:00:00Z",
      "2025-13-01T00:00:00Z",
      "2025-01-01T25:00:00Z",
      "2025-01-01T00:00:00+2"
    ]) {
      assert.isUndefined(epochSeconds(text), text)
    }
  })
})

describe("a zone", () => {
  it("converts instants into civil time and back", () => {
    const zone = Zone.Zone.make("-03:30")
    assert.strictEqual(Zone.civil(zone, 0), "1969-12-31T20:30:00.000")
    assert.strictEqual(Zone.instant(zone, "1969-12-31T20:30:00.000"), 0)
    assert.strictEqual(Zone.instant(zone, "1970-01-01"), 3.5 * 3600 * 1000)
    assert.isUndefined(Zone.instant(zone, "2025-02-30"))
    assert.isUndefined(Zone.instant(zone, "2025-01-01T00:00:00Z"))
  })
})

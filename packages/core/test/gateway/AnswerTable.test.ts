/**
 * Table of answers: the result of each field if absent, unreadable, or in another form that
 * published clients have met.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as AnswerTable from "../../src/gateway/operation/AnswerTable.ts"
import { operations } from "../../src/gateway/contract/Operation.ts"
import { answers } from "../../../../scripts/pages/AnswersPart.ts"
import { connect, serveAnswer, withClient } from "./Loopback.ts"
import * as Sample from "./SampleAnswers.ts"

const device = (change: object) => Sample.deviceAnswered({ ...Sample.fiscalDevice, ...change })
const config = Sample.deviceConfig
const misfits = (read: { readonly misfits?: ReadonlyArray<{ readonly field: string; readonly follows: string }> }) =>
  (read.misfits ?? []).map(({ field, follows }) => `${field} ${follows}`)

describe("the table of answers", () => {
  it("has a row for every operation", () => {
    assert.deepStrictEqual(Object.keys(answers), Object.keys(operations))
  })

  const harmless = {
    BillingStatus: "Paid",
    NextPingTime: "soon",
    ActivatedOn: {},
    ModelName: ["x"],
    FiscalProviderId: 1.5,
    IsAutoPayPreferred: "yes"
  }
  for (const [field, value] of Object.entries(harmless)) {
    it(`keeps and reports ${field} in another form, and stops nothing`, () => {
      const read = device({ [field]: value })
      assert.deepStrictEqual(misfits(read), [`${field} null`])
      assert.deepStrictEqual(read.unknownFields, { [field]: value })
    })
  }

  it("reads a numeric TIN, an offset without a colon and a date without a time", () => {
    const read = device({ TIN: 2000123456, NextPingTime: "2026-02-03T04:05:06+0000", ExpireCsvUpload: "2026-04-01" })
    assert.strictEqual(read.tin, "2000123456")
    assert.deepStrictEqual(misfits(read), [])
    assert.deepStrictEqual(read.expireCsvUpload as unknown, "2026-04-01T00:00:00")
  })

  it("reads a subscription without items, or with unknown items", () => {
    const subscription = (items: unknown) =>
      Result.getOrThrow(AnswerTable.Subscription.decode({ ...Sample.subscription, SubscriptionItems: items })).value
    assert.isNull(subscription(null).subscriptionItems)
    assert.deepStrictEqual(misfits(subscription("none")), ["SubscriptionItems null"])
  })

  for (const [what, value] of [
    ["nested once more", JSON.stringify({ config })],
    ["an object", config],
    ["nested and an object", { Config: { CurrentConfig: JSON.stringify(config) } }],
    ["text inside text", JSON.stringify(JSON.stringify(config))],
    [
      "spelled otherwise",
      JSON.stringify({ ...config, applicableTaxes: undefined, ApplicableTaxes: config.applicableTaxes })
    ]
  ] as const) {
    it(`unwraps a configuration that is nested once more, an object, or text inside text (SHAPE-1): ${what}`, () => {
      const { currentConfig } = device({ CurrentConfig: value })
      assert.deepStrictEqual(
        currentConfig?.applicableTaxes?.map(({ taxId }) => taxId),
        [1, 515, 2, 3]
      )
      assert.isUndefined(currentConfig?.misfits)
    })
  }

  it("omits a tax without an id, and keeps the others", () => {
    const [first, ...taxes] = config.applicableTaxes
    const { currentConfig } = device({
      CurrentConfig: JSON.stringify({ ...config, applicableTaxes: [{ ...first, taxId: "one" }, ...taxes] })
    })
    assert.strictEqual(currentConfig?.applicableTaxes?.length, 3)
    assert.deepStrictEqual(misfits(currentConfig!), ["applicableTaxes.0 row"])
  })

  for (const field of ["DeviceId", "IsActive", "IsLive", "IsSwitchedOn"]) {
    it(`refuses an answer with ${field} missing or of another type, and names the field`, () => {
      for (const value of [undefined, null, "true", {}]) {
        const read = AnswerTable.FiscalDevice.decode({ ...Sample.fiscalDevice, [field]: value })
        assert.isTrue(Result.isFailure(read) && read.failure.startsWith(`${field}: `), String(value))
      }
    })
  }

  const answered = (answer: unknown) =>
    Effect.flatMap(serveAnswer(200, JSON.stringify(answer)), ({ baseUrl }) => connect(baseUrl))

  it.live("splits supported currencies in a single text (SHAPE-1)", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* (yield* answered("USD,ZAR")).supportedCurrencies, ["USD", "ZAR"])
      assert.deepStrictEqual(yield* (yield* answered("USD; ZAR ")).supportedCurrencies, ["USD", "ZAR"])
    }).pipe(withClient())
  )

  it.live("omits an unreadable row of a list, and reports the row", () =>
    Effect.gen(function* () {
      const gateway = yield* answered([
        { ...Sample.taxMapping, TaxCode: "" },
        { ...Sample.taxMapping, Id: "x" },
        { ...Sample.taxMapping, DestinationTaxId: "x" }
      ])
      const read = yield* gateway.taxMappings
      assert.deepStrictEqual(
        read.map(({ id, taxCode }) => [id, String(taxCode)]),
        [[null, "VAT15"]]
      )
      const [told] = yield* gateway.misfits
      assert.deepStrictEqual([told?.operation, misfits(told!)], ["taxMappings", ["0 row", "1.Id null", "2 row"]])
      assert.deepStrictEqual(
        told?.misfits.map(({ of }) => of),
        [undefined, undefined, "VAT15"],
        "the code of a row that is left out, where it can be read"
      )
    }).pipe(withClient())
  )
})

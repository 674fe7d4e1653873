import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { assert, describe, it } from "../It.ts"
import { Effect, Fiber, Option, Redacted, Result, Schedule } from "effect"
import { CurrencyCode, TaxCode } from "../../src/document/Identifiers.ts"
import * as Gateway from "../../src/gateway/Gateway.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import * as GatewayMappings from "../../src/mapping/GatewayMappings.ts"
import * as MappingApply from "../../src/mapping/MappingApply.ts"
import * as MappingPlan from "../../src/mapping/MappingPlan.ts"
import * as SavedPlan from "../../src/mapping/SavedPlan.ts"
import * as UndiciHttpClient from "../../src/node/UndiciHttpClient.ts"
import { day } from "./Mappings.ts"

const text = `{ "version": 1, "zone": "+02:00",
  "taxes": [{ "code": "VAT15", "name": "VAT 15 %", "until": "2025-12-31", "device": 1, "percent": "15" },
            { "code": "VAT155", "since": "2026-01-01", "device": 515, "percent": "15.5" },
            { "code": "ZERO", "device": 2, "percent": "0" }],
  "currencies": [{ "code": "USD", "device": "USD" }, { "code": "RND", "device": "ZAR" }] }`

/**
 * Starts a gateway with two missing tax codes and a missing currency, a wrong name and currency,
 * and one of each too many.
 */
const start = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({
    accounts: [
      {
        key: "key",
        secret: "a secret",
        name: "main",
        device: 1001,
        taxMappings: [
          { taxCode: "VAT15", taxName: "Old name", destinationTaxId: 1 },
          { taxCode: "OLD", destinationTaxId: 3 }
        ],
        currencyMappings: [
          { sourceCurrency: "RND", destinationCurrency: "GBP" },
          { sourceCurrency: "EUR", destinationCurrency: "EUR" }
        ]
      }
    ]
  })
  const gateway = yield* Gateway.make({
    account: "main",
    baseUrl: sandbox.url,
    application: "test",
    station: "test",
    apiKey: Redacted.make("key"),
    secret: Redacted.make("a secret")
  }).pipe(Effect.provide(UndiciHttpClient.layer()))
  const book = yield* BookFile.load("x.book.json", text)
  const mappings = yield* GatewayMappings.read(gateway)
  const inUse = { taxCodes: new Set<string>(), currencies: new Set<string>() }
  const plan = MappingPlan.make(book, mappings, { extras: "delete", inUse, today: day("2026-02-01") })
  const saved = Option.getOrThrow(SavedPlan.fromText(SavedPlan.toText(SavedPlan.make("main", book, mappings, plan))))
  const state = Effect.map(GatewayMappings.read(gateway), ({ currencies, taxes }) => [
    ...taxes.map(({ destinationTaxId, taxCode, taxName }) => `${taxCode} ${taxName} ${destinationTaxId}`),
    ...currencies.map(({ destinationCurrency, sourceCurrency }) => `${sourceCurrency} ${destinationCurrency}`)
  ])
  return { sandbox, gateway, saved, state }
})

const goal = ["VAT15 VAT 15 % 1", "VAT155 VAT155 515", "ZERO ZERO 2", "RND ZAR", "USD USD"]
const writes = [
  "addTaxMapping",
  "updateTaxMapping",
  "deleteTaxMapping",
  "addCurrencyMapping",
  "updateCurrencyMapping",
  "deleteCurrencyMapping"
] as const

describe("applying a plan", () => {
  it.live("performs every step once, and nothing when it is repeated", function* () {
    const { gateway, sandbox, saved, state } = yield* start
    const performed: Array<string> = []
    const run = MappingApply.apply(saved, gateway, ({ step, when }) =>
      Effect.sync(() => performed.push(`${when} ${step._tag}`))
    )
    yield* run
    assert.deepStrictEqual(yield* state, goal)
    assert.deepStrictEqual(performed, [
      "now AddTax",
      "now AddTax",
      "now AddCurrency",
      "now RenameTax",
      "now RepointCurrency",
      "now DeleteTax",
      "now DeleteCurrency"
    ])
    yield* sandbox.control.forgetCalls
    yield* run
    assert.isTrue(performed.slice(7).every((one) => one.startsWith("before")))
    const calls = yield* sandbox.control.calls
    assert.isTrue(calls.every(({ method }) => method === "GET"))
  })

  for (const stage of ["before", "after"] as const) {
    it.live(`reaches the same mappings after the connection is cut ${stage} any step and it is repeated`, function* () {
      for (let skip = 0; skip < 7; skip++) {
        const { gateway, sandbox, saved, state } = yield* start
        yield* sandbox.control.addFault({ kind: "drop", stage, operations: writes, skip, times: 1 })
        const first = yield* Effect.result(MappingApply.apply(saved, gateway))
        // A completed step with a lost answer is found by a look, and the run continues.
        assert.strictEqual(Result.isSuccess(first), stage === "after", `step ${skip}`)
        yield* MappingApply.apply(saved, gateway)
        assert.deepStrictEqual(yield* state, goal, `step ${skip}`)
      }
    })
  }

  it.live("reaches the same mappings after a kill in any step and a repetition", function* () {
    for (const stage of ["before", "after"] as const) {
      for (let skip = 0; skip < 7; skip++) {
        const { gateway, sandbox, saved, state } = yield* start
        const fault = { kind: "latency", millis: 60_000, stage, operations: writes, skip, times: 1 } as const
        yield* sandbox.control.addFault(fault)
        const run = yield* Effect.forkChild(MappingApply.apply(saved, gateway))
        yield* Effect.repeat(sandbox.control.faults, {
          until: ([standing]) => standing?.struck === 1,
          schedule: Schedule.spaced("2 millis")
        })
        yield* Fiber.interrupt(run)
        yield* MappingApply.apply(saved, gateway)
        assert.deepStrictEqual(yield* state, goal, `step ${skip}, ${stage}`)
      }
    }
  })

  const foreign = (
    name: string,
    change: (gateway: Gateway.GatewayOperations) => Effect.Effect<unknown, unknown>,
    difference: string
  ) =>
    it.live(`does nothing if another client has ${name} since the plan`, function* () {
      const { gateway, sandbox, saved, state } = yield* start
      yield* change(gateway)
      const before = yield* state
      yield* sandbox.control.forgetCalls
      const error = yield* Effect.flip(MappingApply.apply(saved, gateway))
      assert.strictEqual(error._tag, "PlanStale")
      assert.include(error.message, difference)
      assert.deepStrictEqual(yield* state, before)
      assert.isTrue((yield* sandbox.control.calls).every(({ method }) => method === "GET"))
    })
  foreign(
    "mapped a code elsewhere",
    (gateway) => gateway.addTaxMapping({ taxCode: TaxCode.make("ZERO"), taxName: "Zero", destinationTaxId: 3 }),
    "tax code ZERO has been mapped to 3"
  )
  foreign(
    "added what the plan would add, twice",
    (gateway) =>
      Effect.repeat(
        gateway.addCurrencyMapping({ sourceCurrency: CurrencyCode.make("USD"), destinationCurrency: "USD" }),
        { times: 1 }
      ),
    "currency USD has been mapped to USD"
  )
  foreign(
    "changed a mapping",
    (gateway) =>
      Effect.flatMap(gateway.taxMappings, ([first]) =>
        gateway.updateTaxMapping({ ...first!, id: first!.id!, destinationTaxId: 2 })
      ),
    "tax code VAT15 (mapping 1) is now VAT15 to 2"
  )
  foreign(
    "deleted a mapping",
    (gateway) => Effect.flatMap(gateway.taxMappings, ([first]) => gateway.deleteTaxMapping(first!.id!)),
    "tax code VAT15 (mapping 1) is gone"
  )

  it.live("adds nothing after a row of the gateway became unreadable that may be the addition", function* () {
    const { gateway, sandbox, saved } = yield* start
    const misfit = { field: "2", text: "DestinationTaxId: expected a whole number", follows: "row", of: "ZERO" }
    const misfits = Effect.succeed([{ operation: "taxMappings", misfits: [misfit] }] as const)
    yield* sandbox.control.forgetCalls
    const error = yield* Effect.flip(MappingApply.apply(saved, { ...gateway, misfits } as typeof gateway))
    assert.strictEqual(error._tag, "PlanStale")
    assert.include(error.message, "it may map tax code ZERO")
    assert.isTrue((yield* sandbox.control.calls).every(({ method }) => method === "GET"))
  })
})

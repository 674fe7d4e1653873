import { assert, describe, it } from "../../core/test/It.ts"
import * as Effect from "effect/Effect"
import type { SandboxShape } from "../src/Sandbox.ts"
import type { Input } from "../src/SandboxConfig.ts"
import { epochSeconds } from "../src/wire/ReceiptDate.ts"
import { invoice } from "./documents.ts"
import { get, jsonOf, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

/** Returns the answer under the documented contract, and the answer with the switch. */
const both = <A, E>(change: Input, call: (sandbox: SandboxShape) => Effect.Effect<A, E>) =>
  Effect.all([withSandbox(call), withSandbox(call, change)])

describe("leniency for other connectors' requests", () => {
  it.effect("a Date without an offset is accepted only with a switch, in the device's zone (DOC-17)", function* () {
    const answers = yield* both({ dates: "offset-optional" }, (sandbox) =>
      Effect.gen(function* () {
        const { status } = yield* send(sandbox, "POST", "/invoice", invoice({ Date: "2025-06-02T11:59:00" }))
        const [receipt] = yield* sandbox.control.receipts
        return [status, receipt === undefined ? null : new Date(receipt.epochSeconds * 1000).toISOString()]
      })
    )
    // The device is at +02:00.
    assert.deepStrictEqual(answers, [
      [400, null],
      [200, "2025-06-02T09:59:00.000Z"]
    ])
  })

  it.effect(
    "a tax mapping without TaxName is accepted only with a switch; the TaxCode is used for it (DOC-18)",
    function* () {
      const answers = yield* both({ taxNames: "optional" }, (sandbox) =>
        Effect.gen(function* () {
          const added = yield* send(sandbox, "POST", "/taxmapping", { TaxCode: "NEW", DestinationTaxId: 2 })
          const changed = yield* send(sandbox, "PUT", "/taxmapping/1", {
            TaxCode: "VAT15",
            TaxName: null,
            DestinationTaxId: 1
          })
          return [added.status, changed.status, added.status === 200 ? jsonOf(added) : null]
        })
      )
      assert.deepStrictEqual(answers, [
        [400, 400, null],
        [200, 200, { Id: 5, UserId: 1, TaxCode: "NEW", TaxName: "NEW", DestinationTaxId: 2 }]
      ])
    }
  )
})

describe("leniency in reading values", () => {
  it.effect("an address with empty parts is accepted only with a switch (DOC-11)", function* () {
    const buyer = { Name: "Cash sale", Address: { Province: "", Street: "Main", HouseNo: null, City: "Harbour" } }
    const answers = yield* both({ addresses: "parts-optional", processingDelayMillis: 0 }, (sandbox) =>
      Effect.gen(function* () {
        const id = (yield* send(sandbox, "POST", "/invoice", invoice({ BuyerContact: buyer }))).text
        const items = jsonOf(yield* send(sandbox, "POST", "/status", [id])) as unknown as ReadonlyArray<{
          Success: boolean
        }>
        return items.map(({ Success }) => Success)
      })
    )
    assert.deepStrictEqual(answers[1], [true])
    assert.notDeepEqual(answers[0], [true])
  })

  for (const [text, seconds] of [
    ["2025-06-02T17:06+00:00", 1_748_883_960],
    ["2025-06-02T17:06Z", 1_748_883_960],
    ["2025-06-02T19:06:00+0200", 1_748_883_960],
    ["2025-06-02T19:06:00.25+02", 1_748_883_960],
    ["2025-06-02T24:00:00Z", undefined],
    ["2025-06-02T17:60:00Z", undefined],
    ["2025-06-02T17:06", undefined],
    ["2025-02-30T17:06:00Z", undefined]
  ] as const) {
    it(`the date ${text} is ${seconds === undefined ? "refused" : "read"}`, () => {
      assert.strictEqual(epochSeconds(text), seconds)
    })
  }
})

describe("the device's configuration", () => {
  it.effect("names the identifier of a tax taxId, or taxID with a switch (DOC-12)", function* () {
    const answers = yield* both({ devices: [{ deviceId: 1001, taxIdField: "taxID" }] }, (sandbox) =>
      Effect.map(get(sandbox, "/fiscaldevice"), (reply) => {
        const { CurrentConfig } = jsonOf(reply) as { readonly CurrentConfig: string }
        return Object.keys(JSON.parse(CurrentConfig).applicableTaxes[0])[0]
      })
    )
    assert.deepStrictEqual(answers, ["taxId", "taxID"])
  })
})

describe("the Date header", () => {
  it.effect("is the sandbox's clock, even if the clock is moved", () =>
    withSandbox(function* (sandbox) {
      const date = Effect.map(get(sandbox, "/profile"), ({ headers }) => headers.get("date"))
      assert.strictEqual(yield* date, "Mon, 02 Jun 2025 12:00:00 GMT")
      yield* sandbox.control.moveClock({ set: "2030-01-01T00:00:00Z" })
      assert.strictEqual(yield* date, "Tue, 01 Jan 2030 00:00:00 GMT")
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { invoice } from "./documents.ts"
import { jsonOf, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

const day = 24 * 3600 * 1000

describe("the status operation", () => {
  it.effect("returns one item per identifier in the requested order, without unknown ones", () =>
    withSandbox((sandbox) =>
      Effect.gen(function* () {
        const a = (yield* send(sandbox, "POST", "/invoice", invoice({ InvoiceId: "a" }))).text
        const b = (yield* send(sandbox, "POST", "/invoice", invoice({ InvoiceId: "b" }))).text
        const items = jsonOf(yield* send(sandbox, "POST", "/status", [b, "unknown", a, b])) as ReadonlyArray<{
          readonly RequestId: string
        }>
        assert.deepStrictEqual(
          items.map((item) => item.RequestId),
          [b, a, b]
        )
      })
    )
  )

  it.effect("returns separate items for unknown ids, not known yet or no longer, if configured", () =>
    withSandbox(
      (sandbox) =>
        Effect.gen(function* () {
          const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice())
          const said = Effect.map(send(sandbox, "POST", "/status", [id, "nobody's"]), (reply) =>
            (jsonOf(reply) as ReadonlyArray<{ readonly Error: string | null; readonly Success: boolean }>).map(
              ({ Error, Success }) => Error ?? Success
            )
          )
          assert.deepStrictEqual(yield* said, ["Request not found", "Request not found"])
          yield* sandbox.control.moveClock({ advanceMillis: 500 })
          assert.deepStrictEqual(yield* said, [false, "Request not found"])
          yield* sandbox.control.moveClock({ advanceMillis: 500 })
          assert.deepStrictEqual(yield* said, [true, "Request not found"])
          yield* sandbox.control.moveClock({ advanceMillis: 7 * day + 1 })
          assert.deepStrictEqual(yield* said, ["Request not found", "Request not found"])
        }),
      { unknownIds: "error-item", processingDelayMillis: 1000 }
    )
  )

  it.effect("returns results for seven days after processing and not longer", () =>
    withSandbox((sandbox) =>
      Effect.gen(function* () {
        const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice())
        yield* sandbox.control.moveClock({ advanceMillis: 7 * day })
        assert.include((yield* send(sandbox, "POST", "/status", [id])).text, id)
        yield* sandbox.control.moveClock({ advanceMillis: 1 })
        assert.strictEqual((yield* send(sandbox, "POST", "/status", [id])).text, "[]")
      })
    )
  )

  it.effect("answers 100 identifiers, and of more than 100 omits every second one", () =>
    withSandbox((sandbox) =>
      Effect.gen(function* () {
        const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice())
        const count = (reply: { readonly text: string }) => (JSON.parse(reply.text) as ReadonlyArray<unknown>).length
        const ids = Array.from({ length: 101 }, () => id)
        assert.strictEqual(count(yield* send(sandbox, "POST", "/status", ids.slice(1))), 100)
        assert.strictEqual(count(yield* send(sandbox, "POST", "/status", ids)), 51)
        assert.deepStrictEqual(
          (yield* sandbox.control.calls).map((call) => call.ids),
          [null, 100, 101]
        )
      })
    )
  )

  it.effect("refuses anything but an array of identifiers", () =>
    withSandbox((sandbox) =>
      Effect.gen(function* () {
        for (const body of [`{"ids":[]}`, `[1]`, `"x"`, ``]) {
          assert.strictEqual((yield* send(sandbox, "POST", "/status", body)).status, 400)
        }
        assert.strictEqual((yield* send(sandbox, "POST", "/status", [])).text, "[]")
      })
    )
  )
})

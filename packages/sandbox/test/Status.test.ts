import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { invoice } from "./documents.ts"
import { jsonOf, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

const day = 24 * 3600 * 1000

interface Item {
  readonly Success: boolean
  readonly IsActionable: boolean | null
  readonly Error: unknown
  readonly QrData: unknown
  readonly FiscalInvoicePdf: string | null
}

describe("the status operation", () => {
  it.effect("returns one item per identifier in the requested order, without unknown ones", () =>
    withSandbox(function* (sandbox) {
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

  it.effect("returns separate items for unknown ids, not known yet or no longer, if configured", () =>
    withSandbox(
      function* (sandbox) {
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
      },
      { unknownIds: "error-item", processingDelayMillis: 1000 }
    )
  )

  it.effect("returns results for seven days after processing and not longer", () =>
    withSandbox(function* (sandbox) {
      const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice())
      yield* sandbox.control.moveClock({ advanceMillis: 7 * day })
      assert.include((yield* send(sandbox, "POST", "/status", [id])).text, id)
      yield* sandbox.control.moveClock({ advanceMillis: 1 })
      assert.strictEqual((yield* send(sandbox, "POST", "/status", [id])).text, "[]")
    })
  )

  it.effect("answers 100 identifiers, and of more than 100 omits every second one", () =>
    withSandbox(function* (sandbox) {
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

  it.effect("refuses anything but an array of identifiers", () =>
    withSandbox(function* (sandbox) {
      for (const body of [`{"ids":[]}`, `[1]`, `"x"`, ``]) {
        assert.strictEqual((yield* send(sandbox, "POST", "/status", body)).status, 400)
      }
      assert.strictEqual((yield* send(sandbox, "POST", "/status", [])).text, "[]")
    })
  )

  it.effect("reports the words of a fault while a document is worked on, then the receipt", () =>
    withSandbox(function* (sandbox) {
      const error = { Code: 404, Message: "{number} of {id} is queued" }
      yield* sandbox.control.addFault({ kind: "working", error, actionable: true, pdf: "a.pdf", millis: 1000 })
      const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice({ InvoiceNumber: "RCPT026-17" }))
      const said = Effect.map(send(sandbox, "POST", "/status", [id]), (reply) => jsonOf(reply) as ReadonlyArray<Item>)
      const [working] = yield* said
      assert.deepStrictEqual(
        [working?.Success, working?.IsActionable, working?.Error, working?.FiscalInvoicePdf],
        [false, true, { Code: 404, Message: `RCPT026-17 of ${id} is queued` }, "a.pdf"]
      )
      yield* sandbox.control.moveClock({ advanceMillis: 1000 })
      const [done] = yield* said
      assert.deepStrictEqual([done?.Success, done?.IsActionable, done?.Error], [true, false, null])
    })
  )

  it.effect("reports receipts as failures, without a proof or with the proof of another, if faults demand it", () =>
    withSandbox(function* (sandbox) {
      const submitted = (id: string) =>
        Effect.map(send(sandbox, "POST", "/invoice", invoice({ InvoiceId: id })), ({ text }) => text)
      const said = (id: string) =>
        Effect.map(send(sandbox, "POST", "/status", [id]), (reply) => (jsonOf(reply) as ReadonlyArray<Item>)[0]!)
      const plain = yield* said(yield* submitted("a"))
      yield* sandbox.control.addFault({ kind: "proof-repeated", times: 1 })
      const repeated = yield* said(yield* submitted("b"))
      yield* sandbox.control.addFault({ kind: "proof-missing", millis: 1000, times: 1 })
      const late = yield* submitted("c")
      const missing = yield* said(late)
      yield* sandbox.control.moveClock({ advanceMillis: 1000 })
      const found = yield* said(late)
      yield* sandbox.control.addFault({ kind: "contradiction", error: "no paper", qrData: "text", times: 1 })
      const contradicted = yield* said(yield* submitted("d"))
      assert.isObject(plain.QrData)
      assert.deepStrictEqual([repeated.Success, repeated.QrData], [true, plain.QrData])
      assert.deepStrictEqual([missing.Success, missing.QrData, missing.FiscalInvoicePdf], [true, null, null])
      assert.isObject(found.QrData)
      assert.deepStrictEqual([contradicted.Success, contradicted.Error], [false, "no paper"])
      assert.match(String(contradicted.QrData), /"VerificationCode":"[0-9A-F-]{19}"/)
      assert.lengthOf(yield* sandbox.control.receipts, 4)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { FaultBook } from "../src/fault/FaultBook.ts"
import { invoice } from "./documents.ts"
import { get, jsonOf, raw, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

const document = (id: string, change = {}) => invoice({ InvoiceId: id, InvoiceNumber: id.toUpperCase(), ...change })

describe("a dropped submission", () => {
  for (const [stage, accepted] of [
    ["before", 0],
    ["after", 1]
  ] as const) {
    it.effect(`${stage} processing is cut off and ${accepted === 0 ? "not" : "still"} accepted`, () =>
      withSandbox(
        function* (sandbox) {
          const cut = yield* Effect.flip(send(sandbox, "POST", "/invoice", invoice()))
          assert.strictEqual(cut._tag, "Cut")
          assert.lengthOf(yield* sandbox.control.accepted, accepted)
          assert.strictEqual((yield* sandbox.control.calls)[0]?.status, "dropped")
          assert.strictEqual((yield* send(sandbox, "POST", "/invoice", invoice())).status, 200)
        },
        { faults: [{ kind: "drop", stage, times: 1 }] }
      )
    )
  }
})

describe("a document", () => {
  it.effect("rejected on request fails with the text, and states whether it is actionable", () =>
    withSandbox(
      function* (sandbox) {
        const ids: Array<string> = []
        for (const id of ["a", "b", "c"]) ids.push((yield* send(sandbox, "POST", "/invoice", document(id))).text)
        const items = jsonOf(yield* send(sandbox, "POST", "/status", ids)) as ReadonlyArray<Record<string, unknown>>
        assert.deepStrictEqual(
          items.map((item) => [item["Success"], item["IsActionable"], item["Error"]]),
          [
            [false, true, "RCPT026: rejected by the sandbox on request"],
            [false, false, "RCPT999: never"],
            [true, false, null]
          ]
        )
      },
      {
        faults: [
          { kind: "reject", documents: ["a"] },
          { kind: "reject", documents: ["B"], actionable: false, error: "RCPT999: never" }
        ]
      }
    )
  )

  it.effect("can stay pending forever without blocking others", () =>
    withSandbox(
      function* (sandbox) {
        yield* send(sandbox, "POST", "/invoice", document("a"))
        yield* send(sandbox, "POST", "/invoice", document("b"))
        yield* sandbox.control.moveClock({ advanceMillis: 30 * 24 * 3600 * 1000 })
        const states = (yield* sandbox.control.accepted).map(({ id, state }) => [id, state])
        assert.deepStrictEqual(states, [
          ["a", "pending"],
          ["b", "fiscalised"]
        ])
      },
      { faults: [{ kind: "pend", documents: ["a"] }] }
    )
  )
})

describe("IsRetry", () => {
  const twice = (isRetry: "ignored" | "same-id" | "new-id") =>
    withSandbox(
      function* (sandbox) {
        const first = (yield* send(sandbox, "POST", "/invoice", invoice())).text
        const again = (yield* send(sandbox, "POST", "/invoice", invoice({ IsRetry: true }))).text
        const items = jsonOf(yield* send(sandbox, "POST", "/status", [first, again])) as ReadonlyArray<{
          readonly RequestId: string
          readonly QrData: { readonly VerificationCode: string }
        }>
        const [counted] = yield* sandbox.control.accepted
        return {
          sameId: first === again,
          receipts: new Set(items.map((item) => item.QrData.VerificationCode)).size,
          answered: items.map((item) => item.RequestId === first || item.RequestId === again),
          counted: [counted?.accepted, counted?.receipts]
        }
      },
      { isRetry }
    )

  it.effect("ignored (the default) makes a second receipt", () =>
    Effect.map(twice("ignored"), (seen) =>
      assert.deepStrictEqual(seen, { sameId: false, receipts: 2, answered: [true, true], counted: [2, 2] })
    )
  )

  it.effect("honored with the same id answers the first request again", () =>
    Effect.map(twice("same-id"), (seen) =>
      assert.deepStrictEqual(seen, { sameId: true, receipts: 1, answered: [true, true], counted: [1, 1] })
    )
  )

  it.effect("honored with a new id leads to the same receipt", () =>
    Effect.map(twice("new-id"), (seen) =>
      assert.deepStrictEqual(seen, { sameId: false, receipts: 1, answered: [true, true], counted: [1, 1] })
    )
  )

  it.effect("after a rejection processes the document again", () =>
    withSandbox(
      function* (sandbox) {
        yield* send(sandbox, "POST", "/invoice", invoice())
        yield* send(sandbox, "POST", "/invoice", invoice({ IsRetry: true }))
        const [counted] = yield* sandbox.control.accepted
        assert.deepStrictEqual([counted?.accepted, counted?.receipts, counted?.state], [2, 1, "fiscalised"])
      },
      { isRetry: "same-id", faults: [{ kind: "reject", times: 1 }] }
    )
  )
})

describe("a fault definition", () => {
  const call = { operation: "submitInvoice", account: "main", documents: ["a", "A"] } as const

  it("applies after the skipped calls, as often as configured", () => {
    const book = new FaultBook([{ kind: "drop", stage: "before", skip: 1, times: 2 }])
    const struck = Array.from({ length: 5 }, () => book.strike(call).length)
    assert.deepStrictEqual(struck, [0, 1, 1, 0, 0])
    assert.deepInclude(book.list()[0], { met: 3, struck: 2 })
  })

  it("applies only to its operations, documents and accounts", () => {
    const book = new FaultBook([
      { kind: "drop", stage: "before", operations: ["status"] },
      { kind: "drop", stage: "before", documents: ["b"] },
      { kind: "drop", stage: "before", accounts: ["other"] },
      { kind: "drop", stage: "after", operations: ["submitInvoice"], documents: ["A"], accounts: ["main"] }
    ])
    assert.deepStrictEqual(
      book.strike(call).map((fault) => fault.kind === "drop" && fault.stage),
      ["after"]
    )
  })

  it("gives the same random choices for the same seed, with about the requested probability", () => {
    const lots = (seed: number) => {
      const book = new FaultBook([{ kind: "drop", stage: "before", probability: 0.25, seed }])
      return Array.from({ length: 1000 }, () => book.strike(call).length)
    }
    assert.deepStrictEqual(lots(3), lots(3))
    assert.notDeepEqual(lots(3), lots(4))
    const hits = lots(3).reduce((sum, hit) => sum + hit, 0)
    assert.isAbove(hits, 200)
    assert.isBelow(hits, 300)
  })
})

describe("/_control", () => {
  const json = { "Content-Type": "application/json" }

  it.effect("sets, lists and removes faults, changes settings, moves the clock and returns counts", () =>
    withSandbox(function* (sandbox) {
      const control = (method: string, path: string, body?: string) =>
        raw(sandbox, method, `/_control${path}`, { headers: body === undefined ? {} : json, ...(body && { body }) })
      const set = yield* control("POST", "/faults", `{"kind":"drop","stage":"after","times":1}`)
      assert.strictEqual(set.text, `{"id":"fault-1"}`)
      assert.deepStrictEqual(jsonOf(yield* control("GET", "/faults")), [
        { id: "fault-1", spec: { kind: "drop", stage: "after", times: 1 }, met: 0, struck: 0 }
      ])
      assert.strictEqual((yield* control("DELETE", "/faults/fault-1")).status, 204)
      assert.strictEqual((yield* control("DELETE", "/faults/fault-1")).status, 404)
      assert.strictEqual(
        (yield* control("PATCH", "/settings", `{"isRetry":"same-id"}`)).text,
        `{"isRetry":"same-id","processingDelayMillis":0}`
      )
      assert.strictEqual(
        (yield* control("POST", "/clock", `{"set":"2025-07-01T00:00:00Z","advanceMillis":1500}`)).text,
        `{"now":"2025-07-01T00:00:01.500Z"}`
      )
      yield* send(sandbox, "POST", "/invoice", invoice())
      const [counted] = jsonOf(yield* control("GET", "/accepted")) as ReadonlyArray<Record<string, unknown>>
      assert.deepInclude(counted, {
        account: "main",
        kind: "invoice",
        id: "inv-1",
        number: "INV-1",
        accepted: 1,
        receipts: 1
      })
      assert.lengthOf(jsonOf(yield* control("GET", "/calls")) as ReadonlyArray<unknown>, 1)
      assert.strictEqual((yield* control("DELETE", "/calls")).status, 204)
      assert.deepStrictEqual(yield* sandbox.control.calls, [])
    })
  )

  it.effect("refuses unknown input with 400 and the place", () =>
    withSandbox(function* (sandbox) {
      const reply = yield* raw(sandbox, "POST", "/_control/faults", { headers: json, body: `{"kind":"earthquake"}` })
      assert.strictEqual(reply.status, 400)
      assert.include(reply.text, "kind")
      const error = yield* Effect.flip(sandbox.control.addFault({ kind: "drop", times: -1 }))
      assert.include(error.message, "times")
    })
  )

  const refused: ReadonlyArray<readonly [method: string, path: string, body: string, said: RegExp]> = [
    [
      "POST",
      "/faults",
      `{"kind":"drop","tmes":1}`,
      /^POST \/_control\/faults does not take this: tmes: there is no such field$/
    ],
    ["POST", "/faults", `{"kind":"earthquake"}`, /kind: expected one of drop, reject, .*delivery-empty$/],
    ["POST", "/faults", `{"kind":"items-missing","stage":"after"}`, /this: stage: there is no such field$/],
    ["POST", "/faults", "{oops", /valid JSON body$/],
    ["POST", "/faults", "[]", /this: (the body must be a JSON object|kind: expected one of .*)$/],
    [
      "PATCH",
      "/settings",
      `{"processingDelay":1,"isRetry":"maybe"}`,
      /isRetry: .*processingDelay: there is no such field|processingDelay: there is no such field; isRetry: /
    ],
    ["PATCH", "/settings", "3", /this: the body must be a JSON object$/],
    ["POST", "/close-day", `{"devce":1}`, /devce: there is no such field$/],
    ["POST", "/repair-day", `{"devce":1}`, /devce: there is no such field$/],
    ["PATCH", "/device", `{"isLiv":true}`, /isLiv: there is no such field$/],
    ["PATCH", "/account", `{"account":"main","secrt":"x"}`, /secrt: there is no such field$/],
    ["POST", "/clock", `{"advance":5}`, /advance: there is no such field$/],
    ["PUT", "/webhooks/main", `{"url":"http://127.0.0.1:1/","foo":1}`, /foo: there is no such field$/],
    // Without the refusal, the request would remove all faults.
    ["DELETE", "/faults", `{"id":"fault-1"}`, /DELETE \/_control\/faults takes no body$/]
  ]
  for (const [method, path, body, said] of refused) {
    it.effect(`answers 400 with a sentence to ${method} ${path} ${body}, and changes nothing`, () =>
      withSandbox(
        function* (sandbox) {
          const before = yield* Effect.all([sandbox.control.faults, sandbox.control.settings, sandbox.control.clock])
          const reply = yield* raw(sandbox, method, `/_control${path}`, { headers: json, body })
          assert.strictEqual(reply.status, 400)
          assert.match((jsonOf(reply) as { readonly Message: string }).Message, said)
          const after = yield* Effect.all([sandbox.control.faults, sandbox.control.settings, sandbox.control.clock])
          assert.deepStrictEqual(after, before)
        },
        { faults: [{ kind: "pend", documents: ["nobody"] }] }
      )
    )
  }

  it.effect("states the accepted content type", () =>
    withSandbox(function* (sandbox) {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" }
      const reply = yield* raw(sandbox, "POST", "/_control/faults", { headers, body: `{"kind":"pend"}` })
      assert.strictEqual(reply.status, 415)
      assert.include(reply.text, "application/json")
    })
  )

  it.effect("is not an operation of the gateway: it is not recorded as a call", () =>
    withSandbox(function* (sandbox) {
      yield* get(sandbox, "/_control/accepted")
      assert.deepStrictEqual(yield* sandbox.control.calls, [])
    })
  )
})

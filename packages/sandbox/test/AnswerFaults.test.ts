import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { request } from "node:http"
import type { FaultSpec } from "../src/fault/Fault.ts"
import type { SandboxShape } from "../src/Sandbox.ts"
import { invoice } from "./documents.ts"
import { credentials, get, jsonOf, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

type Spec = typeof FaultSpec.Encoded

const submitting = (fault: Spec) =>
  withSandbox(
    function* (sandbox) {
      const reply = yield* send(sandbox, "POST", "/invoice", invoice())
      return { ...reply, accepted: (yield* sandbox.control.accepted).length }
    },
    { faults: [fault] }
  )

describe("in place of an answer the gateway", () => {
  const cases: ReadonlyArray<
    readonly [title: string, fault: Spec, status: number, contentType: RegExp | null, body: RegExp]
  > = [
    ["gives a 503", { kind: "error", status: 503 }, 503, /json/, /Message/],
    ["gives a 500", { kind: "error", status: 500 }, 500, /json/, /Message/],
    ["gives an HTML page", { kind: "html" }, 200, /^text\/html/, /^<!DOCTYPE html>/],
    ["gives an HTML page with 502", { kind: "html", status: 502 }, 502, /^text\/html/, /^<!DOCTYPE html>/],
    ["gives no body", { kind: "empty" }, 200, null, /^$/],
    ["gives 204", { kind: "empty", status: 204 }, 204, null, /^$/],
    ["gives the configured body", { kind: "answer", body: "false" }, 200, /^application\/json/, /^false$/]
  ]
  for (const [title, fault, status, contentType, body] of cases) {
    for (const stage of ["before", "after"] as const) {
      it.effect(`${title}, ${stage} processing`, () =>
        Effect.map(submitting({ ...fault, stage } as Spec), (reply) => {
          assert.strictEqual(reply.status, status)
          assert.match(reply.text, body)
          if (contentType === null) assert.isNull(reply.contentType)
          else assert.match(reply.contentType ?? "", contentType)
          assert.strictEqual(reply.accepted, stage === "after" ? 1 : 0)
        })
      )
    }
  }

  it.effect("redirects, with the configured headers", () =>
    Effect.map(
      submitting({ kind: "answer", status: 302, body: "", headers: { Location: "https://elsewhere.invalid/" } }),
      (reply) => {
        assert.deepStrictEqual([reply.status, reply.headers.get("location")], [302, "https://elsewhere.invalid/"])
      }
    )
  )

  it.effect("limits the rate with 429 and Retry-After", () =>
    Effect.map(submitting({ kind: "error", status: 429, retryAfter: "17" }), (reply) => {
      assert.deepStrictEqual([reply.status, reply.headers.get("retry-after"), reply.accepted], [429, "17", 0])
    })
  )
})

describe("the body of an answer", () => {
  it.effect("is the request id in double quotes", () =>
    Effect.map(submitting({ kind: "quoted-id" }), (reply) => assert.match(reply.text, /^"[0-9a-f-]{36}"$/))
  )

  it.effect("of a refusal is not changed", () =>
    withSandbox(
      function* (sandbox) {
        const reply = yield* send(sandbox, "POST", "/invoice", "{}")
        assert.strictEqual(reply.status, 400)
        assert.match(reply.text, /^\{"Message"/)
      },
      { faults: [{ kind: "quoted-id" }] }
    )
  )

  it.effect("has another content type", () =>
    Effect.map(submitting({ kind: "content-type", contentType: "application/octet-stream" }), (reply) => {
      assert.strictEqual(reply.contentType, "application/octet-stream")
      assert.match(reply.text, /^[0-9a-f-]{36}$/)
    })
  )

  it.effect("has its numbers as strings with all digits, and words unchanged", () =>
    withSandbox(
      function* (sandbox) {
        assert.include((yield* get(sandbox, "/subscription")).text, `"AmountDue":"0.00","IsDeleted":false`)
        assert.include((yield* get(sandbox, "/taxmapping")).text, `"DestinationTaxId":"1"`)
      },
      { faults: [{ kind: "numbers-as-strings" }] }
    )
  )

  it.effect("has an unknown field in every object", () =>
    withSandbox(
      function* (sandbox) {
        const mappings = jsonOf(yield* get(sandbox, "/taxmapping")) as ReadonlyArray<Record<string, unknown>>
        assert.lengthOf(mappings, 3)
        for (const mapping of mappings) assert.property(mapping, "FieldFromTheFuture")
      },
      { faults: [{ kind: "unknown-fields", operations: ["taxMappings"] }] }
    )
  )

  const items = (fault: Spec) =>
    withSandbox(
      function* (sandbox) {
        const ids: Array<string> = []
        for (const id of ["a", "b"]) {
          ids.push((yield* send(sandbox, "POST", "/invoice", invoice({ InvoiceId: id, InvoiceNumber: id }))).text)
        }
        const answer = jsonOf(yield* send(sandbox, "POST", "/status", ids)) as ReadonlyArray<{ RequestId: string }>
        return answer.map((item) => ["a", "b"][ids.indexOf(item.RequestId)] ?? "?").join("")
      },
      { faults: [fault] }
    )
  const orders: ReadonlyArray<readonly [fault: Spec, items: string]> = [
    [{ kind: "items-out-of-order" }, "ba"],
    [{ kind: "items-repeated" }, "aabb"],
    [{ kind: "items-missing" }, ""],
    [{ kind: "items-missing", documents: ["a"] }, "b"],
    [{ kind: "items-unknown" }, "?ab"]
  ]
  for (const [fault, expected] of orders) {
    it.effect(`with ${JSON.stringify(fault)} answers for a and b with "${expected}"`, () =>
      Effect.map(items(fault), (seen) => assert.strictEqual(seen, expected))
    )
  }

  it.effect("combines several faults", () =>
    withSandbox(
      function* (sandbox) {
        const reply = yield* get(sandbox, "/taxmapping/1")
        assert.strictEqual(reply.contentType, "text/plain")
        assert.include(reply.text, `"Id":"1"`)
        assert.include(reply.text, "FieldFromTheFuture")
      },
      {
        faults: [
          { kind: "numbers-as-strings" },
          { kind: "unknown-fields" },
          { kind: "content-type", contentType: "text/plain" }
        ]
      }
    )
  )
})

/** Returns the received part of an answer, and the way the connection ended. */
const listen = (sandbox: SandboxShape, path: string) =>
  Effect.callback<{ readonly announced: number; readonly arrived: number; readonly end: "complete" | "cut" }>(
    (resume) => {
      request(sandbox.url + path, { headers: credentials }, (response) => {
        let arrived = 0
        const finish = (end: "complete" | "cut") => () =>
          resume(Effect.succeed({ announced: Number(response.headers["content-length"]), arrived, end }))
        response.on("data", (chunk: Buffer) => (arrived += chunk.length))
        response.on("end", finish("complete"))
        response.on("error", finish("cut"))
      }).end()
    }
  )

describe("the connection", () => {
  it.effect("is cut halfway through the body", () =>
    withSandbox(
      function* (sandbox) {
        const seen = yield* listen(sandbox, "/fiscaldevice")
        assert.strictEqual(seen.end, "cut")
        assert.strictEqual(seen.arrived, Math.floor(seen.announced / 2))
        assert.strictEqual((yield* sandbox.control.calls)[0]?.status, "dropped")
      },
      { faults: [{ kind: "truncated-body" }] }
    )
  )

  it.live("delivers the body slowly and completely", () =>
    withSandbox(
      function* (sandbox) {
        const began = performance.now()
        const seen = yield* listen(sandbox, "/fiscaldevice")
        assert.strictEqual(seen.end, "complete")
        assert.strictEqual(seen.arrived, seen.announced)
        assert.isAtLeast(performance.now() - began, 95)
      },
      { faults: [{ kind: "slow-body", millis: 100 }] }
    )
  )

  for (const stage of ["before", "after"] as const) {
    it.live(`waits ${stage} processing`, () =>
      withSandbox(
        function* (sandbox) {
          const began = performance.now()
          assert.strictEqual((yield* get(sandbox, "/profile")).status, 200)
          assert.isAtLeast(performance.now() - began, 45)
        },
        { faults: [{ kind: "latency", millis: 50, stage }] }
      )
    )
  }

  it.live("closed by a client during a late answer leaves the document accepted and the call unanswered", () =>
    withSandbox(
      function* (sandbox) {
        const { control } = sandbox
        yield* Effect.raceFirst(
          send(sandbox, "POST", "/invoice", invoice()),
          Effect.repeat(control.accepted, { until: (accepted) => accepted.length === 1 })
        )
        assert.lengthOf(yield* control.accepted, 1)
        assert.strictEqual((yield* control.calls)[0]?.status, "unanswered")
      },
      { faults: [{ kind: "latency", millis: 60_000, stage: "after" }] }
    )
  )
})

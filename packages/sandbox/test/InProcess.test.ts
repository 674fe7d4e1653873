import { assert, describe, it } from "../../core/test/It.ts"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Sandbox from "../src/Sandbox.ts"
import type { Input } from "../src/SandboxConfig.ts"
import { invoice } from "./documents.ts"
import { credentials, get as getOverSocket, sign } from "./GatewayCaller.ts"
import { account, start } from "./sandboxes.ts"

const here = (change: Input = {}, newRequestId?: () => string) =>
  Sandbox.makeInProcess(
    { accounts: [account], processingDelayMillis: 0, startAt: "2025-06-02T12:00:00Z", ...change },
    newRequestId
  )

const url = "http://sandbox.invalid"
const get = (path: string) => HttpClientRequest.get(url + path, { headers: credentials })
const post = (path: string, body: unknown, secret?: string) => {
  const text = JSON.stringify(body)
  return HttpClientRequest.post(url + path, {
    headers: { ...credentials, "X-Api-Signature": sign(text, secret) }
  }).pipe(HttpClientRequest.bodyUint8Array(new TextEncoder().encode(text), "application/json"))
}
const textOf = ({ body }: { readonly body: Uint8Array }) => new TextDecoder().decode(body)

describe("a sandbox called in the same process", () => {
  it.effect("answers exactly as over a socket", function* () {
    const [inProcess, overSocket] = [yield* here(), yield* start()]
    for (const path of ["/profile", "/fiscaldevice", "/nothing"]) {
      const answer = yield* inProcess.answer(get(path))
      const reply = yield* getOverSocket(overSocket, path)
      assert.deepStrictEqual([answer.status, textOf(answer)], [reply.status, reply.text])
      assert.strictEqual(answer.headers["content-type"], reply.contentType ?? undefined)
    }
  })

  it.effect("states the time, as a server does", function* () {
    const { answer } = yield* here()
    assert.strictEqual((yield* answer(get("/profile"))).headers["date"], "Mon, 02 Jun 2025 12:00:00 GMT")
  })

  it.effect("gives request ids that its caller generates", function* () {
    let ids = 0
    const { answer, control } = yield* here({}, () => `request-${++ids}`)
    assert.strictEqual(textOf(yield* answer(post("/invoice", invoice()))), "request-1")
    assert.lengthOf(yield* control.receipts, 1)
  })

  for (const [fault, where, accepted] of [
    [{ kind: "drop", stage: "before" }, "before-the-answer", 0],
    [{ kind: "drop", stage: "after" }, "before-the-answer", 1],
    [{ kind: "truncated-body" }, "in-the-body", 1]
  ] as const) {
    it.effect(`has its connection cut by a fault: ${JSON.stringify(fault)}`, function* () {
      const { answer, control } = yield* here({ faults: [{ ...fault, times: 1 }] })
      const cut = yield* Effect.flip(answer(post("/invoice", invoice())))
      assert.deepStrictEqual([cut._tag, cut.where], ["Cut", where])
      assert.strictEqual((yield* control.calls)[0]?.status, "dropped")
      assert.lengthOf(yield* control.accepted, accepted)
      assert.strictEqual((yield* answer(get("/profile"))).status, 200)
    })
  }
})

describe("changing an account", () => {
  const devices = [{ deviceId: 1001 }, { deviceId: 1002, serialNo: "OTHER" }]

  it.effect("moves the key to another device; accepted documents stay with the former device", function* () {
    const { answer, control } = yield* here({ devices })
    yield* answer(post("/invoice", invoice()))
    yield* control.changeAccount({ account: "main", device: 1002 })
    yield* answer(post("/invoice", invoice({ InvoiceId: "b", InvoiceNumber: "B" })))
    assert.deepStrictEqual(
      (yield* control.receipts).map(({ deviceId }) => deviceId),
      [1001, 1002]
    )
  })

  it.effect("replaces the secret, and only the new secret is accepted", function* () {
    const { answer, control } = yield* here()
    yield* control.changeAccount({ account: "main", secret: "new" })
    assert.strictEqual((yield* answer(post("/invoice", invoice()))).status, 401)
    assert.strictEqual((yield* answer(post("/invoice", invoice(), "new"))).status, 200)
  })

  it.effect("with an unknown account or device is refused", function* () {
    const { control } = yield* here()
    for (const [change, problem] of [
      [{ account: "nobody" }, "no such account"],
      [{ account: "main", device: 7 }, "no such device"]
    ] as const) {
      assert.include((yield* Effect.flip(control.changeAccount(change))).message, problem)
    }
  })
})

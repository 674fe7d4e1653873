import { assert, describe, it } from "@effect/vitest"
import { invoice } from "./documents.ts"
import { credentials, get, raw, send, sign } from "./GatewayCaller.ts"
import { account, withSandbox } from "./sandboxes.ts"

const body = JSON.stringify(invoice({ Reference: "Ünïcode/slash" }))
const signed = { ...credentials, "Content-Type": "application/json", "X-Api-Signature": sign(body) }
const without = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))

describe("a request", () => {
  it.effect("is accepted if key, application, station and the signature over its bytes are correct", () =>
    withSandbox(function* (sandbox) {
      assert.strictEqual((yield* raw(sandbox, "POST", "/invoice", { headers: signed, body })).status, 200)
    })
  )

  for (const name of ["X-Api-Key", "X-Application", "X-App-Station"]) {
    it.effect(`without ${name}, or with a wrong one, gives 401`, () =>
      withSandbox(function* (sandbox) {
        const missing = yield* raw(sandbox, "GET", "/profile", { headers: without(credentials, name) })
        const wrong = yield* raw(sandbox, "GET", "/profile", { headers: { ...credentials, [name]: "other" } })
        assert.deepStrictEqual([missing.status, wrong.status], [401, 401])
        assert.include(missing.text, name)
      })
    )
  }

  const badSignatures: ReadonlyArray<readonly [title: string, headers: Record<string, string>]> = [
    ["no signature", without(signed, "X-Api-Signature")],
    ["a signature by another secret", { ...signed, "X-Api-Signature": sign(body, "other") }],
    [
      "a signature over other bytes of the same JSON",
      { ...signed, "X-Api-Signature": sign(body.replaceAll("/", "\\/")) }
    ],
    ["a signature in hexadecimal", { ...signed, "X-Api-Signature": Buffer.from(sign(body), "base64").toString("hex") }]
  ]
  for (const [title, headers] of badSignatures) {
    it.effect(`with ${title} gives 401 and stores nothing`, () =>
      withSandbox(function* (sandbox) {
        assert.strictEqual((yield* raw(sandbox, "POST", "/invoice", { headers, body })).status, 401)
        assert.deepStrictEqual(yield* sandbox.control.accepted, [])
      })
    )
  }

  it.effect("without a body needs no signature", () =>
    withSandbox(function* (sandbox) {
      assert.strictEqual((yield* get(sandbox, "/profile")).status, 200)
    })
  )

  it.effect("of an account without a secret may be unsigned", () =>
    withSandbox(
      function* (sandbox) {
        const headers = without(signed, "X-Api-Signature")
        assert.strictEqual((yield* raw(sandbox, "POST", "/invoice", { headers, body })).status, 200)
      },
      { accounts: [{ key: "sandbox-key", device: 1001 }] }
    )
  )

  it.effect("may be signed with any secret of a rotation", () =>
    withSandbox(
      function* (sandbox) {
        const by = (secret: string) =>
          raw(sandbox, "POST", "/invoice", { headers: { ...signed, "X-Api-Signature": sign(body, secret) }, body })
        assert.deepStrictEqual(
          [(yield* by("old")).status, (yield* by("new")).status, (yield* by("older")).status],
          [200, 200, 401]
        )
      },
      { accounts: [{ ...account, secret: ["old", "new"] }] }
    )
  )

  it.effect("is recorded with its version, and never with its key or signature", () =>
    withSandbox(function* (sandbox) {
      yield* raw(sandbox, "GET", "/profile", { headers: { ...credentials, "X-App-Version": "42" } })
      yield* send(sandbox, "POST", "/invoice", body)
      const calls = yield* sandbox.control.calls
      assert.deepStrictEqual(
        calls.map(({ account: name, operation, station, status, version }) => [
          operation,
          status,
          name,
          station,
          version
        ]),
        [
          ["profile", 200, "main", "sandbox-station", "42"],
          ["submitInvoice", 200, "main", "sandbox-station", "1"]
        ]
      )
      const shown = JSON.stringify([calls, yield* sandbox.control.accepted, sandbox.config])
      for (const secret of ["sandbox-key", "sandbox-secret", sign(body)]) assert.notInclude(shown, secret)
    })
  )
})

describe("two accounts", () => {
  it.effect("see neither each other's requests nor each other's mappings", () =>
    withSandbox(
      function* (sandbox) {
        const { text: id } = yield* send(sandbox, "POST", "/invoice", body)
        const other = {
          "X-Api-Key": "second-key",
          "X-Application": "a",
          "X-App-Station": "s",
          "Content-Type": "application/json"
        }
        const status = yield* raw(sandbox, "POST", "/status", { headers: other, body: JSON.stringify([id]) })
        assert.strictEqual(status.text, "[]")
        assert.strictEqual((yield* raw(sandbox, "GET", `/download/${id}.pdf`, { headers: other })).status, 404)
        assert.strictEqual((yield* raw(sandbox, "GET", "/taxmapping", { headers: other })).text, "[]")
        assert.strictEqual((yield* raw(sandbox, "GET", "/profile", { headers: other })).text.includes('"Id":2'), true)
      },
      { accounts: [account, { key: "second-key", name: "second", device: 1001 }] }
    )
  )
})

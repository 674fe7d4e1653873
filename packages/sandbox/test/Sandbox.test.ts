import { assert, describe, it } from "../../core/test/It.ts"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Sandbox from "../src/Sandbox.ts"
import { get } from "./GatewayCaller.ts"
import { account, withSandbox } from "./sandboxes.ts"

describe("a sandbox", () => {
  it.effect("needs no configuration: one account with one device, loopback, a free port", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.make()
        assert.match(sandbox.url, /^http:\/\/127\.0\.0\.1:\d+$/)
        assert.strictEqual((yield* get(sandbox, "/fiscaldevice")).status, 200)
      })
    )
  )

  it.effect("stops with its scope, even if a client keeps its connection", function* () {
    const scope = yield* Scope.make()
    const sandbox = yield* Scope.provide(Sandbox.make(), scope)
    assert.strictEqual((yield* get(sandbox, "/profile")).status, 200)
    yield* Scope.close(scope, Exit.void)
    assert.strictEqual((yield* Effect.flip(get(sandbox, "/profile")))._tag, "Cut")
  })

  it.effect("reports a port in use", () =>
    withSandbox(function* (sandbox) {
      const error = yield* Effect.flip(Sandbox.make({ port: Number(new URL(sandbox.url).port) }))
      assert.strictEqual(error.reason._tag, "NotListening")
      assert.include(error.message, new URL(sandbox.url).host)
    })
  )

  const bad: ReadonlyArray<readonly [title: string, config: object, expected: RegExp]> = [
    ["a device that does not exist", { accounts: [{ ...account, device: 5 }] }, /accounts\.0\.device: /],
    ["the same device twice", { devices: [{ deviceId: 1 }, { deviceId: 1 }], accounts: [] }, /devices\.1\.deviceId: /],
    ["the same key twice", { accounts: [account, { ...account, name: "other" }] }, /accounts\.1\.key: /],
    ["the same name twice", { accounts: [account, { ...account, key: "other" }] }, /accounts\.1\.name: /],
    ["a field it does not know", { prot: 4010 }, /prot/],
    [
      "a percentage that is none",
      { devices: [{ deviceId: 1001, taxes: [{ taxId: 1, taxPercent: "many", taxName: "" }] }] },
      /taxPercent/
    ],
    ["a zone by name", { devices: [{ deviceId: 1001, zone: "Africa/Nowhere" }] }, /UTC offset/],
    ["a probability above one", { faults: [{ kind: "drop", probability: 2 }] }, /probability/]
  ]
  for (const [title, config, expected] of bad) {
    it.effect(`refuses ${title}, with the path`, function* () {
      const error = yield* Effect.flip(Effect.scoped(Sandbox.make(config)))
      assert.strictEqual(error.reason._tag, "Invalid")
      assert.match(error.message, expected)
    })
  }
})

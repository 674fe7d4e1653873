import { assert, describe, it } from "@effect/vitest"
import { get, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

const empty = { accounts: [{ key: "sandbox-key", secret: "sandbox-secret", userId: 7, device: 1001 }] }

describe("tax mappings", () => {
  it.effect("are added, listed, read, changed and deleted exactly as documented", () =>
    withSandbox(function* (sandbox) {
      const added = yield* send(
        sandbox,
        "POST",
        "/taxmapping",
        `{"TaxCode":"VAT15","TaxName":"VAT 15 %","DestinationTaxId":1}`
      )
      assert.strictEqual(added.status, 200)
      assert.match(added.contentType ?? "", /^application\/json/)
      const literal = `{"Id":1,"UserId":7,"TaxCode":"VAT15","TaxName":"VAT 15 %","DestinationTaxId":1}`
      assert.strictEqual(added.text, literal)
      assert.strictEqual((yield* get(sandbox, "/taxmapping")).text, `[${literal}]`)
      assert.strictEqual((yield* get(sandbox, "/taxmapping/1")).text, literal)
      const changed = literal.replace(`"DestinationTaxId":1`, `"DestinationTaxId":"515"`)
      const put = yield* send(sandbox, "PUT", "/taxmapping/1", changed)
      assert.deepStrictEqual([put.status, put.text], [200, "true"])
      assert.include((yield* get(sandbox, "/taxmapping/1")).text, `"DestinationTaxId":515`)
      assert.strictEqual((yield* get(sandbox, "/taxmapping/1", "DELETE")).status, 200)
      assert.strictEqual((yield* get(sandbox, "/taxmapping")).text, "[]")
    }, empty)
  )

  it.effect("that do not exist give 404, and incomplete ones give 400", () =>
    withSandbox(function* (sandbox) {
      const body = { TaxCode: "A", TaxName: "A", DestinationTaxId: 1 }
      for (const path of ["/taxmapping/9", "/taxmapping/x", "/taxmapping/-1"]) {
        assert.strictEqual((yield* get(sandbox, path)).status, 404)
        assert.strictEqual((yield* send(sandbox, "PUT", path, body)).status, 404)
        assert.strictEqual((yield* get(sandbox, path, "DELETE")).status, 404)
      }
      const refused = yield* send(sandbox, "POST", "/taxmapping", { TaxCode: "", DestinationTaxId: 1.5 })
      assert.strictEqual(refused.status, 400)
      for (const field of ["TaxCode", "TaxName", "DestinationTaxId"]) assert.include(refused.text, field)
    }, empty)
  )
})

describe("currency mappings", () => {
  it.effect("are added, listed, read, changed and deleted exactly as documented", () =>
    withSandbox(function* (sandbox) {
      const added = yield* send(
        sandbox,
        "POST",
        "/currencymapping",
        `{"SourceCurrency":"US$","DestinationCurrency":"USD"}`
      )
      const literal = `{"Id":1,"UserId":7,"RegulatorDeviceId":1001,"SourceCurrency":"US$","DestinationCurrency":"USD"}`
      assert.deepStrictEqual([added.status, added.text], [200, literal])
      assert.strictEqual((yield* get(sandbox, "/currencymapping")).text, `[${literal}]`)
      assert.strictEqual((yield* get(sandbox, "/currencymapping/1")).text, literal)
      const put = yield* send(
        sandbox,
        "PUT",
        "/currencymapping/1",
        `{"Id":1,"UserId":7,"SourceCurrency":"US$","DestinationCurrency":"ZAR"}`
      )
      assert.deepStrictEqual([put.status, put.text], [200, "true"])
      assert.include((yield* get(sandbox, "/currencymapping/1")).text, `"DestinationCurrency":"ZAR"`)
      assert.strictEqual((yield* get(sandbox, "/currencymapping/1", "DELETE")).status, 200)
      assert.strictEqual((yield* get(sandbox, "/currencymapping/1")).status, 404)
    }, empty)
  )

  it.effect("that do not exist give 404, and incomplete ones give 400", () =>
    withSandbox(function* (sandbox) {
      const body = { SourceCurrency: "USD", DestinationCurrency: "USD" }
      assert.strictEqual((yield* get(sandbox, "/currencymapping/9")).status, 404)
      assert.strictEqual((yield* send(sandbox, "PUT", "/currencymapping/9", body)).status, 404)
      assert.strictEqual((yield* get(sandbox, "/currencymapping/9", "DELETE")).status, 404)
      assert.strictEqual((yield* send(sandbox, "POST", "/currencymapping", { SourceCurrency: "USD" })).status, 400)
    }, empty)
  )

  it.effect("are limited to the currencies that the device supports", () =>
    withSandbox(function* (sandbox) {
      const reply = yield* get(sandbox, "/currencymapping/supported-currencies")
      assert.deepStrictEqual([reply.status, reply.text], [200, `["USD","EUR","GBP","ZAR"]`])
    }, empty)
  )
})

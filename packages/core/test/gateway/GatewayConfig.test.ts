import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted, Result, Schema } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Gateway from "../../src/gateway/Gateway.ts"
import { type GatewayConfig, GatewaySettings, withDefaults } from "../../src/gateway/contract/GatewayConfig.ts"

const config: GatewayConfig = {
  account: "shop",
  baseUrl: "https://gateway.example/api",
  application: "app",
  station: "till-1",
  apiKey: Redacted.make("k-PLANTED")
}

const problemsOf = (changes: object) => {
  const settled = withDefaults({ ...config, ...changes })
  return Result.isFailure(settled) ? settled.failure.problems.map(({ path }) => path) : []
}

describe("GatewayConfig", () => {
  it("fills in every default", () => {
    const { assumptions, paths, retries, timeouts, version } = Result.getOrThrow(withDefaults(config))
    assert.strictEqual(version, "1")
    assert.strictEqual(Duration.toSeconds(timeouts.write), 60)
    assert.strictEqual(retries.times, 4)
    assert.strictEqual(paths.downloadPdf, "/download/{file}")
    assert.strictEqual(assumptions["DOC-10"], "unknown")
  })

  it("allows https anywhere and http on loopback only", () => {
    for (const baseUrl of [
      "https://a.example",
      "http://localhost:1/x",
      "http://127.0.0.1:80",
      "http://127.9.9.9",
      "http://[::1]/api/"
    ]) {
      assert.deepStrictEqual(problemsOf({ baseUrl }), [], baseUrl)
    }
    for (const baseUrl of [
      "http://a.example",
      "http://localhost.example",
      "http://127.0.0.1.example",
      "ftp://a.example",
      "a.example/api",
      "",
      "https://user:pass@a.example",
      "https://a.example/?x=1",
      "https://a.example/#x"
    ]) {
      assert.deepStrictEqual(problemsOf({ baseUrl }), ["baseUrl"], baseUrl)
    }
  })

  it("allows http beyond loopback only with AUTH-7", () => {
    assert.deepStrictEqual(problemsOf({ baseUrl: "http://sandbox:4010", assumptions: { "AUTH-7": "http-too" } }), [])
  })

  it("refuses values that cannot be in a header, such as a key read from a file with its newline", () => {
    for (const key of ["k\n", " k", "", "é", "k".repeat(201)]) {
      assert.deepStrictEqual(problemsOf({ apiKey: Redacted.make(key) }), ["apiKey"], JSON.stringify(key))
    }
    assert.deepStrictEqual(problemsOf({ application: "a\r\nX-Evil: 1", station: "" }), ["application", "station"])
    assert.deepStrictEqual(
      problemsOf({
        secret: Redacted.make("a secret\n"),
        formerSecrets: [Redacted.make("long enough"), Redacted.make("shorter")]
      }),
      ["secret", "formerSecrets.1"]
    )
  })

  it("refuses paths that would lose a segment, unknown operations and unknown switches", () => {
    assert.deepStrictEqual(
      problemsOf({
        paths: { downloadPdf: "/files", test: "ping", profile: "/me?x", nonsense: "/x", zReportPdf: "/z/{day}" },
        assumptions: { "STAT-1": "success", "NONE-1": "x" }
      }),
      ["paths.downloadPdf", "paths.test", "paths.profile", "paths.nonsense", "assumptions.NONE-1", "assumptions.STAT-1"]
    )
  })

  it.effect("names every problem at once, and quotes no secret", () =>
    Effect.gen(function* () {
      const broken = { ...config, apiKey: Redacted.make("k-PLANTED\n"), baseUrl: "nowhere", station: "" }
      const error = yield* Effect.flip(Gateway.make(broken))
      assert.strictEqual(error._tag, "ConfigError")
      for (const path of ["baseUrl", "station", "apiKey"]) assert.include(error.message, `${path}:`)
      assert.notInclude(`${error.message}${JSON.stringify(error)}`, "PLANTED")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it("has a JSON Schema for the configuration file that describes each setting", () => {
    const { schema } = Schema.toJsonSchemaDocument(GatewaySettings)
    const text = JSON.stringify(schema)
    for (const name of ["account", "baseUrl", "timeouts", "retries", "paths", "DOC-10"])
      assert.include(text, `"${name}":`)
    assert.include(text, "its answer's last byte included")
    assert.notInclude(text, "apiKey")
  })
})

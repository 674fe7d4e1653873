import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Operation } from "../src/fault/Fault.ts"
import { GatewayApi } from "../src/http/GatewayApi.ts"
import type { SandboxShape } from "../src/Sandbox.ts"
import { creditNote, invoice } from "./documents.ts"
import { get, jsonOf, raw, type Reply, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

/**
 * Method and path of every operation, copied from the contract and from OP-1 to OP-8
 * (docs/gateway.md#operations).
 */
const operations: Readonly<Record<Operation, string>> = {
  profile: "get /profile",
  fiscalDevice: "get /fiscaldevice",
  subscription: "get /subscription",
  submitInvoice: "post /invoice",
  submitCreditNote: "post /creditnote",
  status: "post /status",
  downloadPdf: "get /download/{file}",
  zReports: "get /reports/z-report",
  zReport: "get /reports/z-report/{day}",
  zReportPdf: "get /reports/z-report/{day}/pdf",
  taxMappings: "get /taxmapping",
  taxMapping: "get /taxmapping/{id}",
  addTaxMapping: "post /taxmapping",
  updateTaxMapping: "put /taxmapping/{id}",
  deleteTaxMapping: "delete /taxmapping/{id}",
  supportedCurrencies: "get /currencymapping/supported-currencies",
  currencyMappings: "get /currencymapping",
  currencyMapping: "get /currencymapping/{id}",
  addCurrencyMapping: "post /currencymapping",
  updateCurrencyMapping: "put /currencymapping/{id}",
  deleteCurrencyMapping: "delete /currencymapping/{id}",
  test: "post /test"
}

interface OpenApiDocument {
  readonly openapi: string
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Record<
    string,
    Record<string, { readonly operationId: string; readonly security: ReadonlyArray<object> }>
  >
}

describe("/openapi.json", () => {
  it.effect("describes every operation of the interface under its method, path and name, secured by the key", () =>
    withSandbox(function* (sandbox) {
      const reply = yield* raw(sandbox, "GET", "/openapi.json", { headers: {} })
      const document = jsonOf(reply) as OpenApiDocument
      assert.match(document.openapi, /^3\.1/)
      for (const [operation, place] of Object.entries(operations)) {
        const [method = "", path = ""] = place.split(" ")
        const described = document.paths[path]?.[method]
        assert.strictEqual(described?.operationId, operation)
        assert.deepStrictEqual(described?.security, [{ ApiKey: [] }])
      }
    })
  )

  it.effect("is below the path prefix and states the prefix", () =>
    withSandbox(
      function* (sandbox) {
        const document = jsonOf(yield* raw(sandbox, "GET", "/openapi.json", { headers: {} })) as OpenApiDocument
        assert.deepStrictEqual(document.servers, [{ url: "/api" }])
      },
      { pathPrefix: "/api" }
    )
  )
})

describe("/docs", () => {
  it.effect("is a page that shows the document", () =>
    withSandbox(function* (sandbox) {
      const reply = yield* raw(sandbox, "GET", "/docs", { headers: {} })
      assert.strictEqual(reply.status, 200)
      assert.match(reply.contentType ?? "", /^text\/html/)
      assert.include(reply.text, "Fiscal invoicing gateway (sandbox)")
    })
  )
})

describe("an unknown path", () => {
  const asked = (prefix: string, method: string, path: string) =>
    withSandbox(
      (sandbox) => raw({ ...sandbox, url: new URL(sandbox.url).origin }, method, path, { headers: {} }),
      prefix === "" ? {} : { pathPrefix: prefix }
    )

  for (const [prefix, method, path, said] of [
    ["", "GET", "/nope?key=1", "there is no GET /nope: the gateway has no such operation; all of them are at /docs"],
    [
      "",
      "PUT",
      "/_control/faults",
      "there is no PUT /_control/faults: this path takes GET, POST, DELETE; everything is at /docs"
    ],
    ["", "GET", "/_control/nope", "there is no GET /_control/nope: the controls are GET /_control/accepted, "],
    [
      "/some/api",
      "GET",
      "/some/api/_control/nope",
      "there is no GET /some/api/_control/nope: the controls are GET /some/api/_control/accepted, "
    ],
    [
      "/some/api",
      "GET",
      "/some/api/nope",
      "there is no GET /some/api/nope: the gateway has no such operation; all of them are at /some/api/docs"
    ],
    [
      "/some/api",
      "GET",
      "/profile",
      "there is no GET /profile: every path of this sandbox begins with /some/api; all of them are at /some/api/docs"
    ],
    [
      "/some/api",
      "GET",
      "/some/apis/profile",
      "there is no GET /some/apis/profile: every path of this sandbox begins with /some/api"
    ]
  ] as const) {
    it.effect(
      `gives 404 with the request and the existing paths: ${method} ${path}${prefix && ` below ${prefix}`}`,
      () =>
        Effect.map(asked(prefix, method, path), (reply) => {
          assert.strictEqual(reply.status, 404)
          const { Message: message } = jsonOf(reply) as { readonly Message: string }
          assert.isTrue(message.startsWith(said), message)
        })
    )
  }

  for (const [prefix, path] of [
    ["", "/"],
    ["/api", "/"],
    ["/api", "/api"],
    ["/api", "/api/"]
  ] as const) {
    it.effect(`is not the root: GET ${path}${prefix && ` below ${prefix}`} names the path of the docs`, () =>
      Effect.map(asked(prefix, "GET", path), (reply) => {
        assert.strictEqual(reply.status, 200)
        assert.match(reply.text, new RegExp(`  ${prefix}/docs\\n.*  ${prefix}/openapi.json\\n$`))
      })
    )
  }
})

/** Makes one successful call of every operation. */
const answers = (sandbox: SandboxShape) =>
  Effect.gen(function* () {
    const tax = { TaxCode: "T", TaxName: "T", DestinationTaxId: 1 }
    const currency = { SourceCurrency: "E", DestinationCurrency: "EUR" }
    const submitted = yield* send(sandbox, "POST", "/invoice", invoice())
    const credited = yield* send(sandbox, "POST", "/creditnote", creditNote())
    const { Id } = jsonOf(yield* send(sandbox, "POST", "/taxmapping", tax)) as { readonly Id: number }
    const added = jsonOf(yield* send(sandbox, "POST", "/currencymapping", currency)) as { readonly Id: number }
    const statusReply = yield* send(sandbox, "POST", "/status", [submitted.text, credited.text])
    yield* sandbox.control.closeDay()
    const calls: Record<Operation, Effect.Effect<Reply, unknown>> = {
      profile: get(sandbox, "/profile"),
      fiscalDevice: get(sandbox, "/fiscaldevice"),
      subscription: get(sandbox, "/subscription"),
      submitInvoice: Effect.succeed(submitted),
      submitCreditNote: Effect.succeed(credited),
      status: Effect.succeed(statusReply),
      downloadPdf: get(sandbox, `/download/${submitted.text}.pdf`),
      zReports: get(sandbox, "/reports/z-report"),
      zReport: get(sandbox, "/reports/z-report/1"),
      zReportPdf: get(sandbox, "/reports/z-report/1/pdf"),
      taxMappings: get(sandbox, "/taxmapping"),
      taxMapping: get(sandbox, `/taxmapping/${Id}`),
      addTaxMapping: send(sandbox, "POST", "/taxmapping", tax),
      updateTaxMapping: send(sandbox, "PUT", `/taxmapping/${Id}`, { Id, UserId: 1, ...tax }),
      deleteTaxMapping: get(sandbox, `/taxmapping/${Id}`, "DELETE"),
      supportedCurrencies: get(sandbox, "/currencymapping/supported-currencies"),
      currencyMappings: get(sandbox, "/currencymapping"),
      currencyMapping: get(sandbox, `/currencymapping/${added.Id}`),
      addCurrencyMapping: send(sandbox, "POST", "/currencymapping", currency),
      updateCurrencyMapping: send(sandbox, "PUT", `/currencymapping/${added.Id}`, {
        Id: added.Id,
        UserId: 1,
        ...currency
      }),
      deleteCurrencyMapping: get(sandbox, `/currencymapping/${added.Id}`, "DELETE"),
      test: send(sandbox, "POST", "/test", {})
    }
    return calls
  })

describe("every operation", () => {
  it.effect("answers as the document describes, field by field", () =>
    withSandbox(function* (sandbox) {
      const successes = new Map<string, Schema.Codec<unknown, unknown>>()
      for (const group of Object.values(GatewayApi.groups)) {
        for (const { identifier, success } of Object.values(group.endpoints)) {
          for (const schema of success) successes.set(identifier, schema as Schema.Codec<unknown, unknown>)
        }
      }
      for (const [operation, call] of Object.entries(yield* answers(sandbox))) {
        const reply = yield* call
        assert.strictEqual(reply.status, 200, operation)
        const success = successes.get(operation)
        if (success === undefined) return assert.fail(`${operation} is not in the document`)
        if (reply.contentType === "application/pdf") continue
        const body = reply.contentType?.startsWith("application/json") === true ? jsonOf(reply) : reply.text
        const decode = Schema.decodeUnknownResult(Schema.toCodecJson(success), {
          onExcessProperty: "error",
          errors: "all"
        })
        const decoded = decode(body)
        assert.isTrue(decoded._tag === "Success", `${operation}: ${JSON.stringify(decoded)}`)
      }
      assert.sameMembers(
        [...new Set((yield* sandbox.control.calls).map((call) => call.operation))],
        Object.keys(operations)
      )
    })
  )
})

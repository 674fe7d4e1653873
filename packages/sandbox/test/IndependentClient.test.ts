/**
 * Proves that a third-party OpenAPI client can call every operation and control with /openapi.json
 * as its only source.
 */
import { assert, describe, it } from "@effect/vitest"
import type { AxiosResponse } from "axios"
import * as Effect from "effect/Effect"
import { type OpenAPIClient, OpenAPIClientAxios } from "openapi-client-axios"
import { Operation } from "../src/fault/Fault.ts"
import type { SandboxShape } from "../src/Sandbox.ts"
import { creditNote, invoice } from "./documents.ts"
import { credentials, sign } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

/**
 * Returns the client made from the document. Only the signing of a body is added, which the
 * document cannot describe.
 */
const clientOf = ({ url }: SandboxShape, headers: Record<string, string> = credentials) =>
  Effect.promise(() =>
    new OpenAPIClientAxios({
      definition: `${url}/openapi.json`,
      withServer: { url },
      axiosConfigDefaults: {
        headers,
        validateStatus: () => true,
        transformRequest: [
          (data: unknown, headers) => {
            if (data === undefined) return data
            const body = JSON.stringify(data)
            headers.set("Content-Type", "application/json")
            headers.set("X-Api-Signature", sign(body))
            return body
          }
        ]
      }
    }).init()
  )

/** Returns a function that calls an operation by its identifier in the document. */
const caller =
  (client: OpenAPIClient) =>
  (operation: string, parameters: Record<string, string | number> = {}, body?: unknown) =>
    Effect.promise((): Promise<AxiosResponse<unknown>> => {
      const method = client[operation]
      return method === undefined ? assert.fail(`${operation} is not in the document`) : method(parameters, body)
    })

describe("a generic client generated from /openapi.json", () => {
  it.live("succeeds with every operation", () =>
    withSandbox(function* (sandbox) {
      const call = caller(yield* clientOf(sandbox))
      const answers: Array<readonly [operation: string, reply: AxiosResponse<unknown>]> = []
      const run = (operation: Operation, ...rest: readonly [Record<string, string | number>?, unknown?]) =>
        Effect.map(call(operation, ...rest), (reply) => {
          answers.push([operation, reply])
          assert.strictEqual(reply.status, 200, `${operation}: ${JSON.stringify(reply.data)}`)
          return reply.data
        })
      const tax = { TaxCode: "T", TaxName: "T", DestinationTaxId: 1 }
      const currency = { SourceCurrency: "E", DestinationCurrency: "EUR" }

      yield* run("profile")
      yield* run("fiscalDevice")
      yield* run("subscription")
      yield* run("test", {}, {})
      const requestId = yield* run("submitInvoice", {}, invoice())
      const credited = yield* run("submitCreditNote", {}, creditNote())
      const items = yield* run("status", {}, [requestId, credited])
      assert.containSubset(items, [
        { RequestId: requestId, Success: true },
        { RequestId: credited, Success: true }
      ])
      assert.match(String(yield* run("downloadPdf", { file: `${requestId}.pdf` })), /^%PDF-/)

      const added = (yield* run("addTaxMapping", {}, tax)) as { readonly Id: number }
      assert.containSubset(yield* run("taxMappings"), [added])
      assert.deepStrictEqual(yield* run("taxMapping", { id: added.Id }), added)
      assert.isTrue(yield* run("updateTaxMapping", { id: added.Id }, { ...added, TaxName: "Renamed" }))
      assert.isTrue(yield* run("deleteTaxMapping", { id: added.Id }))

      yield* run("supportedCurrencies")
      const mapped = (yield* run("addCurrencyMapping", {}, currency)) as { readonly Id: number }
      assert.containSubset(yield* run("currencyMappings"), [mapped])
      assert.deepStrictEqual(yield* run("currencyMapping", { id: mapped.Id }), mapped)
      const change = { Id: mapped.Id, UserId: 1, ...currency }
      assert.isTrue(yield* run("updateCurrencyMapping", { id: mapped.Id }, change))
      assert.isTrue(yield* run("deleteCurrencyMapping", { id: mapped.Id }))

      assert.strictEqual((yield* call("control.closeDay", {}, {})).status, 200)
      const query = { since_day: 1, since_date: "2020-01-01T00:00:00", size: 5, page: 1, order: "desc" }
      assert.containSubset(yield* run("zReports", query), { TotalItemCount: 1, Page: 1, PageSize: 5 })
      assert.containSubset(yield* run("zReport", { day: 1 }), { FiscalDayNumber: 1, IsSuccess: true })
      assert.match(String(yield* run("zReportPdf", { day: 1 })), /^%PDF-/)

      assert.sameMembers([...new Set(answers.map(([operation]) => operation))], [...Operation.literals])
      assert.sameMembers(
        [...new Set((yield* sandbox.control.calls).map(({ operation }) => operation))],
        [...Operation.literals]
      )
    })
  )

  it.live("gets the documented refusals: 400, 401 and 404", () =>
    withSandbox(function* (sandbox) {
      const call = caller(yield* clientOf(sandbox))
      assert.strictEqual((yield* call("submitInvoice", {}, {})).status, 400)
      assert.strictEqual((yield* call("taxMapping", { id: 99 })).status, 404)
      assert.strictEqual((yield* call("zReport", { day: 99 })).status, 404)
      const stranger = yield* clientOf(sandbox, { ...credentials, "X-Api-Key": "stranger" })
      assert.strictEqual((yield* caller(stranger)("profile")).status, 401)
    })
  )

  it.live("uses the controls from the same document", () =>
    withSandbox(function* (sandbox) {
      const call = caller(yield* clientOf(sandbox))
      const fault = yield* call(
        "control.addFault",
        {},
        {
          kind: "error",
          status: 503,
          operations: ["profile"],
          times: 1
        }
      )
      assert.deepStrictEqual([fault.status, fault.data], [200, { id: "fault-1" }])
      assert.strictEqual((yield* call("profile")).status, 503)
      assert.strictEqual((yield* call("profile")).status, 200)
      assert.containSubset((yield* call("control.faults")).data, [{ id: "fault-1", met: 1, struck: 1 }])
      assert.strictEqual((yield* call("control.clearFaults")).status, 204)
    })
  )
})

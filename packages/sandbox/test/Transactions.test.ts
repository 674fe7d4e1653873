import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { creditNote, invoice, line } from "./documents.ts"
import { get, jsonOf, raw, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe("submissions", () => {
  it.effect("answer 200 with a request identifier as plain text", () =>
    withSandbox(function* (sandbox) {
      const reply = yield* send(sandbox, "POST", "/invoice", invoice())
      assert.strictEqual(reply.status, 200)
      assert.match(reply.contentType ?? "", /^text\/plain/)
      assert.match(reply.text, uuid)
      const credit = yield* send(sandbox, "POST", "/creditnote", creditNote())
      assert.strictEqual(credit.status, 200)
      assert.match(credit.text, uuid)
    })
  )

  it.effect("are pending first and fiscalised after the processing delay", () =>
    withSandbox(
      function* (sandbox) {
        const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice())
        assert.deepStrictEqual(jsonOf(yield* send(sandbox, "POST", "/status", [id])), [
          { RequestId: id, Success: false, IsActionable: false, Error: null, QrData: null, FiscalInvoicePdf: null }
        ])
        yield* sandbox.control.moveClock({ advanceMillis: 1999 })
        assert.include((yield* send(sandbox, "POST", "/status", [id])).text, `"Success":false`)
        yield* sandbox.control.moveClock({ advanceMillis: 1 })
        const [item] = jsonOf(yield* send(sandbox, "POST", "/status", [id])) as ReadonlyArray<{
          readonly QrData: { readonly QrCodeUrl: string; readonly VerificationCode: string }
        }>
        assert.match(item?.QrData.QrCodeUrl ?? "", /^https:\/\//)
        assert.match(item?.QrData.VerificationCode ?? "", /^[0-9A-F]{4}(-[0-9A-F]{4}){3}$/)
        assert.deepStrictEqual(item as unknown, {
          RequestId: id,
          Success: true,
          IsActionable: false,
          Error: null,
          QrData: { ...item?.QrData, FiscalDay: 1, DeviceId: 1001, InvoiceNumber: 1 },
          FiscalInvoicePdf: `${id}.pdf`
        })
      },
      { processingDelayMillis: 2000 }
    )
  )

  it.effect("accept numbers as strings, no X-App-Version, {} as buyer and an empty original", () =>
    withSandbox(function* (sandbox) {
      const body = JSON.stringify(
        creditNote({
          OriginalInvoiceId: "",
          BuyerContact: {},
          Total: "115.00",
          TotalTax: "15.00",
          SubTotal: "100.00",
          LineItems: [{ ...line, Quantity: "1", UnitAmount: "115", LineAmount: "115.00", DiscountAmount: "" }]
        })
      )
      const { sign } = yield* Effect.promise(() => import("./GatewayCaller.ts"))
      const reply = yield* raw(sandbox, "POST", "/creditnote", {
        headers: {
          "X-Api-Key": "sandbox-key",
          "X-Application": "sandbox-application",
          "X-App-Station": "sandbox-station",
          "Content-Type": "application/json",
          "X-Api-Signature": sign(body)
        },
        body
      })
      assert.strictEqual(reply.status, 200)
      const [call] = yield* sandbox.control.calls
      assert.strictEqual(call?.version, null)
    })
  )

  it.effect("with an unmapped tax code or currency are processed and fail with a text", () =>
    withSandbox(function* (sandbox) {
      const ids = [
        (yield* send(sandbox, "POST", "/invoice", invoice({ LineItems: [{ ...line, TaxCode: "NEW" }] }))).text,
        (yield* send(sandbox, "POST", "/invoice", invoice({ CurrencyCode: "XAU" }))).text
      ]
      const items = jsonOf(yield* send(sandbox, "POST", "/status", ids))
      const failed = { Success: false, IsActionable: true, QrData: null, FiscalInvoicePdf: null }
      assert.deepStrictEqual(items, [
        { RequestId: ids[0], ...failed, Error: "RCPT017: TaxCode NEW is not mapped" },
        { RequestId: ids[1], ...failed, Error: "RCPT010: currency XAU is not mapped" }
      ])
    })
  )

  it.effect("of an account without a device give 404", () =>
    withSandbox(
      function* (sandbox) {
        assert.strictEqual((yield* send(sandbox, "POST", "/invoice", invoice())).status, 404)
        assert.strictEqual((yield* get(sandbox, "/fiscaldevice")).status, 404)
      },
      {
        accounts: [
          {
            key: "sandbox-key",
            secret: "sandbox-secret",
            application: "sandbox-application",
            station: "sandbox-station"
          }
        ]
      }
    )
  )
})

describe("a malformed submission", () => {
  const cases: ReadonlyArray<readonly [title: string, body: string, expected: RegExp]> = [
    ["no JSON", "{", /not JSON/],
    ["nothing", "", /not JSON/],
    ["an array", "[]", /lacks mandatory data/],
    ["no InvoiceId", JSON.stringify({ ...invoice(), InvoiceId: undefined }), /InvoiceId: /],
    ["a number for a text", JSON.stringify(invoice({ InvoiceNumber: 7 })), /InvoiceNumber: /],
    ["a date without offset", JSON.stringify(invoice({ Date: "2025-06-02T10:00:00" })), /Date: .*UTC offset/],
    ["30 February", JSON.stringify(invoice({ Date: "2025-02-30T10:00:00Z" })), /Date: /],
    ["a word for a number", JSON.stringify(invoice({ Total: "lots" })), /Total: .*decimal number/],
    [
      "a number beyond all sense",
      JSON.stringify(invoice()).replace(`"Total":115`, `"Total":1e999`),
      /too long or too large/
    ],
    ["a number for a buyer", JSON.stringify(invoice({ BuyerContact: 7 })), /BuyerContact: /],
    ["an array for a buyer", JSON.stringify(invoice({ BuyerContact: [] })), /BuyerContact: /],
    ["a number for an address", JSON.stringify(invoice({ BuyerContact: { Address: 7 } })), /BuyerContact.Address: /],
    ["a number for the lines", JSON.stringify(invoice({ LineItems: 7 })), /LineItems: /],
    ["a number for a line", JSON.stringify(invoice({ LineItems: [7] })), /LineItems.0/],
    ["two problems", JSON.stringify(invoice({ Total: null, SubTotal: null })), /SubTotal: .*Total: /]
  ]
  for (const [title, body, expected] of cases) {
    it.effect(`(${title}) gives 400 with the place`, () =>
      withSandbox(function* (sandbox) {
        const reply = yield* send(sandbox, "POST", "/invoice", body)
        assert.strictEqual(reply.status, 400)
        assert.match(reply.text, expected)
        assert.deepStrictEqual(yield* sandbox.control.accepted, [])
      })
    )
  }

  it.effect("in another content type gives 415, and a too large one gives 413", () =>
    withSandbox(function* (sandbox) {
      const { credentials, sign } = yield* Effect.promise(() => import("./GatewayCaller.ts"))
      const body = JSON.stringify(invoice())
      const reply = yield* raw(sandbox, "POST", "/invoice", {
        headers: { ...credentials, "Content-Type": "text/plain", "X-Api-Signature": sign(body) },
        body
      })
      assert.strictEqual(reply.status, 415)
      const large = `"${"x".repeat(4 * 1024 * 1024)}"`
      assert.strictEqual((yield* send(sandbox, "POST", "/invoice", large)).status, 413)
    })
  )
})

describe("the PDF of a document", () => {
  it.effect("is a PDF under the name in its status, and 404 under any other name", () =>
    withSandbox(function* (sandbox) {
      const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice())
      const reply = yield* get(sandbox, `/download/${id}.pdf`)
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(reply.contentType, "application/pdf")
      assert.match(reply.text, /^%PDF-1\.\d/)
      assert.match(reply.text, /%%EOF\s*$/)
      assert.strictEqual((yield* get(sandbox, "/download/nothing.pdf")).status, 404)
      assert.strictEqual((yield* get(sandbox, `/download/${id}`)).status, 404)
      assert.strictEqual((yield* get(sandbox, "/download/..%2F..%2Fetc%2Fpasswd")).status, 404)
    })
  )
})

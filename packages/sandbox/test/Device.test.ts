import { assert, describe, it } from "@effect/vitest"
import { creditNote, invoice } from "./documents.ts"
import { credentials, get, jsonOf, raw, send, sign } from "./GatewayCaller.ts"
import { account, withSandbox } from "./sandboxes.ts"

const codes = (marked: ReadonlyArray<{ readonly marks: ReadonlyArray<{ readonly code: string }> }>) =>
  marked.map(({ marks }) => marks.map(({ code }) => code))

describe("the subscription", () => {
  it.effect("is returned exactly as documented, and gives 404 if it is unavailable", () =>
    withSandbox(function* (sandbox) {
      assert.strictEqual(
        (yield* get(sandbox, "/subscription")).text,
        `{"Id":1,"BillingSubscriptionId":"sandbox-1001","CustomerName":"Sandbox Trading","DeviceId":1001,` +
          `"ExpiresOn":"2099-12-31T23:59:59","Status":"active","AmountDue":0.00,"IsDeleted":false,"AmountDueSince":null,` +
          `"LastUpdatedOn":"2025-01-01T00:00:00","BillingPeriodUnit":"month","Price":10.00,"BillingPlanName":"Standard",` +
          `"SubscriptionItems":[{"Id":1,"SubscriptionId":1,"SubscriptionType":1,"Quantity":1}]}`
      )
      yield* sandbox.control.changeDevice({ subscription: null })
      assert.strictEqual((yield* get(sandbox, "/subscription")).status, 404)
    })
  )
})

describe("the test operation", () => {
  it.effect("accepts a signed empty object, and nothing unsigned", () =>
    withSandbox(function* (sandbox) {
      assert.strictEqual((yield* send(sandbox, "POST", "/test", "{}")).status, 200)
      assert.strictEqual((yield* send(sandbox, "POST", "/test", "7")).status, 400)
      const headers = { ...credentials, "Content-Type": "application/json" }
      assert.strictEqual((yield* raw(sandbox, "POST", "/test", { headers, body: "{}" })).status, 401)
    })
  )
})

describe("a device", () => {
  it.effect(
    "that is off or inactive, or whose taxpayer is inactive, fails receipts with its code, and issues them afterwards",
    () =>
      withSandbox(function* (sandbox) {
        const errors: Array<unknown> = []
        for (const change of [
          { isActive: false },
          { isActive: true, isSwitchedOn: false },
          { isSwitchedOn: true, taxpayerStatus: "inactive" as const },
          { taxpayerStatus: "active" as const }
        ]) {
          yield* sandbox.control.changeDevice(change)
          const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice())
          const [item] = jsonOf(yield* send(sandbox, "POST", "/status", [id])) as ReadonlyArray<Record<string, unknown>>
          errors.push(item?.["Error"])
        }
        assert.deepStrictEqual(errors, [
          "DEV01: the device is not active",
          "DEV01: the device is switched off",
          "DEV05: the taxpayer is not active",
          null
        ])
      })
  )

  it.effect("processes receipts in the order of acceptance, whatever the delays", () =>
    withSandbox(
      function* (sandbox) {
        yield* send(sandbox, "POST", "/invoice", invoice())
        yield* sandbox.control.change({ processingDelayMillis: 0 })
        yield* send(sandbox, "POST", "/creditnote", creditNote())
        assert.deepStrictEqual(yield* sandbox.control.receipts, [])
        yield* sandbox.control.moveClock({ advanceMillis: 60_000 })
        assert.deepStrictEqual(
          (yield* sandbox.control.receipts).map(({ documentNumber, marks }) => [documentNumber, marks.length]),
          [
            ["INV-1", 0],
            ["CN-1", 0]
          ]
        )
      },
      { processingDelayMillis: 60_000 }
    )
  )

  it.effect("continues to work if its clock is set back", () =>
    withSandbox(function* (sandbox) {
      yield* send(sandbox, "POST", "/invoice", invoice())
      assert.lengthOf(yield* sandbox.control.receipts, 1)
      yield* sandbox.control.moveClock({ set: "2025-06-02T11:00:00Z" })
      yield* send(sandbox, "POST", "/creditnote", creditNote())
      assert.lengthOf(yield* sandbox.control.receipts, 2)
    })
  )

  it.effect("adds up all credit notes of an invoice", () =>
    withSandbox(function* (sandbox) {
      yield* send(sandbox, "POST", "/invoice", invoice())
      for (const [index, id] of ["a", "b"].entries()) {
        const Date = `2025-06-02T11:00:0${index}+02:00`
        yield* send(sandbox, "POST", "/creditnote", creditNote({ CreditNoteId: id, CreditNoteNumber: id, Date }))
      }
      assert.deepStrictEqual(codes(yield* sandbox.control.receipts), [[], [], ["RCPT035"]])
    })
  )

  it.effect("allows a credit note without an invoice until the permission expires", () =>
    withSandbox(function* (sandbox) {
      yield* sandbox.control.changeDevice({
        allowCreditNoteWithNoInvoice: true,
        expireCreditNoteWithNoInvoice: "2025-06-02T14:00:00"
      })
      const note = (id: string, second: number) =>
        send(
          sandbox,
          "POST",
          "/creditnote",
          creditNote({
            CreditNoteId: id,
            CreditNoteNumber: id,
            OriginalInvoiceId: null,
            Date: `2025-06-02T11:00:0${second}+02:00`
          })
        )
      yield* note("a", 0)
      yield* sandbox.control.accepted
      yield* sandbox.control.moveClock({ advanceMillis: 1000 })
      yield* note("b", 1)
      assert.deepStrictEqual(codes(yield* sandbox.control.receipts), [[], ["RCPT015"]])
    })
  )

  it.effect(
    "shared by two accounts keeps one order; their taxpayer has one set of numbers, and ids are separate per account",
    () =>
      withSandbox(
        function* (sandbox) {
          yield* send(sandbox, "POST", "/invoice", invoice())
          const body = JSON.stringify(invoice({ Date: "2025-06-02T10:00:01+02:00" }))
          const credit = JSON.stringify(creditNote({ OriginalInvoiceId: "only-the-first-has-it" }))
          const second = (path: string, text: string) =>
            raw(sandbox, "POST", path, {
              headers: {
                ...credentials,
                "X-Api-Key": "second",
                "Content-Type": "application/json",
                "X-Api-Signature": sign(text)
              },
              body: text
            })
          yield* second("/invoice", body)
          yield* second("/creditnote", credit)
          const accepted = yield* sandbox.control.accepted
          assert.deepStrictEqual(
            accepted.map((document) => [document.account, document.id, document.accepted]),
            [
              ["main", "inv-1", 1],
              ["second", "inv-1", 1],
              ["second", "cn-1", 1]
            ]
          )
          assert.deepStrictEqual(codes(yield* sandbox.control.receipts), [[], ["RCPT013"], ["RCPT032"]])
        },
        { accounts: [account, { ...account, key: "second", name: "second" }] }
      )
  )
})

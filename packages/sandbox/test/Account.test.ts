import { assert, describe, it } from "@effect/vitest"
import { get, jsonOf } from "./GatewayCaller.ts"
import { account, withSandbox } from "./sandboxes.ts"

describe("the account", () => {
  it.effect("returns its profile", () =>
    withSandbox(function* (sandbox) {
      const reply = yield* get(sandbox, "/profile")
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(
        reply.text,
        `{"Id":1,"FullName":"Sandbox Trading","Username":"sandbox","Email":"sandbox@example.com","FiscalProvider":"00000000-0000-4000-8000-000000000001"}`
      )
    })
  )

  it.effect("returns its fiscal device, whose CurrentConfig is a string with JSON", () =>
    withSandbox(
      function* (sandbox) {
        const reply = yield* get(sandbox, "/fiscaldevice")
        assert.deepStrictEqual(jsonOf(reply), {
          Id: 1001,
          DeviceId: 1001,
          SerialNo: "SBX-0001",
          ModelName: "Sandbox",
          ModelVersion: "1.0",
          ActivationKey: "00000000",
          TIN: "2000000001",
          BPNumber: "0200000001",
          TaxpayerName: "Sandbox Trading (Private) Limited",
          TradeName: "Sandbox Trading",
          VATNumber: "220000001",
          ActivatedOn: "2020-01-01T08:00:00.000",
          CurrentConfig:
            `{"taxPayerName":"Sandbox Trading (Private) Limited","taxPayerTIN":"2000000001","vatNumber":"220000001",` +
            `"deviceSerialNo":"SBX-0001","deviceBranchName":"Main branch","deviceOperatingMode":"Offline",` +
            `"taxPayerDayMaxHrs":24,"taxPayerDayEndNotificationHrs":2,"applicableTaxes":[` +
            `{"taxId":1,"taxPercent":15.50,"taxName":"Standard"},{"taxId":3,"taxName":"Exempt"}]}`,
          IsActive: true,
          IsLive: false,
          NextPingTime: "2025-06-02T14:05:00.000",
          IsSwitchedOn: true,
          AllowCsvUpload: false,
          AllowCreditNoteWithNoInvoice: false,
          ExpireCreditNoteWithNoInvoice: "2020-01-01T00:00:00",
          BillingStatus: 1,
          BillingIdType: 1,
          IsAutoPayPreferred: false,
          ExpireCsvUpload: "2020-01-01T00:00:00",
          FiscalProviderId: 1,
          BillingPlanLevel: 1
        })
      },
      {
        devices: [
          {
            deviceId: 1001,
            taxes: [
              { taxId: 1, taxPercent: "15.50", taxName: "Standard" },
              { taxId: 3, taxName: "Exempt" }
            ]
          }
        ]
      }
    )
  )

  it.effect("has a configuration without vatNumber if the taxpayer is not registered for VAT", () =>
    withSandbox(
      function* (sandbox) {
        const device = jsonOf(yield* get(sandbox, "/fiscaldevice")) as { readonly [field: string]: string | null }
        assert.isNull(device["VATNumber"])
        assert.notInclude(device["CurrentConfig"] ?? "", "vatNumber")
      },
      { devices: [{ deviceId: 1001, vatNumber: null }] }
    )
  )

  it.effect("is available below a path prefix, and only there", () =>
    withSandbox(
      function* (sandbox) {
        assert.match(sandbox.url, /\/some\/api$/)
        assert.strictEqual((yield* get(sandbox, "/profile")).status, 200)
        const outside = { ...sandbox, url: sandbox.url.replace("/some/api", "") }
        assert.strictEqual((yield* get(outside, "/profile")).status, 404)
      },
      { pathPrefix: "/some/api", accounts: [account] }
    )
  )
})

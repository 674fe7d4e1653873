import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { creditNote, invoice, line } from "./documents.ts"
import { get, jsonOf, raw, type Reply, send } from "./GatewayCaller.ts"
import { withSandbox } from "./sandboxes.ts"
import type { SandboxShape } from "../src/Sandbox.ts"

interface Page {
  readonly Items: ReadonlyArray<{ readonly FiscalDayNumber: number }>
  readonly TotalItemCount: number
  readonly Page: number
  readonly PageSize: number
}
const pageOf = (reply: Reply): Page => jsonOf(reply) as Page
const daysOf = (reply: Reply) => pageOf(reply).Items.map((item) => item.FiscalDayNumber)

const closeDays = (sandbox: SandboxShape, days: number) =>
  Effect.repeat(
    Effect.andThen(sandbox.control.moveClock({ advanceMillis: 24 * 3600 * 1000 }), sandbox.control.closeDay()),
    { times: days - 1 }
  )

describe("a closed day", () => {
  it.effect("is a Z-report, in the form of the list and in its own", () =>
    withSandbox(function* (sandbox) {
      yield* send(sandbox, "POST", "/invoice", invoice())
      const closed = yield* sandbox.control.closeDay()
      assert.deepStrictEqual(closed, {
        deviceId: 1001,
        fiscalDay: 1,
        result: "closed",
        message: "Fiscal day 1 closed",
        openedAt: "2025-06-02T07:59:59.000Z",
        closedAt: "2025-06-02T12:00:00.000Z"
      })
      const list = yield* get(sandbox, "/reports/z-report")
      assert.strictEqual(
        list.text,
        `{"Items":[{"OpenedAt":"2025-06-02T09:59:59.000","ClosedAt":"2025-06-02T14:00:00.000","FiscalDayNumber":1,` +
          `"Summaries":[],"Message":"Fiscal day 1 closed","IsSuccess":true}],"TotalItemCount":1,"Page":1,"PageSize":100}`
      )
      const single = yield* get(sandbox, "/reports/z-report/1")
      assert.strictEqual(
        single.text,
        `{"DateOpenedAt":"2025-06-02T09:59:59.000","FiscalDayNumber":1,"Summaries":[` +
          `{"CounterType":"Sale","Currency":"USD","TaxPercent":15,"TaxID":1,"PaymentMethod":null,"Amount":115.00},` +
          `{"CounterType":"SaleTax","Currency":"USD","TaxPercent":15,"TaxID":1,"PaymentMethod":null,"Amount":15.00},` +
          `{"CounterType":"Balance","Currency":"USD","TaxPercent":null,"TaxID":null,"PaymentMethod":"Card","Amount":115.00}],` +
          `"Message":"Fiscal day 1 closed","IsSuccess":true}`
      )
      const pdf = yield* get(sandbox, "/reports/z-report/1/pdf")
      assert.deepStrictEqual([pdf.status, pdf.contentType, pdf.text.slice(0, 5)], [200, "application/pdf", "%PDF-"])
    })
  )

  it.effect(
    "counts sales by tax, credit notes as negative, balances by payment method, and an exempt tax without a percent",
    () =>
      withSandbox(function* (sandbox) {
        const exempt = { ...line, TaxCode: "EXEMPT", UnitAmount: 40, LineAmount: 40 }
        yield* send(sandbox, "POST", "/invoice", invoice({ LineItems: [line, exempt], SubTotal: 140, Total: 155 }))
        const half = { ...line, UnitAmount: 57.5, LineAmount: 57.5 }
        yield* send(
          sandbox,
          "POST",
          "/creditnote",
          creditNote({ LineItems: [half], SubTotal: 50, TotalTax: 7.5, Total: 57.5, PaymentMethod: null })
        )
        yield* sandbox.control.closeDay()
        const report = jsonOf(yield* get(sandbox, "/reports/z-report/1")) as {
          readonly Summaries: ReadonlyArray<Record<string, unknown>>
        }
        assert.deepStrictEqual(
          report.Summaries.map((row) => [
            row["CounterType"],
            row["TaxID"],
            row["TaxPercent"],
            row["PaymentMethod"],
            row["Amount"]
          ]),
          [
            ["Sale", 1, 15, null, 115],
            ["Sale", 3, null, null, 40],
            ["SaleTax", 1, 15, null, 15],
            ["SaleTax", 3, null, null, 0],
            ["CreditNote", 1, 15, null, -57.5],
            ["CreditNoteTax", 1, 15, null, -7.5],
            ["Balance", null, null, "Card", 155],
            ["Balance", null, null, "Cash", -57.5]
          ]
        )
      })
  )

  it.effect("cannot be closed with a red receipt until the authority has repaired it", () =>
    withSandbox(function* (sandbox) {
      yield* send(sandbox, "POST", "/invoice", invoice())
      const { text: id } = yield* send(sandbox, "POST", "/invoice", invoice({ InvoiceId: "again" }))
      const [red] = yield* sandbox.control.coloured
      assert.strictEqual(red?.requestId, id)
      assert.deepStrictEqual(
        red?.marks.map(({ code, colour }) => [code, colour]),
        [
          ["RCPT013", "red"],
          ["RCPT030", "red"]
        ]
      )
      assert.include((yield* send(sandbox, "POST", "/status", [id])).text, `"Success":true`)
      const message = "Fiscal day 1 cannot be closed: 1 receipt(s) marked red (RCPT013 x 1, RCPT030 x 1)"
      assert.include(yield* sandbox.control.closeDay(), { result: "failed", fiscalDay: 1, message })
      const failed = jsonOf(yield* get(sandbox, "/reports/z-report/1")) as Record<string, unknown>
      assert.deepStrictEqual([failed["IsSuccess"], failed["Message"]], [false, message])
      assert.deepStrictEqual((yield* sandbox.control.repairDay()).repaired, [id])
      assert.include(yield* sandbox.control.closeDay(), { result: "closed", fiscalDay: 1 })
      assert.strictEqual(pageOf(yield* get(sandbox, "/reports/z-report")).TotalItemCount, 1)
      assert.include(yield* sandbox.control.closeDay(), { result: "closed", fiscalDay: 2 })
    })
  )

  it.effect("can be closed with a yellow receipt", () =>
    withSandbox(function* (sandbox) {
      yield* send(sandbox, "POST", "/invoice", invoice({ Date: "2025-06-02T14:00:01+02:00" }))
      assert.deepStrictEqual(
        (yield* sandbox.control.coloured).map(({ marks }) => marks.map(({ code, colour }) => [code, colour])),
        [[["RCPT031", "yellow"]]]
      )
      assert.include(yield* sandbox.control.closeDay(), { result: "closed" })
    })
  )

  it.effect("ends before the next day opens: a receipt dated at or before the close is marked RCPT014", () =>
    withSandbox(function* (sandbox) {
      yield* sandbox.control.closeDay()
      yield* send(sandbox, "POST", "/invoice", invoice({ Date: "2025-06-02T14:00:00+02:00" }))
      yield* sandbox.control.moveClock({ advanceMillis: 1000 })
      yield* send(
        sandbox,
        "POST",
        "/invoice",
        invoice({ InvoiceId: "b", InvoiceNumber: "B", Date: "2025-06-02T14:00:01+02:00" })
      )
      assert.deepStrictEqual(
        (yield* sandbox.control.receipts).map(({ marks, qrData }) => [
          qrData.FiscalDay,
          ...marks.map(({ code }) => code)
        ]),
        [[2, "RCPT014"], [2]]
      )
    })
  )
})

describe("the list of Z-reports", () => {
  it.effect("returns the latest 100 without a query", () =>
    withSandbox(function* (sandbox) {
      yield* closeDays(sandbox, 103)
      const reply = yield* get(sandbox, "/reports/z-report")
      assert.deepStrictEqual(
        daysOf(reply),
        Array.from({ length: 100 }, (_, index) => 103 - index)
      )
      const { Page: page, PageSize, TotalItemCount } = pageOf(reply)
      assert.deepStrictEqual([TotalItemCount, page, PageSize], [103, 1, 100])
    })
  )

  const queries: ReadonlyArray<readonly [query: string, days: ReadonlyArray<number>, total: number]> = [
    ["?size=2", [5, 4], 5],
    ["?size=2&page=3", [1], 5],
    ["?size=2&page=4", [], 5],
    ["?order=asc&size=2&page=2", [3, 4], 5],
    ["?order=desc", [5, 4, 3, 2, 1], 5],
    ["?since_day=4", [5, 4], 2],
    ["?since_day=6", [], 0],
    // Day 3 opened when day 2 closed: 2025-06-04T12:00:00Z, 14:00 in the device's zone.
    ["?since_date=2025-06-04T14:00:00&order=asc", [3, 4, 5], 3],
    ["?since_date=2025-06-04T14:00:01&order=asc", [4, 5], 2],
    ["?since_day=2&since_date=2025-06-05T00:00:00.000&size=1&page=2&order=asc", [5], 2]
  ]
  for (const [query, days, total] of queries) {
    it.effect(`returns days [${days}] of ${total} for ${query}`, () =>
      withSandbox(function* (sandbox) {
        yield* closeDays(sandbox, 5)
        const reply = yield* get(sandbox, `/reports/z-report${query}`)
        assert.deepStrictEqual([daysOf(reply), pageOf(reply).TotalItemCount], [days, total])
      })
    )
  }

  for (const query of [
    "size=0",
    "page=0",
    "size=-1",
    "since_day=x",
    "since_date=2025-02-30T00:00:00",
    "since_date=yesterday",
    "order=up"
  ]) {
    it.effect(`refuses ?${query}`, () =>
      withSandbox(function* (sandbox) {
        const reply = yield* get(sandbox, `/reports/z-report?${query}`)
        assert.strictEqual(reply.status, 400)
        assert.include(reply.text, query.slice(0, query.indexOf("=")))
      })
    )
  }

  it.effect("and the operations for single reports give 404 for an unknown report", () =>
    withSandbox(function* (sandbox) {
      for (const path of ["/reports/z-report/1", "/reports/z-report/x", "/reports/z-report/1/pdf"]) {
        assert.strictEqual((yield* get(sandbox, path)).status, 404)
      }
    })
  )
})

describe("closing a day over HTTP", () => {
  it.effect("accepts no body, an empty object or a device, and reports unknown values", () =>
    withSandbox(
      function* (sandbox) {
        const json = { "Content-Type": "application/json" }
        const bare = yield* raw(sandbox, "POST", "/_control/close-day", { headers: {} })
        assert.include(jsonOf(bare), { deviceId: 1001, fiscalDay: 1 })
        const empty = yield* raw(sandbox, "POST", "/_control/close-day", { headers: json, body: "{}" })
        assert.include(jsonOf(empty), { deviceId: 1001, fiscalDay: 2 })
        const other = yield* raw(sandbox, "POST", "/_control/close-day", { headers: json, body: `{"deviceId":7}` })
        assert.include(jsonOf(other), { deviceId: 7, fiscalDay: 1 })
        const none = yield* raw(sandbox, "POST", "/_control/repair-day", { headers: json, body: `{"deviceId":8}` })
        assert.deepStrictEqual([none.status, none.text.includes("no such device")], [400, true])
      },
      { devices: [{ deviceId: 1001 }, { deviceId: 7 }] }
    )
  )
})

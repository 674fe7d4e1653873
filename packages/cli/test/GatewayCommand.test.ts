/**
 * `connector gateway`: every operation by its own subcommand, as a table and as JSON, and its error
 * messages.
 */
import type * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { envelope } from "./Envelope.ts"
import { connector, folderWith, gatewayFor, key, secret } from "./RunningConnector.ts"

const line = {
  Description: "Solar lamp",
  UnitAmount: 115.5,
  TaxCode: "VAT155",
  ProductCode: "85131000",
  LineAmount: 115.5,
  DiscountAmount: null,
  Quantity: 1,
  CustomFields: null
}

const invoice = {
  InvoiceId: "i-1",
  InvoiceNumber: "INV-1",
  Reference: "Order 7",
  IsDiscounted: false,
  IsTaxInclusive: true,
  BuyerContact: null,
  Date: "2026-02-03T08:00:00+02:00",
  LineItems: [line],
  PaymentMethod: "Cash",
  SubTotal: 100,
  TotalTax: 15.5,
  Total: 115.5,
  CurrencyCode: "USD",
  IsRetry: false
}

const { InvoiceId: _, InvoiceNumber: __, ...shared } = invoice
const creditNote = { CreditNoteId: "c-1", OriginalInvoiceId: "i-1", CreditNoteNumber: "CN-1", ...shared }

interface Ready {
  readonly folder: string
  readonly sandbox: Sandbox.SandboxShape
  /** Request id of the invoice i-1, fiscalized on the closed day 1. */
  readonly requestId: string
  gateway(...args: ReadonlyArray<string>): ReturnType<typeof connector>
}

/** Returns an account with a key file, at a gateway with a fiscalized invoice and a closed day. */
const ready = Effect.gen(function* () {
  const folder = yield* folderWith()
  const sandbox = yield* gatewayFor(folder, {
    gateway: { processingDelayMillis: 0, startAt: "2026-02-03T12:00:00Z" }
  })
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 })
  write("key", key)
  write("secret", secret)
  const account = { baseUrl: sandbox.url, application: "test", station: "test", keyFile: "key", secretFile: "secret" }
  // The gateway's clock is set to the day of the documents.
  write("account.json", { accounts: { main: { ...account, clockSkew: "1000 days", retries: { times: 0 } } } })
  write("invoice.json", invoice)
  write("next.json", { ...invoice, InvoiceId: "i-2", InvoiceNumber: "INV-2", Date: "2026-02-03T17:00:00+02:00" })
  write("credit-note.json", { ...creditNote, Date: "2026-02-03T17:00:00+02:00" })
  write("broken.json", "{")
  const gateway = (...args: ReadonlyArray<string>) =>
    connector(["gateway", ...args.map((arg) => arg.replace("DIR", folder)), "--config", join(folder, "account.json")])
  const submitted = yield* gateway("submit-invoice", "DIR/invoice.json")
  const requestId = /[0-9a-f-]{36}/.exec(submitted.out)?.[0] ?? assert.fail(submitted.err)
  yield* sandbox.control.closeDay()
  // Later documents are dated after the close, but not in the gateway's future.
  yield* sandbox.control.moveClock({ advanceMillis: 4 * 3_600_000 })
  yield* sandbox.control.forgetCalls
  const result: Ready = { folder, sandbox, requestId, gateway }
  return result
})

type Row = readonly [operation: string, args: ReadonlyArray<string>, text: ReadonlyArray<RegExp>, json: object]

/**
 * One row per operation: arguments, readable output, output for programs. REQUEST is replaced by
 * the invoice's request id.
 */
const rows: ReadonlyArray<Row> = [
  ["profile", ["profile"], [/^id +1$/m, /^username +sandbox$/m], { id: 1, username: "sandbox" }],
  [
    "fiscalDevice",
    ["fiscaldevice"],
    [/^deviceId +1001$/m, /^activationKey +<redacted>$/m, /^ +515 +15.5 +VAT 15.5 % +2026-01-01$/m],
    { deviceId: 1001, isLive: false, activationKey: "<redacted>" }
  ],
  ["subscription", ["subscription"], [/^status +active$/m, /^ +1 +1 +1 +1$/m], { status: "active", isDeleted: false }],
  ["test", ["test"], [/understood/], {}],
  ["submitInvoice", ["submit-invoice", "DIR/next.json"], [/^requestId +[0-9a-f-]{36}$/m], {}],
  ["submitCreditNote", ["submit-credit-note", "DIR/credit-note.json"], [/^requestId +[0-9a-f-]{36}$/m], {}],
  [
    "status",
    ["status", "REQUEST", "unknown"],
    [/^requestId +outcome +said +verificationCode/, /^REQUEST +Fiscalised +[0-9A-F-]{19} +REQUEST.pdf +https:/m],
    { 0: { _tag: "Fiscalised" } }
  ],
  ["downloadPdf", ["download-pdf", "REQUEST.pdf", "--out", "DIR/i.pdf"], [/^file +.*i.pdf$/m, /^bytes +\d+$/m], {}],
  [
    "zReports",
    [
      "z-reports",
      "--size",
      "1",
      "--page",
      "1",
      "--order",
      "desc",
      "--since-day",
      "1",
      "--since-date",
      "2026-01-01T00:00:00"
    ],
    [/^ +openedAt +closedAt +fiscalDayNumber/m, /^totalItemCount +1$/m, /^pageSize +1$/m],
    { totalItemCount: 1, page: 1, pageSize: 1 }
  ],
  ["zReports", ["z-reports", "--all"], [/^openedAt +closedAt +fiscalDayNumber/], { 0: { fiscalDayNumber: 1 } }],
  ["zReport", ["z-report", "1"], [/^ +SaleTax +USD +15.5 +515 +15.5$/m], { fiscalDayNumber: 1, isSuccess: true }],
  ["zReportPdf", ["z-report-pdf", "1", "--out", "DIR/z.pdf"], [/^bytes +\d+$/m], {}],
  ["taxMappings", ["tax-mappings"], [/^id +userId +taxCode/, /^2 +1 +VAT155 .* 515$/m], { 1: { taxCode: "VAT155" } }],
  ["taxMapping", ["tax-mapping", "2"], [/^taxCode +VAT155$/m], { taxCode: "VAT155", destinationTaxId: 515 }],
  ["addTaxMapping", ["add-tax-mapping", "NEW", "New rate", "5"], [/^taxName +New rate$/m], { destinationTaxId: 5 }],
  ["updateTaxMapping", ["update-tax-mapping", "2", "VAT155", "Renamed", "515"], [/^updated +2$/m], { updated: 2 }],
  ["deleteTaxMapping", ["delete-tax-mapping", "2"], [/^deleted +2$/m], { deleted: 2 }],
  ["supportedCurrencies", ["supported-currencies"], [/^USD\nZAR\n$/], { 0: "USD", 1: "ZAR" }],
  ["currencyMappings", ["currency-mappings"], [/^6 +1 +1001 +USD +USD$/m], { 0: { sourceCurrency: "USD" } }],
  ["currencyMapping", ["currency-mapping", "7"], [/^sourceCurrency +ZAR$/m], { id: 7 }],
  [
    "addCurrencyMapping",
    ["add-currency-mapping", "US$", "USD"],
    [/^sourceCurrency +US\$$/m],
    { sourceCurrency: "US$" }
  ],
  ["updateCurrencyMapping", ["update-currency-mapping", "7", "RAND", "ZAR"], [/^updated +7$/m], { updated: 7 }],
  ["deleteCurrencyMapping", ["delete-currency-mapping", "7"], [/^deleted +7$/m], { deleted: 7 }]
]

describe("connector gateway", () => {
  it("covers each of the 22 operations", () => {
    assert.strictEqual(new Set(rows.map(([operation]) => operation)).size, 22)
  })

  for (const [operation, args, text, json] of rows) {
    it.live(
      `${args[0]} ${args.length > 1 ? "… " : ""}calls ${operation} and prints its answer as a table and as JSON`,
      function* () {
        const people = yield* ready
        const own = (arg: string) => arg.replaceAll("REQUEST", people.requestId)
        const printed = yield* people.gateway(...args.map(own))
        assert.strictEqual(printed.code, 0, printed.err)
        for (const pattern of text) assert.match(printed.out, new RegExp(own(pattern.source), pattern.flags))
        assert.include(
          (yield* people.sandbox.control.calls).map((call) => call.operation),
          operation
        )

        const program = yield* ready
        const json_ = yield* program.gateway(
          ...args.map((arg) => arg.replaceAll("REQUEST", program.requestId)),
          "--json"
        )
        assert.strictEqual(json_.code, 0, json_.err)
        const answer: unknown = envelope(json_.out).data
        if (Object.keys(json).length > 0) assert.containSubset(answer, json)
      }
    )
  }

  it.live("writes a PDF into the named file, for its owner only, whatever file name the gateway states", function* () {
    const { folder, gateway, requestId } = yield* ready
    yield* gateway("download-pdf", `${requestId}.pdf`, "--out", "DIR/i.pdf")
    assert.strictEqual(readFileSync(join(folder, "i.pdf"), "latin1").slice(0, 5), "%PDF-")
    assert.strictEqual(statSync(join(folder, "i.pdf")).mode & 0o777, 0o600)
  })
})

describe("a failing connector gateway command", () => {
  const bad: ReadonlyArray<readonly [title: string, args: ReadonlyArray<string>, code: number, said: RegExp]> = [
    ["a body of another document kind", ["submit-invoice", "DIR/credit-note.json"], 1, /Nothing was sent.*InvoiceId/],
    ["a body that is not JSON", ["submit-invoice", "DIR/broken.json"], 1, /Nothing was sent.*not JSON/],
    ["a missing file", ["submit-invoice", "DIR/nowhere.json"], 1, /there is no file/],
    ["an empty tax code", ["add-tax-mapping", "", "x", "1"], 1, /What follows add-tax-mapping is empty/],
    ["a tax that is not a number", ["add-tax-mapping", "X", "x", "one"], 1, /device-tax/],
    ["an unknown mapping", ["tax-mapping", "99"], 1, /knows no such mapping \(404\)/],
    ["an update of an unknown mapping", ["update-currency-mapping", "99", "A", "B"], 1, /\(404\)/],
    ["an unknown day", ["z-report", "9"], 1, /knows no such z-report \(404\)/],
    ["an unknown PDF", ["download-pdf", "../../etc/passwd", "--out", "DIR/x.pdf"], 1, /no such pdf \(404\)/],
    [
      "a file that cannot be written",
      ["z-report-pdf", "1", "--out", "DIR/no/x.pdf"],
      1,
      /x\.pdf cannot be written: there is no folder for it/
    ],
    ["a date with an offset", ["z-reports", "--since-date", "2026-01-01T00:00:00Z"], 1, /without an offset/],
    ["an invalid order", ["z-reports", "--order", "up"], 1, /order/],
    ["a page number together with all pages", ["z-reports", "--all", "--page", "2"], 1, /one of them/],
    ["a page that the gateway declines", ["z-reports", "--page", "0"], 2, /declined \(400\)/],
    ["no request id", ["status"], 1, /request-id/],
    ["an unknown account", ["profile", "--account", "other"], 1, /has no account other; it has: main/]
  ]
  for (const [title, args, code, said] of bad) {
    it.live(`reports ${title}`, function* () {
      const { gateway } = yield* ready
      const ended = yield* gateway(...args)
      assert.strictEqual(ended.code, code)
      assert.match(ended.err.replaceAll("\n", " "), said)
    })
  }

  it.live("exits with 3 if the operation may have taken effect, and does not repeat it", function* () {
    const { gateway, sandbox } = yield* ready
    yield* sandbox.control.addFault({ kind: "drop", stage: "after", operations: ["submitInvoice"] })
    const ended = yield* gateway("submit-invoice", "DIR/next.json")
    assert.strictEqual(ended.code, 3)
    assert.include(ended.err, "Unknown: ")
    assert.strictEqual((yield* sandbox.control.calls).filter((call) => call.operation === "submitInvoice").length, 1)
  })

  it.live("sends nothing to a live device: real documents go through an import", function* () {
    const { gateway, sandbox } = yield* ready
    yield* sandbox.control.changeDevice({ isLive: true })
    const refused = yield* gateway("submit-invoice", "DIR/next.json")
    assert.strictEqual(refused.code, 1)
    assert.include(refused.err, "Nothing was sent")
    assert.include(refused.err, "is live and takes documents only by import")
    assert.strictEqual((yield* sandbox.control.accepted).length, 1)
  })
})

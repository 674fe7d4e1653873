/**
 * Proves that our client's requests follow the sandbox's own OpenAPI document, operation by
 * operation and in a whole import.
 */
import { CurrencyCode, RequestId, TaxCode } from "../../core/src/document/Identifiers.ts"
import * as WireCodec from "../../core/src/document/WireCodec.ts"
import * as Gateway from "../../core/src/gateway/Gateway.ts"
import { LocalDateTime } from "../../core/src/gateway/operation/LocalDateTime.ts"
import { operations } from "../../core/src/gateway/contract/Operation.ts"
import * as UndiciHttpClient from "../../core/src/node/UndiciHttpClient.ts"
import type { SandboxShape } from "@fiscal-connector/sandbox/Sandbox"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Redacted, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { judgeBy, type OpenApiDocument } from "./OpenApiJudge.ts"
import * as RecordingProxy from "./RecordingProxy.ts"
import { connector, folderWith, gatewayFor, key, secret } from "./RunningConnector.ts"
import * as Transmission from "../../core/src/gateway/internal/SubmitCapability.ts"

const documentOf = ({ url }: SandboxShape) =>
  Effect.promise(async () => (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument)

const line = {
  Description: "Zażółć / é",
  UnitAmount: 0.000001,
  TaxCode: "VAT155",
  ProductCode: "85131000",
  LineAmount: 10.1,
  DiscountAmount: 0.5,
  Quantity: 10600000,
  CustomFields: null
}

const shared = {
  Reference: "PO 77",
  IsDiscounted: true,
  IsTaxInclusive: true,
  BuyerContact: {
    Name: "Buyer & Co",
    TradeName: null,
    Tin: "2000123456",
    VatNumber: null,
    Phone: null,
    Email: null,
    Address: { Province: "HRE", Street: "Main", HouseNo: "12", City: "Harbour" }
  },
  Date: "2026-02-03T08:00:01+02:00",
  LineItems: [line, { ...line, DiscountAmount: null, ProductCode: null }],
  SubTotal: 8.74,
  TotalTax: 1.36,
  Total: 10.1,
  CurrencyCode: "USD",
  IsRetry: false
}

const document = (kind: "invoice" | "credit-note", fields: object) => {
  const decoded = WireCodec.decode(kind, JSON.stringify({ ...shared, ...fields }))
  return decoded._tag === "Success" ? decoded.success : assert.fail(decoded.failure)
}

const invoice = document("invoice", { InvoiceId: "i-1", InvoiceNumber: "INV-1", PaymentMethod: "Card" })
const walkIn = document("invoice", { InvoiceId: "i-2", InvoiceNumber: "INV-2", Reference: null, BuyerContact: null })
const creditNote = document("credit-note", {
  CreditNoteId: "c-1",
  OriginalInvoiceId: "i-1",
  CreditNoteNumber: "CN-1",
  IsRetry: true
})

/** Calls every operation once, the two submissions and the list in several forms. */
const everything = (gateway: Gateway.GatewayOperations, sandbox: SandboxShape) =>
  Effect.gen(function* () {
    yield* gateway.profile
    yield* gateway.fiscalDevice
    yield* gateway.subscription
    yield* gateway.test
    const submit = yield* Transmission.of(gateway)
    const requestId = yield* submit(invoice)
    yield* submit(walkIn)
    yield* submit(creditNote)
    yield* gateway.status([requestId, RequestId.make("unknown")])
    yield* gateway.status(Array.from({ length: 150 }, (_, index) => RequestId.make(`r-${index}`)))
    yield* gateway.downloadPdf(`${requestId}.pdf`)
    yield* sandbox.control.closeDay()
    yield* gateway.zReports()
    yield* gateway.zReports({
      sinceDay: 1,
      sinceDate: LocalDateTime.make("2026-01-01T00:00:00"),
      size: 1,
      page: 1,
      order: "asc"
    })
    yield* Stream.runDrain(gateway.allZReports())
    yield* gateway.zReport(1)
    yield* gateway.zReportPdf(1)
    yield* gateway.taxMappings
    const tax = yield* gateway.addTaxMapping({ taxCode: TaxCode.make("T"), taxName: "T", destinationTaxId: 5 })
    yield* gateway.taxMapping(tax.id!)
    yield* gateway.updateTaxMapping({ ...tax, id: tax.id!, taxName: "Renamed" })
    yield* gateway.deleteTaxMapping(tax.id!)
    yield* gateway.supportedCurrencies
    yield* gateway.currencyMappings
    const currency = yield* gateway.addCurrencyMapping({
      sourceCurrency: CurrencyCode.make("US$"),
      destinationCurrency: "USD"
    })
    yield* gateway.currencyMapping(currency.id!)
    yield* gateway.updateCurrencyMapping({ ...currency, id: currency.id!, destinationCurrency: "ZAR" })
    yield* gateway.deleteCurrencyMapping(currency.id!)
  })

// slow: an independent validator checks each request of a whole import
describe("our client's requests, checked against the sandbox's OpenAPI document by an independent validator", () => {
  it.live("are valid for every operation, and so are the sandbox's answers", function* () {
    const folder = yield* folderWith()
    const sandbox = yield* gatewayFor(folder, {
      gateway: { processingDelayMillis: 0, startAt: "2026-02-03T12:00:00Z" }
    })
    const { exchanges, url } = yield* RecordingProxy.before(sandbox.url)
    const gateway = yield* Gateway.make({
      account: "main",
      baseUrl: url,
      application: "test",
      station: "test",
      apiKey: Redacted.make(key),
      secret: Redacted.make(secret)
    }).pipe(Effect.provideServiceEffect(HttpClient.HttpClient, UndiciHttpClient.make()))
    yield* everything(gateway, sandbox)
    const judge = judgeBy(yield* documentOf(sandbox))
    const judged = exchanges.map(judge)
    assert.deepStrictEqual(
      judged.filter(({ problems }) => problems.length > 0),
      []
    )
    assert.sameMembers([...new Set(judged.map(({ operation }) => operation))], Object.keys(operations))
  })

  it.live("are valid during a whole import", function* () {
    const folder = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
    const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 0 } })
    const { exchanges, url } = yield* RecordingProxy.before(sandbox.url)
    const config = join(folder, "account.json")
    writeFileSync(config, readFileSync(config, "utf8").replace(sandbox.url, url))
    const { code, err } = yield* connector([
      "import",
      "csv",
      join(folder, "historical-invoices.csv"),
      "--config",
      config
    ])
    assert.strictEqual(code, 0, err)
    const judged = exchanges.map(judgeBy(yield* documentOf(sandbox)))
    assert.deepStrictEqual(
      judged.filter(({ problems }) => problems.length > 0),
      []
    )
    const submissions = judged.filter(({ operation }) => operation?.startsWith("submit"))
    assert.strictEqual(submissions.length, 46)
  })

  it.live("are distinguished from invalid requests", function* () {
    const sandbox = yield* gatewayFor(yield* folderWith())
    const judge = judgeBy(yield* documentOf(sandbox))
    const headers = { "x-application": "a", "x-app-station": "s", "content-type": "application/json" }
    const exchange = { method: "POST", headers, status: 200, contentType: "text/plain", answer: "r-1" }
    const url = (path: string) => new URL(path, "http://127.0.0.1")
    const body = WireCodec.encode(invoice)
    assert.deepStrictEqual(judge({ ...exchange, url: url("/invoice"), body }).problems, [])
    for (const wrong of [
      { ...exchange, url: url("/invoices"), body },
      { ...exchange, url: url("/invoice?x=1"), body },
      { ...exchange, url: url("/invoice"), body, headers: { ...headers, "x-app-station": undefined } },
      { ...exchange, url: url("/invoice"), body, headers: { ...headers, "content-type": "text/plain" } },
      { ...exchange, url: url("/invoice"), body: body.replace(`"Total"`, `"total"`) },
      { ...exchange, url: url("/invoice"), body: body.replace(`"IsTaxInclusive":true`, `"IsTaxInclusive":"yes"`) },
      { ...exchange, url: url("/creditnote"), body },
      {
        ...exchange,
        url: url("/status"),
        body: JSON.stringify(Array(101).fill("r")),
        contentType: "application/json",
        answer: "[]"
      },
      { ...exchange, url: url("/invoice"), body, status: 201 }
    ]) {
      assert.isNotEmpty(judge(wrong).problems, `${wrong.url} ${wrong.body.slice(0, 40)}`)
    }
  })
})

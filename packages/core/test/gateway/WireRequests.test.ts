/**
 * Literal requests of every operation: method, path, headers and JSON text, as shown by the
 * contract and the assumptions (docs/gateway.md).
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { createHmac } from "node:crypto"
import { CurrencyCode, RequestId, TaxCode } from "../../src/document/Identifiers.ts"
import { LocalDateTime } from "../../src/gateway/operation/LocalDateTime.ts"
import { apiKey, connect, type Received, secret, serve, withClient, type WholeGateway } from "./Loopback.ts"
import { creditNote, creditNoteText, invoice, invoiceText } from "./SampleDocuments.ts"

const taxMapping = {
  id: 7,
  userId: 3,
  taxCode: TaxCode.make("VAT15"),
  taxName: "VAT 15 %",
  destinationTaxId: 1,
  unknownFields: {}
}
const currencyMapping = {
  id: 9,
  userId: 3,
  regulatorDeviceId: 12,
  sourceCurrency: CurrencyCode.make("USD"),
  destinationCurrency: "USD",
  unknownFields: {}
}

const everyHeader = {
  "x-api-key": apiKey,
  "x-application": "fiscal-connector",
  "x-app-station": "till-1",
  "x-app-version": "1"
}

const signature = (body: string) => createHmac("sha256", secret).update(body, "utf8").digest("base64")

const withBody = (body: string) => ({
  ...everyHeader,
  "content-type": "application/json",
  "x-api-signature": signature(body)
})

type Call = (gateway: WholeGateway) => Effect.Effect<unknown, unknown>

const requestsOf = (call: Call, config: Parameters<typeof connect>[1] = { secret: Redacted.make(secret) }) =>
  Effect.gen(function* () {
    const { baseUrl, received } = yield* serve((_, response) => response.writeHead(404).end())
    const gateway = yield* connect(baseUrl, config)
    yield* Effect.exit(call(gateway))
    return received
  }).pipe(withClient())

const get = (path: string): Received => ({ method: "GET", path, headers: everyHeader, body: "" })
const bodied = (method: string, path: string, body: string): Received => ({
  method,
  path,
  headers: withBody(body),
  body
})

const cases: ReadonlyArray<readonly [name: string, call: Call, request: Received]> = [
  ["Get Profile", (_) => _.profile, get("/api/profile")],
  ["Get Fiscal Device", (_) => _.fiscalDevice, get("/api/fiscaldevice")],
  ["Subscription", (_) => _.subscription, get("/api/subscription")],
  ["Submit Invoice", (_) => _.submit(invoice), bodied("POST", "/api/invoice", invoiceText)],
  ["Submit Credit Note", (_) => _.submit(creditNote), bodied("POST", "/api/creditnote", creditNoteText)],
  [
    "Check Status",
    (_) => _.status([RequestId.make("r-1"), RequestId.make("r-2")]),
    bodied("POST", "/api/status", '["r-1","r-2"]')
  ],
  ["Download PDF", (_) => _.downloadPdf("a b/../ü?.pdf"), get("/api/download/a%20b%2F..%2F%C3%BC%3F.pdf")],
  ["Get Z-Reports", (_) => _.zReports(), get("/api/reports/z-report")],
  [
    "Get Z-Reports with all five parameters",
    (_) =>
      _.zReports({
        sinceDay: 12,
        sinceDate: LocalDateTime.make("2026-01-02T03:04:05"),
        size: 20,
        page: 2,
        order: "desc"
      }),
    get("/api/reports/z-report?since_day=12&since_date=2026-01-02T03%3A04%3A05&size=20&page=2&order=desc")
  ],
  [
    "Get Z-Reports as a stream",
    (_) => Stream.runDrain(_.allZReports({ order: "asc" })),
    get("/api/reports/z-report?size=100&page=1&order=asc")
  ],
  ["Get Specific Z-Report", (_) => _.zReport(41), get("/api/reports/z-report/41")],
  ["Download Z-report As PDF", (_) => _.zReportPdf(41), get("/api/reports/z-report/41/pdf")],
  ["Get All TaxMappings", (_) => _.taxMappings, get("/api/taxmapping")],
  ["Get Specific Tax Mapping", (_) => _.taxMapping(7), get("/api/taxmapping/7")],
  [
    "Add Tax Mapping",
    (_) => _.addTaxMapping({ taxCode: taxMapping.taxCode, taxName: "VAT 15 %", destinationTaxId: 1 }),
    bodied("POST", "/api/taxmapping", '{"TaxCode":"VAT15","TaxName":"VAT 15 %","DestinationTaxId":1}')
  ],
  [
    "Update Tax Mapping",
    (_) => _.updateTaxMapping(taxMapping),
    bodied(
      "PUT",
      "/api/taxmapping/7",
      '{"Id":7,"UserId":3,"TaxCode":"VAT15","TaxName":"VAT 15 %","DestinationTaxId":1}'
    )
  ],
  [
    "Delete Tax Mapping",
    (_) => _.deleteTaxMapping(7),
    { method: "DELETE", path: "/api/taxmapping/7", headers: everyHeader, body: "" }
  ],
  ["Supported Currencies", (_) => _.supportedCurrencies, get("/api/currencymapping/supported-currencies")],
  ["Get All CurrencyMappings", (_) => _.currencyMappings, get("/api/currencymapping")],
  ["Get Specific Currency Mapping", (_) => _.currencyMapping(9), get("/api/currencymapping/9")],
  [
    "Add Currency Mapping",
    (_) => _.addCurrencyMapping({ sourceCurrency: CurrencyCode.make("USD"), destinationCurrency: "USD" }),
    bodied("POST", "/api/currencymapping", '{"SourceCurrency":"USD","DestinationCurrency":"USD"}')
  ],
  [
    "Update Currency Mapping",
    (_) => _.updateCurrencyMapping(currencyMapping),
    bodied("PUT", "/api/currencymapping/9", '{"Id":9,"UserId":3,"SourceCurrency":"USD","DestinationCurrency":"USD"}')
  ],
  [
    "Delete Currency Mapping",
    (_) => _.deleteCurrencyMapping(9),
    { method: "DELETE", path: "/api/currencymapping/9", headers: everyHeader, body: "" }
  ],
  ["Test", (_) => _.test, bodied("POST", "/api/test", "{}")]
]

describe("a request on the wire", () => {
  for (const [name, call, request] of cases) {
    it.live(`${name} is sent as ${request.method} ${request.path}`, () =>
      Effect.map(requestsOf(call), (received) => assert.deepStrictEqual(received, [request]))
    )
  }

  it.live("is unsigned without a secret", () =>
    Effect.map(
      requestsOf((_) => _.submit(invoice), {}),
      ([request]) => {
        assert.deepStrictEqual(request?.headers, { ...everyHeader, "content-type": "application/json" })
        assert.strictEqual(request?.body, invoiceText)
      }
    )
  )

  it.live("has a configured path with an encoded segment", () =>
    Effect.map(
      requestsOf((_) => _.downloadPdf("x y.pdf"), { paths: { downloadPdf: "/files/{file}/raw" } }),
      ([request]) => assert.strictEqual(request?.path, "/api/files/x%20y.pdf/raw")
    )
  )

  it.live("is not sent for a PDF whose name would leave the path", () =>
    Effect.forEach([".", "..", ""], (name) =>
      Effect.map(
        requestsOf((_) => _.downloadPdf(name)),
        (received) => assert.deepStrictEqual(received, [])
      )
    )
  )

  it.live("for status has at most 100 ids per call, each id once", () =>
    Effect.gen(function* () {
      const { baseUrl, received } = yield* serve((_, response) => response.end("[]"))
      const gateway = yield* connect(baseUrl)
      const ids = Array.from({ length: 250 }, (_, index) => RequestId.make(`r-${index}`))
      yield* gateway.status([...ids, ...ids])
      assert.deepStrictEqual(
        received.map(({ body }) => JSON.parse(body).length),
        [100, 100, 50]
      )
      assert.deepStrictEqual(
        received.flatMap(({ body }) => JSON.parse(body)),
        ids
      )
    }).pipe(withClient())
  )

  it.live("for status is not sent without ids", () =>
    Effect.map(
      requestsOf((_) => _.status([])),
      (received) => assert.deepStrictEqual(received, [])
    )
  )
})

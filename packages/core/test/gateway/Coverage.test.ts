/**
 * Proves that the client covers the gateway's contract (docs/gateway.md): every operation, field
 * and limit of its tables is sent over the wire here.
 */
import { assert, describe, it } from "../It.ts"
import { BigDecimal, DateTime, Effect, Redacted, Stream } from "effect"
import { CurrencyCode, RequestId, TaxCode } from "../../src/document/Identifiers.ts"
import type { GatewayError } from "../../src/gateway/contract/GatewayError.ts"
import { LocalDateTime } from "../../src/gateway/operation/LocalDateTime.ts"
import { operations } from "../../src/gateway/contract/Operation.ts"
import * as Interface from "./InterfaceTables.ts"
import { connect, type Received, serve, withClient, type WholeGateway } from "./Loopback.ts"
import * as Sample from "./SampleAnswers.ts"
import { creditNote, invoice } from "./SampleDocuments.ts"

type Call = (gateway: WholeGateway) => Effect.Effect<unknown, GatewayError>
type Wire = { readonly [name: string]: unknown }

const over = (call: Call, answer: string | Uint8Array, status = 200) =>
  Effect.gen(function* () {
    const { baseUrl, received } = yield* serve((_, response) => response.writeHead(status).end(answer))
    const gateway = yield* connect(baseUrl)
    return { result: yield* Effect.result(call(gateway)), request: received[0]! }
  }).pipe(withClient(), Effect.scoped)

const json = (value: unknown) => JSON.stringify(value)
const pdf = new TextEncoder().encode("%PDF-1.4")
const taxMapping = { taxCode: TaxCode.make("VAT15"), taxName: "VAT", destinationTaxId: 1 }
const currencyMapping = { sourceCurrency: CurrencyCode.make("USD"), destinationCurrency: "USD" }
const stored = { id: 7, userId: 3, unknownFields: {} }

/** A call and a valid answer for each operation of the contract (docs/gateway.md#operations). */
const calls: { readonly [operation: string]: readonly [Call, string | Uint8Array] } = {
  "Get Profile": [(_) => _.profile, json(Sample.profile)],
  "Get Fiscal Device": [(_) => _.fiscalDevice, json(Sample.fiscalDevice)],
  Subscription: [(_) => _.subscription, json(Sample.subscription)],
  "Submit Invoice": [(_) => _.submit(invoice), "r-1"],
  "Submit Credit Note": [(_) => _.submit(creditNote), "r-1"],
  "Check Status": [(_) => _.status([RequestId.make("r-1")]), json([Sample.statusFiscalized])],
  "Get Z-Reports": [(_) => _.zReports(), json(Sample.zReportPage)],
  "Get Specific Z-Report": [(_) => _.zReport(41), json(Sample.zReport)],
  "Add Tax Mapping": [(_) => _.addTaxMapping(taxMapping), json(Sample.taxMapping)],
  "Add Currency Mapping": [(_) => _.addCurrencyMapping(currencyMapping), json(Sample.currencyMapping)],
  "Update Currency Mapping": [
    (_) => _.updateCurrencyMapping({ ...currencyMapping, ...stored, regulatorDeviceId: null }),
    "true"
  ],
  Test: [(_) => _.test, "ok"],
  "Download PDF": [(_) => _.downloadPdf("a.pdf"), pdf],
  "Download Z-report As PDF": [(_) => _.zReportPdf(41), pdf],
  "Get All TaxMappings": [(_) => _.taxMappings, json([Sample.taxMapping])],
  "Get Specific Tax Mapping": [(_) => _.taxMapping(7), json(Sample.taxMapping)],
  "Update Tax Mapping": [(_) => _.updateTaxMapping({ ...taxMapping, ...stored }), "true"],
  "Delete Tax Mapping": [(_) => _.deleteTaxMapping(7), ""],
  "Supported Currencies": [(_) => _.supportedCurrencies, json(["USD"])],
  "Get All CurrencyMappings": [(_) => _.currencyMappings, json([Sample.currencyMapping])],
  "Get Specific Currency Mapping": [(_) => _.currencyMapping(7), json(Sample.currencyMapping)],
  "Delete Currency Mapping": [(_) => _.deleteCurrencyMapping(7), ""]
}

const asPattern = (path: string) => new RegExp(`^/api${path.replace(/<id>|\{id\}/, "\\d+")}$`)

describe("every operation", () => {
  it("of the interface is implemented, and every implemented operation is in the interface", () => {
    assert.deepStrictEqual(
      Object.values(operations)
        .map(({ name }) => name)
        .toSorted(),
      Interface.endpoints.map(([name]) => name).toSorted()
    )
  })

  for (const [name, method, path] of Interface.endpoints) {
    it.live(
      `${name} is sent as ${method} ${path ?? "a path of our own"} with every header, and its answer is read`,
      function* () {
        const [call, answer] = calls[name]!
        const { request, result } = yield* over(call, answer)
        assert.strictEqual(result._tag, "Success")
        assert.strictEqual(request.method, method)
        if (path !== null) assert.match(request.path, asPattern(path))
        for (const header of Interface.headers) assert.property(request.headers, header.toLowerCase())
        assert.strictEqual(request.headers["content-type"], request.body === "" ? undefined : "application/json")
      }
    )
  }

  for (const name of Interface.notFound) {
    it.live(`${name} recognizes its documented 404`, () =>
      Effect.map(over(calls[name]![0], "", 404), ({ result }) =>
        assert.strictEqual(result._tag === "Failure" && result.failure.reason._tag, "NotFound")
      )
    )
  }
})

/** Place of each resource in an answer, and in the client's result. */
const resources: {
  readonly [Resource in keyof typeof Interface.answered]: {
    readonly sample: Wire
    readonly call: Call
    readonly inAnswer: (resource: Wire) => unknown
    readonly inResult: (result: unknown) => unknown
  }
} = {
  Profile: { sample: Sample.profile, call: (_) => _.profile, inAnswer: (_) => _, inResult: (_) => _ },
  FiscalDevice: { sample: Sample.fiscalDevice, call: (_) => _.fiscalDevice, inAnswer: (_) => _, inResult: (_) => _ },
  DeviceConfig: {
    sample: Sample.deviceConfig,
    call: (_) => _.fiscalDevice,
    inAnswer: (config) => ({ ...Sample.fiscalDevice, CurrentConfig: json(config) }),
    inResult: (_) => at(_, "currentConfig")
  },
  ApplicableTax: {
    sample: { ...Sample.deviceConfig.applicableTaxes[0] },
    call: (_) => _.fiscalDevice,
    inAnswer: (tax) => ({
      ...Sample.fiscalDevice,
      CurrentConfig: json({ ...Sample.deviceConfig, applicableTaxes: [tax] })
    }),
    inResult: (_) => at(_, "currentConfig", "applicableTaxes", 0)
  },
  Subscription: {
    sample: { ...Sample.subscription, AmountDueSince: "2026-01-01T00:00:00" },
    call: (_) => _.subscription,
    inAnswer: (_) => _,
    inResult: (_) => _
  },
  SubscriptionItem: {
    sample: Sample.subscription.SubscriptionItems[0]!,
    call: (_) => _.subscription,
    inAnswer: (item) => ({ ...Sample.subscription, SubscriptionItems: [item] }),
    inResult: (_) => at(_, "subscriptionItems", 0)
  },
  TaxMapping: { sample: Sample.taxMapping, call: (_) => _.taxMapping(7), inAnswer: (_) => _, inResult: (_) => _ },
  CurrencyMapping: {
    sample: Sample.currencyMapping,
    call: (_) => _.currencyMapping(9),
    inAnswer: (_) => _,
    inResult: (_) => _
  },
  "Z-Report": {
    sample: Sample.zReportListed,
    call: (_) => _.zReports(),
    inAnswer: (report) => ({ ...Sample.zReportPage, Items: [report] }),
    inResult: (_) => at(_, "items", 0)
  },
  "Z-Report Summary": {
    sample: { ...Sample.zReport.Summaries[0], PaymentMethod: "Cash" },
    call: (_) => _.zReport(41),
    inAnswer: (summary) => ({ ...Sample.zReport, Summaries: [summary] }),
    inResult: (_) => at(_, "summaries", 0)
  },
  "Paged result": { sample: Sample.zReportPage, call: (_) => _.zReports(), inAnswer: (_) => _, inResult: (_) => _ },
  StatusRequest: {
    sample: Sample.statusFiscalized,
    call: (_) => _.status([RequestId.make("r-1")]),
    inAnswer: (item) => [item],
    inResult: (_) => at(_, 0)
  }
}

const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((inner, key) => (inner as { readonly [key: string | number]: unknown })[key], value)

/** Names of fields in TypeScript. */
const nameInCode: { readonly [wire: string]: string } = {
  TIN: "tin",
  BPNumber: "bpNumber",
  VATNumber: "vatNumber",
  TaxID: "taxId"
}
const camelCase = (wire: string) => nameInCode[wire] ?? wire.slice(0, 1).toLowerCase() + wire.slice(1)

const isOfType: { readonly [Type in Interface.Type]: (value: unknown) => boolean } = {
  integer: (value) => Number.isSafeInteger(value),
  string: (value) => typeof value === "string" || Redacted.isRedacted(value),
  boolean: (value) => typeof value === "boolean",
  "date-time": (value) => typeof value === "string" || DateTime.isDateTime(value),
  decimal: (value) => BigDecimal.isBigDecimal(value),
  object: (value) => typeof value === "object" && value !== null,
  array: (value) => Array.isArray(value),
  json: (value) => typeof value === "object" && value !== null,
  any: () => true
}

const read = (resource: keyof typeof resources, sample: Wire) => {
  const { call, inAnswer, inResult } = resources[resource]
  return Effect.map(over(call, json(inAnswer(sample))), ({ result }) =>
    result._tag === "Success" ? (inResult(result.success) as Wire) : assert.fail(result.failure.message)
  )
}

describe("every field of an answer", () => {
  for (const [resource, fields] of Object.entries<ReadonlyArray<Interface.Field>>(Interface.answered)) {
    if (resource === "StatusRequest") continue
    const name = resource as keyof typeof resources
    for (const field of fields) {
      it.live(
        `${resource}.${field.name} is read as ${field.type}${field.nullable ? ", and may be null" : ""}`,
        function* () {
          const { sample } = resources[name]
          assert.property(sample, field.name)
          const result = yield* read(name, sample)
          assert.isTrue(isOfType[field.type](result[camelCase(field.name)]), String(result[camelCase(field.name)]))
          assert.notProperty(result["unknownFields"], field.name)
          if (field.nullable)
            assert.isNull((yield* read(name, { ...sample, [field.name]: null }))[camelCase(field.name)])
        }
      )
    }
  }

  it.live("StatusRequest reports its fields by one of three values, with the proof or the error", function* () {
    const fiscalised = yield* read("StatusRequest", Sample.statusFiscalized)
    assert.deepStrictEqual(
      [
        fiscalised["_tag"],
        fiscalised["requestId"],
        fiscalised["fiscalInvoicePdf"],
        at(fiscalised, "qrData", "deviceId")
      ],
      ["Fiscalised", "r-1", "r-1.pdf", 12345]
    )
    const rejected = yield* read("StatusRequest", { ...Sample.statusRejected, RequestId: "r-1" })
    assert.deepStrictEqual([rejected["_tag"], rejected["error"]], ["Rejected", Sample.statusRejected.Error])
    assert.strictEqual((yield* read("StatusRequest", { ...Sample.statusPending, RequestId: "r-1" }))["_tag"], "Pending")
    const covered = ["RequestId", "Success", "QrData", "Error", "FiscalInvoicePdf"]
    assert.sameMembers(
      covered,
      Interface.answered.StatusRequest.map(({ name }) => name)
    )
  })
})

const bodyOf = (operation: string) =>
  Effect.map(over(...calls[operation]!), ({ request }: { request: Received }) => JSON.parse(request.body) as Wire)

describe("every field of a request", () => {
  const bodies = {
    Invoice: bodyOf("Submit Invoice"),
    CreditNote: bodyOf("Submit Credit Note"),
    BuyerContact: Effect.map(bodyOf("Submit Invoice"), (_) => at(_, "BuyerContact") as Wire),
    Address: Effect.map(bodyOf("Submit Invoice"), (_) => at(_, "BuyerContact", "Address") as Wire),
    LineItem: Effect.map(bodyOf("Submit Invoice"), (_) => at(_, "LineItems", 0) as Wire),
    "Add Tax Mapping": bodyOf("Add Tax Mapping"),
    "Add Currency Mapping": bodyOf("Add Currency Mapping"),
    "Update Currency Mapping": bodyOf("Update Currency Mapping")
  } satisfies { readonly [Resource in keyof typeof Interface.requested]: Effect.Effect<Wire, unknown> }

  for (const [resource, body] of Object.entries(bodies)) {
    it.live(`${resource} is sent with its documented fields and no others`, () =>
      Effect.map(body, (sent) =>
        assert.deepStrictEqual(
          Object.keys(sent).toSorted(),
          Interface.requested[resource as keyof typeof bodies].toSorted()
        )
      )
    )
  }

  it.live("Get Z-Reports sends all five parameters, or none by default", function* () {
    const query = {
      sinceDay: 1,
      sinceDate: LocalDateTime.make("2026-01-01T00:00:00"),
      size: 1,
      page: 1,
      order: "asc"
    } as const
    const { request } = yield* over((_) => _.zReports(query), json(Sample.zReportPage))
    assert.sameMembers([...new URL(request.path, "http://x").searchParams.keys()], Interface.zReportParameters)
    const bare = yield* over((_) => _.zReports(), json(Sample.zReportPage))
    assert.strictEqual(bare.request.path, "/api/reports/z-report")
  })
})

describe("every limit", () => {
  it.live(`is respected: at most ${Interface.limits.idsPerStatusCall} identifiers per status call`, () =>
    Effect.gen(function* () {
      const { baseUrl, received } = yield* serve((_, response) => response.end("[]"))
      const gateway = yield* connect(baseUrl)
      yield* gateway.status(Array.from({ length: 201 }, (_, index) => RequestId.make(`r-${index}`)))
      const sizes = received.map(({ body }) => (JSON.parse(body) as ReadonlyArray<unknown>).length)
      assert.strictEqual(Math.max(...sizes), Interface.limits.idsPerStatusCall)
      assert.strictEqual(sizes.length, 3)
    }).pipe(withClient())
  )

  it.live(`is respected: a request older than ${Interface.limits.statusDays} days is absent from the results`, () =>
    Effect.map(
      over((_) => _.status([RequestId.make("old"), RequestId.make("r-1")]), json([Sample.statusFiscalized])),
      ({ result }) => assert.strictEqual(result._tag === "Success" && at(result.success, "length"), 1)
    )
  )

  it.live(
    `is exceeded only by a stream of Z-reports, which reads beyond the latest ${Interface.limits.zReportsWithoutQuery}`,
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* serve(({ path }, response) => {
          const page = Number(new URL(path, "http://x").searchParams.get("page"))
          const Items = Array.from({ length: page === 3 ? 50 : 100 }, () => Sample.zReportListed)
          response.end(json({ Items, TotalItemCount: 250, Page: page, PageSize: 100 }))
        })
        const gateway = yield* connect(baseUrl)
        assert.strictEqual(yield* Stream.runCount(gateway.allZReports()), 250)
      }).pipe(withClient())
  )
})

/**
 * Proves that the sandbox covers the interface document: every operation, field, header, error and
 * limit of its tables is requested here over the wire, or names the test that does. A row without
 * an entry fails.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { SandboxShape } from "../src/Sandbox.ts"
import { buyer, creditNote, invoice, line } from "./documents.ts"
import { get, jsonOf, type Reply, send } from "./GatewayCaller.ts"
import * as Interface from "./InterfaceTables.ts"
import { account, withSandbox } from "./sandboxes.ts"

type Members = { readonly [field: string]: unknown }

const tax = { TaxCode: "T", TaxName: "T", DestinationTaxId: 1 }
const currency = { SourceCurrency: "E", DestinationCurrency: "EUR" }

/**
 * Returns the request identifier of a fiscalized invoice, after closing its day and adding a
 * mapping of each kind.
 */
const lived = (sandbox: SandboxShape) =>
  Effect.gen(function* () {
    const { text: requestId } = yield* send(sandbox, "POST", "/invoice", invoice())
    yield* sandbox.control.closeDay()
    const taxId = (jsonOf(yield* send(sandbox, "POST", "/taxmapping", tax)) as { readonly Id: number }).Id
    const currencyId = (jsonOf(yield* send(sandbox, "POST", "/currencymapping", currency)) as { readonly Id: number })
      .Id
    return { requestId, taxId, currencyId }
  })

type Lived = Effect.Success<ReturnType<typeof lived>>
type Call = (sandbox: SandboxShape, lived: Lived) => Effect.Effect<Reply, unknown>

const reads =
  (path: (lived: Lived) => string): Call =>
  (sandbox, lived) =>
    get(sandbox, path(lived))

const isJson = (reply: Reply) => assert.match(reply.contentType ?? "", /^application\/json/)
const isPdf = (reply: Reply) => assert.match(reply.text, /^%PDF-/)
const isRequestId = (reply: Reply) => {
  assert.match(reply.contentType ?? "", /^text\/plain/)
  assert.match(reply.text, /^[0-9a-f-]{36}$/)
}
const isTrue = (reply: Reply) => assert.strictEqual(jsonOf(reply), true)
const isArray = (reply: Reply) => assert.isArray(jsonOf(reply))

/** Operations by name: the sandbox's path, one valid call, and a check of the 200 answer. */
const operations: Readonly<Record<string, readonly [path: string, call: Call, carries: (reply: Reply) => void]>> = {
  "Get Profile": ["/profile", reads(() => "/profile"), isJson],
  "Get Fiscal Device": ["/fiscaldevice", reads(() => "/fiscaldevice"), isJson],
  Subscription: ["/subscription", reads(() => "/subscription"), isJson],
  "Submit Invoice": [
    "/invoice",
    (sandbox) => send(sandbox, "POST", "/invoice", invoice({ InvoiceId: "i-2", InvoiceNumber: "INV-2" })),
    isRequestId
  ],
  "Submit Credit Note": ["/creditnote", (sandbox) => send(sandbox, "POST", "/creditnote", creditNote()), isRequestId],
  "Check Status": ["/status", (sandbox, { requestId }) => send(sandbox, "POST", "/status", [requestId]), isArray],
  "Get Z-Reports": ["/reports/z-report", reads(() => "/reports/z-report"), isJson],
  "Get Specific Z-Report": ["/reports/z-report/<id>", reads(() => "/reports/z-report/1"), isJson],
  "Add Tax Mapping": ["/taxmapping", (sandbox) => send(sandbox, "POST", "/taxmapping", tax), isJson],
  "Add Currency Mapping": [
    "/currencymapping",
    (sandbox) => send(sandbox, "POST", "/currencymapping", currency),
    isJson
  ],
  "Update Currency Mapping": [
    "/currencymapping/{id}",
    (sandbox, { currencyId }) =>
      send(sandbox, "PUT", `/currencymapping/${currencyId}`, { Id: currencyId, UserId: 1, ...currency }),
    isTrue
  ],
  Test: ["/test", (sandbox) => send(sandbox, "POST", "/test", {}), isJson],
  "Download PDF": ["/download/{file}", reads(({ requestId }) => `/download/${requestId}.pdf`), isPdf],
  "Download Z-report As PDF": ["/reports/z-report/{day}/pdf", reads(() => "/reports/z-report/1/pdf"), isPdf],
  "Get All TaxMappings": ["/taxmapping", reads(() => "/taxmapping"), isArray],
  "Get Specific Tax Mapping": ["/taxmapping/{id}", reads(({ taxId }) => `/taxmapping/${taxId}`), isJson],
  "Update Tax Mapping": [
    "/taxmapping/{id}",
    (sandbox, { taxId }) => send(sandbox, "PUT", `/taxmapping/${taxId}`, { Id: taxId, UserId: 1, ...tax }),
    isTrue
  ],
  "Delete Tax Mapping": [
    "/taxmapping/{id}",
    (sandbox, { taxId }) => get(sandbox, `/taxmapping/${taxId}`, "DELETE"),
    isTrue
  ],
  "Supported Currencies": [
    "/currencymapping/supported-currencies",
    reads(() => "/currencymapping/supported-currencies"),
    isArray
  ],
  "Get All CurrencyMappings": ["/currencymapping", reads(() => "/currencymapping"), isArray],
  "Get Specific Currency Mapping": [
    "/currencymapping/{id}",
    reads(({ currencyId }) => `/currencymapping/${currencyId}`),
    isJson
  ],
  "Delete Currency Mapping": [
    "/currencymapping/{id}",
    (sandbox, { currencyId }) => get(sandbox, `/currencymapping/${currencyId}`, "DELETE"),
    isTrue
  ]
}

describe("every operation of the interface", () => {
  it("has an entry here, and every entry has an operation", () =>
    assert.sameMembers(
      Object.keys(operations),
      Interface.operations.map(({ name }) => name)
    ))

  for (const { method, name, path } of Interface.operations) {
    it.effect(`${name} is ${method} ${path ?? operations[name]?.[0]} and answers 200 with the documented content`, () =>
      withSandbox(function* (sandbox) {
        const [here, call, carries] = operations[name]!
        if (path !== undefined) assert.strictEqual(here, path)
        const state = yield* lived(sandbox)
        yield* sandbox.control.forgetCalls
        const reply = yield* call(sandbox, state)
        assert.strictEqual(reply.status, 200, reply.text)
        carries(reply)
        const [seen] = yield* sandbox.control.calls
        const pattern = here
          .split(/<id>|\{\w+\}/)
          .map((part) => RegExp.escape(part))
          .join("[^/]+")
        assert.strictEqual(seen?.method, method)
        assert.match(seen?.path ?? "", new RegExp(`^${pattern}$`))
      })
    )
  }

  for (const parameter of Interface.reportParameters) {
    it.effect(`Get Z-Reports reads ${parameter}`, () =>
      withSandbox((sandbox) =>
        Effect.map(get(sandbox, `/reports/z-report?${parameter}=nonsense`), ({ status, text }) => {
          assert.strictEqual(status, 400)
          assert.include(text, parameter)
        })
      )
    )
  }
})

/** Reads each resource from the answers of a used sandbox. */
const resources: {
  readonly [Resource in keyof typeof Interface.answered]: (
    sandbox: SandboxShape,
    lived: Lived
  ) => Effect.Effect<Members, unknown>
} = {
  Profile: (sandbox) => json(get(sandbox, "/profile")),
  FiscalDevice: (sandbox) => json(get(sandbox, "/fiscaldevice")),
  DeviceConfig: (sandbox) => Effect.map(json(get(sandbox, "/fiscaldevice")), configOf),
  ApplicableTax: (sandbox) =>
    Effect.map(json(get(sandbox, "/fiscaldevice")), (device) => first(configOf(device)["applicableTaxes"])),
  Subscription: (sandbox) => json(get(sandbox, "/subscription")),
  SubscriptionItem: (sandbox) =>
    Effect.map(json(get(sandbox, "/subscription")), (subscription) => first(subscription["SubscriptionItems"])),
  TaxMapping: (sandbox, { taxId }) => json(get(sandbox, `/taxmapping/${taxId}`)),
  CurrencyMapping: (sandbox, { currencyId }) => json(get(sandbox, `/currencymapping/${currencyId}`)),
  StatusRequest: (sandbox, { requestId }) => Effect.map(json(send(sandbox, "POST", "/status", [requestId])), first),
  "Z-Report": (sandbox) => Effect.map(json(get(sandbox, "/reports/z-report")), ({ Items }) => first(Items)),
  "Z-Report Summary": (sandbox) =>
    Effect.map(json(get(sandbox, "/reports/z-report/1")), ({ Summaries }) => first(Summaries)),
  "Paged result": (sandbox) => json(get(sandbox, "/reports/z-report"))
}

const json = (reply: Effect.Effect<Reply, unknown>) => Effect.map(reply, (reply) => jsonOf(reply) as Members)
const first = (list: unknown) => (list as ReadonlyArray<Members>)[0]!
const configOf = ({ CurrentConfig }: Members) => JSON.parse(String(CurrentConfig)) as Members

/** Checks by the first word of the type's cell. */
const ofType: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: (value) => Number.isSafeInteger(value),
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  decimal: (value) => typeof value === "number",
  "date-time": (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(String(value)),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  nullable: () => true
}

describe("every field of an answer", () => {
  for (const [resource, fields] of Object.entries(Interface.answered)) {
    it.effect(`of ${resource} is present with its type: ${fields.map(({ name }) => name).join(", ")}`, () =>
      withSandbox(function* (sandbox) {
        assert.isNotEmpty(fields)
        const value = yield* resources[resource as keyof typeof resources](sandbox, yield* lived(sandbox))
        for (const { name, type } of fields) {
          assert.property(value, name)
          const [word = ""] = type.split(/[ ,;(]/)
          const isRight = ofType[word] ?? assert.fail(`no type ${type}`)
          const isNull = type.includes("nullable") && value[name] === null
          assert.isTrue(isNull || isRight(value[name]), `${resource}.${name}: ${JSON.stringify(value[name])}`)
        }
      })
    )
  }
})

/**
 * Returns a value of another type, by the first word of the type's cell; text is valid for numbers
 * as well (NUM-1).
 */
const wrong = (type: string): unknown => (/^(string|decimal|boolean|date-time)/.test(type) ? {} : ["x"])

describe("every field of a request", () => {
  it("of a credit note is the same as of an invoice, except for three additional fields", () =>
    assert.sameMembers(Interface.sharedFields, [
      ...new Set(
        Interface.requested.CreditNote.map(({ name }) => name).filter((name) => !/^(CreditNote|Original)/.test(name))
      )
    ]))

  const bodies: {
    readonly [Resource in keyof typeof Interface.requested]: readonly [
      path: string,
      prefix: string,
      body: (change: Members) => Members
    ]
  } = {
    Invoice: ["/invoice", "", invoice],
    CreditNote: ["/creditnote", "", creditNote],
    BuyerContact: ["/invoice", "BuyerContact.", (change) => invoice({ BuyerContact: { ...buyer, ...change } })],
    Address: [
      "/invoice",
      "BuyerContact.Address.",
      (change) => invoice({ BuyerContact: { ...buyer, Address: { ...(buyer["Address"] as Members), ...change } } })
    ],
    LineItem: ["/invoice", "LineItems.0.", (change) => invoice({ LineItems: [{ ...line, ...change }] })]
  }
  for (const [resource, fields] of Object.entries(Interface.requested)) {
    const [path, prefix, body] = bodies[resource as keyof typeof bodies]
    for (const { name, type } of fields) {
      if (name === "CustomFields") continue
      it.effect(`${resource}.${name} is read: a value of another type gives 400 with the name`, () =>
        withSandbox(function* (sandbox) {
          assert.strictEqual((yield* send(sandbox, "POST", path, body({}))).status, 200)
          const { status, text } = yield* send(sandbox, "POST", path, body({ [name]: wrong(type) }))
          assert.strictEqual(status, 400, text)
          assert.include(text, `"${prefix}${name}`)
        })
      )
    }
  }

  it.effect("LineItem.CustomFields, with an undocumented structure, accepts any value", () =>
    withSandbox(function* (sandbox) {
      for (const CustomFields of [null, {}, { a: [1] }, "x"]) {
        const { status } = yield* send(sandbox, "POST", "/invoice", invoice({ LineItems: [{ ...line, CustomFields }] }))
        assert.strictEqual(status, 200)
      }
    })
  )

  for (const [path, body] of [
    ["/taxmapping", tax],
    ["/currencymapping", currency]
  ] as const) {
    for (const name of Object.keys(body)) {
      it.effect(`${name} of a mapping is read: a value of another type gives 400 with the name`, () =>
        withSandbox((sandbox) =>
          Effect.map(send(sandbox, "POST", path, { ...body, [name]: {} }), ({ status, text }) => {
            assert.strictEqual(status, 400)
            assert.include(text, name)
          })
        )
      )
    }
  }
})

/** Tests elsewhere, by the covered row of the interface or fact of the assumptions. */
const heldElsewhere: Readonly<Record<string, readonly [file: string, title: string]>> = {
  "Request identifiers per call": ["Status", "answers 100 identifiers, and of more than 100 omits every second one"],
  "Look-back window": ["Status", "returns results for seven days after processing and not longer"],
  "Default number of Z-reports returned with no query": ["ZReports", "returns the latest 100 without a query"],
  "X-Api-Key": ["Credentials", "is accepted if key, application, station and the signature over its bytes are correct"],
  "X-Application": [
    "Credentials",
    "is accepted if key, application, station and the signature over its bytes are correct"
  ],
  "X-App-Station": [
    "Credentials",
    "is accepted if key, application, station and the signature over its bytes are correct"
  ],
  "X-App-Version": ["Credentials", "is recorded with its version, and never with its key or signature"],
  "NUM-1, AUTH-8, DOC-16": [
    "Transactions",
    "accept numbers as strings, no X-App-Version, {} as buyer and an empty original"
  ]
}

describe("the list of tests for headers and limits", () => {
  it("contains every header and every limit", () =>
    assert.includeMembers(Object.keys(heldElsewhere), [...Interface.headers, ...Interface.limits]))

  for (const [row, [file, title]] of Object.entries(heldElsewhere)) {
    it(`names a test for ${row} in ${file}: ${title}`, () =>
      assert.include(readFileSync(join(import.meta.dirname, `${file}.test.ts`), "utf8"), `"${title}"`))
  }
})

describe("every documented error", () => {
  const { device: _, ...without } = account
  const cases: Readonly<
    Record<string, readonly [call: (sandbox: SandboxShape) => Effect.Effect<Reply, unknown>, change: object]>
  > = {
    "No fiscal device attached to the account (Get Fiscal Device)": [
      (sandbox) => get(sandbox, "/fiscaldevice"),
      { accounts: [without] }
    ],
    "No device attached, or subscription unavailable (Subscription)": [
      (sandbox) => get(sandbox, "/subscription"),
      { devices: [{ deviceId: 1001, subscription: null }] }
    ],
    "Update Currency Mapping with an unknown mapping": [
      (sandbox) => send(sandbox, "PUT", "/currencymapping/99", { Id: 99, UserId: 1, ...currency }),
      {}
    ]
  }
  for (const condition of Interface.errors) {
    it.effect(`${condition}: 404`, () =>
      withSandbox(
        (sandbox) => Effect.map(cases[condition]![0](sandbox), ({ status }) => assert.strictEqual(status, 404)),
        cases[condition]![1]
      )
    )
  }
})

import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import type { Input } from "@fiscal-connector/sandbox/SandboxConfig"
import { assert, describe, it } from "../It.ts"
import { DateTime, Effect, Option, Redacted } from "effect"
import * as Doctor from "../../src/attention/Doctor.ts"
import { defaults } from "../../src/gateway/contract/AssumptionSwitches.ts"
import { difference } from "../../src/gateway/exchange/ServerClock.ts"
import * as Gateway from "../../src/gateway/Gateway.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import * as UndiciHttpClient from "../../src/node/UndiciHttpClient.ts"
import { StoreError } from "../../src/submission/ledger/StoreError.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { serve } from "../gateway/Loopback.ts"

const book = BookFile.load(
  "x.book.json",
  `{ "version": 1, "zone": "+02:00", "taxes": [{ "code": "ZERO", "device": 2, "percent": "0" }],
     "currencies": [{ "code": "USD", "device": "USD" }] }`
)

type Device = NonNullable<Input["devices"]>[number]

interface Circumstances {
  readonly refusals?: "not-processed" | "unknown"
  readonly device?: Partial<Device> | "none"
  readonly key?: string
  readonly secret?: string | null
  /** The gateway's requirement. */
  readonly signatures?: "wanted" | "unwanted"
  readonly mappings?: "in order" | "none"
  readonly pinnedTo?: string
  readonly down?: boolean
  readonly without?: "book"
  readonly store?: StoreError
  /** Distance of the gateway's clock from this machine's. */
  readonly clockMillis?: number
  /** Milliseconds by which the clock of the store's database is ahead of this machine's. */
  readonly databaseAhead?: number
  readonly clockSkew?: Doctor.DoctorRequest["clockSkew"]
}

const zone = Option.getOrThrow(DateTime.zoneFromString("+02:00"))

/** Returns the doctor's report, and the calls to the gateway. */
const examine = (given: Circumstances = {}) =>
  Effect.gen(function* () {
    const mapped = given.mappings !== "none"
    const sandbox = yield* Sandbox.make({
      accounts: [
        {
          key: "key",
          ...(given.signatures !== "unwanted" && { secret: "a secret" }),
          ...(given.device !== "none" && { device: 1001 }),
          taxMappings: mapped ? [{ taxCode: "ZERO", destinationTaxId: 2 }] : [],
          currencyMappings: mapped ? [{ sourceCurrency: "USD", destinationCurrency: "USD" }] : []
        }
      ],
      devices: [
        {
          deviceId: 1001,
          taxes: [{ taxId: 2, taxPercent: "0", taxName: "Zero" }],
          ...(given.device !== "none" && given.device)
        }
      ]
    })
    const secret = given.secret === undefined ? "a secret" : given.secret
    const baseUrl = given.down === true ? "http://127.0.0.1:1" : sandbox.url
    const { clockMillis = 0 } = given
    const clock =
      clockMillis === 0
        ? { baseUrl }
        : yield* serve((_, response) =>
            response.writeHead(404, { date: new Date(Date.now() + clockMillis).toUTCString() }).end()
          )
    const gateway = yield* Gateway.make({
      account: "main",
      baseUrl,
      application: "test",
      station: "test",
      retries: { times: 0 },
      apiKey: Redacted.make(given.key ?? "key"),
      ...(secret !== null && { secret: Redacted.make(secret) })
    })
    const store = yield* SubmissionStore
    if (given.pinnedTo !== undefined) {
      yield* store.pin({ account: "main", lane: given.pinnedTo, taxpayer: "2000000001", environment: "test" })
    }
    const ahead = given.databaseAhead === undefined ? {} : { compareClocks: () => Effect.succeed(given.databaseAhead!) }
    const checks = yield* Doctor.examine({
      account: "main",
      baseUrl: clock.baseUrl,
      configuration: [],
      requests: secret === null ? "unsigned" : "signed",
      clockSkew: given.clockSkew,
      assumptions: { ...defaults, ...(given.refusals && { "LIM-1": given.refusals }) },
      gateway,
      zone,
      book: given.without === "book" ? undefined : yield* book,
      store: given.store ?? { ...store, ...ahead }
    })
    const found = checks.flatMap(({ findings, name }) => findings.map(({ code }) => `${name}: ${code}`))
    return { checks, found, calls: yield* sandbox.control.calls }
  }).pipe(Effect.provide([UndiciHttpClient.layer(), SqliteStore.layer({ filename: ":memory:" })]))

describe("the doctor", () => {
  it.live("checks a healthy account with read requests only", function* () {
    const { calls, checks, found } = yield* examine()
    assert.deepStrictEqual(found, [])
    assert.isTrue(Doctor.isWell(checks))
    assert.strictEqual(checks.find(({ name }) => name === "store")?.text, "empty; it has never sent to this device")
    assert.deepStrictEqual(
      checks.map(({ name, state }) => `${name} ${state}`),
      [
        "configuration",
        "refusals",
        "clock",
        "key",
        "secret",
        "device",
        "subscription",
        "permissions",
        "facts",
        "mappings",
        "last fiscal day",
        "answers",
        "store",
        "environment",
        "assumptions"
      ].map((name) => `${name} fine`)
    )
    assert.include(checks.find(({ name }) => name === "refusals")?.text, "makes a second receipt (LIM-1)")
    const careful = yield* examine({ refusals: "unknown" })
    assert.include(careful.checks.find(({ name }) => name === "refusals")?.text, "possibly processed (LIM-1)")
    const writes = calls.filter(({ method, operation }) => method !== "GET" && operation !== "status")
    assert.deepStrictEqual(writes, [])
  })

  for (const [name, given, expected] of [
    ["a wrong key, and asks nothing more", { key: "other" }, ["key: KEY_REFUSED"]],
    ["a wrong secret behind a right key", { secret: "another secret" }, ["secret: SECRET_REFUSED"]],
    ["a secret that is missing", { secret: null }, ["secret: SECRET_REFUSED"]],
    ["a gateway that does not answer", { down: true }, ["key: GATEWAY_REFUSES_CONNECTION"]],
    ["an account without a device", { device: "none" }, ["device: DEVICE_MISSING"]],
    [
      "a device that is neither active nor on",
      { device: { isActive: false, isSwitchedOn: false } },
      ["device: DEV01", "device: DEV01"]
    ],
    [
      "a subscription that is not active",
      { device: { subscription: { status: "cancelled" } } },
      ["subscription: SUBSCRIPTION_INACTIVE"]
    ],
    ["mappings that are missing", { mappings: "none" }, ["mappings: MAPPINGS_DIFFER", "mappings: MAPPINGS_DIFFER"]],
    [
      "a live device behind an account that has sent to a test device",
      { device: { isLive: true }, pinnedTo: "test/1001" },
      ["environment: ENVIRONMENT_MIXED"]
    ],
    ["a clock that is minutes ahead", { clockMillis: -300_000 }, ["clock: CLOCK_WRONG"]],
    ["a clock that is minutes behind", { clockMillis: 300_000 }, ["clock: CLOCK_WRONG"]],
    [
      "a device whose tax has another percent now, and a new one",
      {
        device: {
          taxes: [
            { taxId: 2, taxPercent: "1", taxName: "Zero" },
            { taxId: 9, taxPercent: "9", taxName: "New" }
          ]
        }
      },
      ["mappings: DEVICE_TAX_PERCENT", "mappings: DEVICE_TAX_UNNAMED"]
    ],
    [
      "a device that no longer knows a currency of the book",
      { device: { supportedCurrencies: ["ZAR"] } },
      ["mappings: DEVICE_CURRENCY_UNSUPPORTED"]
    ],
    [
      "a store that cannot be opened",
      { store: new StoreError({ operation: "open", reason: "corrupt", text: "file is not a database" }) },
      ["store: STORE_UNUSABLE"]
    ]
  ] as ReadonlyArray<readonly [string, Circumstances, ReadonlyArray<string>]>) {
    it.live(`reports ${name}`, function* () {
      const { checks, found } = yield* examine(given)
      assert.deepStrictEqual(found, expected)
      assert.isFalse(Doctor.isWell(checks))
      for (const finding of checks.flatMap(({ findings }) => findings)) assert.isNotEmpty(finding.fix)
    })
  }

  it.live("judges the clock by the account's limit, as sending does", function* () {
    const { checks, found } = yield* examine({ clockMillis: 20_000, clockSkew: "10 seconds" })
    assert.deepStrictEqual(found, ["clock: CLOCK_WRONG"])
    assert.isFalse(Doctor.isWell(checks))
  })

  it.live("names the clock of the database if it differs from this machine's and the gateway's", function* () {
    const clock = "clock of the database"
    const observed = (checks: ReadonlyArray<Doctor.Check>) => checks.find(({ name }) => name === clock)?.text
    const right = yield* examine({ databaseAhead: 3 })
    assert.deepStrictEqual([right.found, observed(right.checks)], [[], "agrees with this machine's and the gateway's"])
    const wrong = yield* examine({ databaseAhead: 1_200_000 })
    assert.deepStrictEqual(wrong.found, [`${clock}: CLOCK_WRONG`])
    assert.strictEqual(observed(wrong.checks), "1200 s ahead of this machine's and 1200 s ahead of the gateway's")
    assert.isTrue(Doctor.isWell(wrong.checks))
    assert.isUndefined(observed((yield* examine()).checks))
  })

  it.live("warns of a clock that is off by seconds", function* () {
    const { checks, found } = yield* examine({ clockMillis: 20_000 })
    assert.deepStrictEqual(found, ["clock: CLOCK_SKEW"])
    assert.match(checks.find(({ name }) => name === "clock")!.text, /^(19|20) s behind the gateway's$/)
    assert.isTrue(Doctor.isWell(checks))
  })

  it.live(
    "warns of unsigned requests and of an ending subscription, and still reports a healthy account",
    function* () {
      const { found: unsigned } = yield* examine({ secret: null, signatures: "unwanted" })
      assert.deepStrictEqual(unsigned, ["secret: REQUESTS_UNSIGNED"])
      const tomorrow = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 5 })).slice(0, 19)
      const { checks, found } = yield* examine({ device: { subscription: { expiresOn: tomorrow } } })
      assert.deepStrictEqual(found, ["subscription: SUBSCRIPTION_ENDS"])
      assert.isTrue(Doctor.isWell(checks))
    }
  )

  it.live("shows permissions with their end dates", function* () {
    const { checks, found } = yield* examine({
      device: {
        allowCsvUpload: true,
        expireCsvUpload: "2099-01-01T00:00:00",
        allowCreditNoteWithNoInvoice: true,
        expireCreditNoteWithNoInvoice: "2020-01-01T00:00:00"
      }
    })
    assert.strictEqual(
      checks.find(({ name }) => name === "permissions")?.text,
      "back-dated uploads: yes, until 2099-01-01T00:00; credit notes without an invoice: ended 2020-01-01T00:00"
    )
    assert.deepStrictEqual(found, ["permissions: PERMISSION_ENDS"])
    assert.isTrue(Doctor.isWell(checks))
    const soon = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 5 })).slice(0, 19)
    const ending = yield* examine({ device: { allowCsvUpload: true, expireCsvUpload: soon } })
    assert.deepStrictEqual(ending.found, ["permissions: PERMISSION_ENDS"])
    const { found: past } = yield* examine({ device: { expireCsvUpload: "2020-01-01T00:00:00" } })
    assert.deepStrictEqual(past, [])
  })

  it.live("reports skipped checks with the reasons", function* () {
    const notAsked = ({ checks }: { readonly checks: ReadonlyArray<Doctor.Check> }) =>
      checks.flatMap(({ name, state, text }) => (state === "not-asked" ? [`${name} ${text}`] : []))
    assert.deepStrictEqual(notAsked(yield* examine({ without: "book" })), [
      "mappings not asked: no mapping book was named that says what they must be"
    ])
    const { calls, ...refused } = yield* examine({ key: "other" })
    assert.deepStrictEqual(notAsked(refused), [
      ...["secret", "device", "subscription", "permissions", "facts", "mappings", "last fiscal day", "answers"].map(
        (name) => `${name} not asked: the key comes first`
      ),
      "environment not asked: the device comes first"
    ])
    assert.deepStrictEqual(
      calls.map(({ operation }) => operation).filter((operation) => operation !== null),
      ["profile"]
    )
    assert.include(notAsked(yield* examine({ device: "none" })), "environment not asked: the device comes first")
  })
})

describe("the difference between two clocks", () => {
  it("is zero if the header's whole seconds and the travel time can explain it", () => {
    assert.strictEqual(difference(10_000, 10_050, 10_000), 0)
    assert.strictEqual(difference(10_980, 11_020, 10_000), 0)
    assert.strictEqual(difference(9_500, 10_400, 10_000), 0)
  })

  it("is at least the part that the header and the travel time cannot explain", () => {
    assert.strictEqual(difference(15_000, 15_100, 10_000), 4001)
    assert.strictEqual(difference(5_000, 5_100, 10_000), -4900)
  })
})

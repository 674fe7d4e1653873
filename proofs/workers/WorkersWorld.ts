/**
 * World of the workers: PostgreSQL, a gateway with a device per account, and the gateway's times of
 * each request.
 */
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import * as PgStore from "../../packages/core/src/node/PgStore.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../packages/core/src/submission/SubmissionStore.ts"
import * as OpenAccount from "../../packages/core/src/account/OpenAccount.ts"
import { invoice } from "../../packages/core/test/submission/PlannedDocuments.ts"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Option, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setup } from "../../packages/core/test/postgres/Server.ts"
import * as ConfigAccount from "../../packages/cli/src/account/ConfigAccount.ts"

/** One submission with the gateway's times of arrival and answer. */
export interface Request {
  readonly account: string
  readonly document: string
  readonly from: number
  to: number
}

export interface WorkersWorld {
  readonly sandbox: Sandbox.SandboxShape
  readonly folder: string
  readonly config: string
  readonly database: string
  readonly store: SubmissionStoreOperations
  readonly sql: PgClient.PgClient
  readonly requests: ReadonlyArray<Request>
}

export interface WorldOptions {
  readonly lanes: number
  /** Total number of documents. */
  readonly documents: number
  /** Time of the gateway for a submission, in milliseconds. */
  readonly millis: number
}

export const accountsOf = (lanes: number): ReadonlyArray<string> =>
  Array.from({ length: lanes }, (_, n) => `a${String(n + 1).padStart(2, "0")}`)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "workers-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/**
 * Address of the database: a separate server with durable writes, as in production, or the server
 * of the tests.
 */
const database = Effect.gen(function* () {
  if (process.env["FISCAL_TEST_POSTGRES"] === undefined) {
    yield* Effect.acquireRelease(
      Effect.promise(() => setup()),
      (stop) => Effect.promise(stop)
    )
    const sql = yield* client(process.env["FISCAL_TEST_POSTGRES"]!, "public")
    yield* sql`alter system set fsync = on`
    yield* sql`select pg_reload_conf()`
  }
  return process.env["FISCAL_TEST_POSTGRES"]!
})

const client = (url: string, schema: string) =>
  PgClient.make({ url: Redacted.make(url), maxConnections: 2, startupParameters: { search_path: schema } }).pipe(
    Effect.provide(Reactivity.layer)
  )

export const make = ({ documents, lanes, millis }: WorldOptions) =>
  Effect.gen(function* () {
    const names = accountsOf(lanes)
    const path = yield* folder
    const url = yield* database
    const schema = `workers_${randomBytes(4).toString("hex")}`
    const credentials = { secret: "workers-secret", application: "test", station: "test" }
    const sandbox = yield* Sandbox.make({
      processingDelayMillis: 20,
      accounts: names.map((name, n) => ({
        name,
        key: `${name}-key`,
        device: 1001 + n,
        ...credentials,
        taxMappings: [{ taxCode: "EXEMPT", destinationTaxId: 3 }],
        currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
      })),
      devices: names.map((_, n) => ({
        deviceId: 1001 + n,
        serialNo: `SBX-${1001 + n}`,
        taxes: [{ taxId: 3, taxName: "Exempt" }],
        supportedCurrencies: ["USD"]
      }))
    })
    yield* sandbox.control.addFault({ kind: "latency", millis, operations: ["submitInvoice"] })
    const requests: Array<Request> = []
    yield* sandbox.watch((observed) => {
      if (observed._tag !== "Asked" || observed.call.operation !== "submitInvoice") return
      const { account, at, documents } = observed.call
      requests.push({ account: account ?? "", document: documents[0] ?? "", from: at, to: Date.now() })
    })
    const write = (name: string, text: string) => {
      writeFileSync(join(path, name), text, { mode: 0o600 })
      return join(path, name)
    }
    write("secret", credentials.secret)
    for (const name of names) write(`${name}.key`, `${name}-key`)
    const account = (name: string) => ({
      baseUrl: sandbox.url,
      application: "test",
      station: "test",
      keyFile: `${name}.key`,
      secretFile: "secret",
      assumptions: { "STAT-7": 1 }
    })
    const place = new URL(url)
    const passwordFile = "password"
    write(passwordFile, decodeURIComponent(place.password))
    place.password = ""
    const config = write(
      "accounts.json",
      JSON.stringify({
        store: { url: place.href, passwordFile, schema },
        accounts: Object.fromEntries(names.map((name) => [name, account(name)]))
      })
    )
    const opened = yield* Layer.build(PgStore.layer({ url: Redacted.make(url), schema }))
    const store = yield* Effect.provide(SubmissionStore, opened)
    yield* Effect.provideService(plan(config, names, Math.floor(documents / lanes)), SubmissionStore, store)
    const world: WorkersWorld = {
      sandbox,
      folder: path,
      config,
      database: url,
      store,
      sql: yield* client(url, schema),
      requests
    }
    return world
  })

/** Plans the same number of invoices for each account, in the order of their numbers. */
const plan = (config: string, names: ReadonlyArray<string>, each: number) =>
  Effect.gen(function* () {
    const { accounts } = yield* ConfigAccount.chooseAll(config, Option.none())
    const store = yield* SubmissionStore
    for (const name of names) {
      const { destination } = yield* OpenAccount.open(accounts.find(({ account }) => account === name)!)
      const documents = Array.from({ length: each }, (_, n) =>
        invoice(`${name}-${String(n + 1).padStart(4, "0")}`, destination)
      )
      yield* store.plan(documents)
    }
  }).pipe(Effect.scoped)

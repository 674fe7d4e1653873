/**
 * Proves that a run reports the problem and sends nothing twice if its database goes away, is full,
 * is read-only, or is replaced by an older copy.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "../../../core/test/It.ts"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { launch } from "../../../core/test/postgres/OwnServer.ts"
import { connector, folderWith, gatewayFor, lines, type RunOptions } from "../RunningConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]
const importAll = ["import", "csv", "historical-invoices.csv", "--config", "account.json", "--json"]

/** Sets up a separate server, a slow gateway, and a folder with a configuration for both. */
const arranged = Effect.fnUntraced(function* (...settings: ReadonlyArray<string>) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => launch(...settings)),
    ({ close }) => Effect.promise(close)
  )
  const folder = yield* folderWith(...files)
  const sandbox = yield* gatewayFor(folder, {
    gateway: { faults: [{ kind: "latency", millis: 100, stage: "before", operations: ["submitInvoice"] }] }
  })
  const address = new URL(server.url)
  address.password = ""
  const file = join(folder, "account.json")
  const configuration = JSON.parse(readFileSync(file, "utf8")) as object
  writeFileSync(file, JSON.stringify({ ...configuration, store: address.href }))
  const run = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
    connector(args, { cwd: folder, env: { FISCAL_CONNECTOR_STORE_PASSWORD: server.password }, ...options })
  const sql = (...statements: ReadonlyArray<string>) =>
    Effect.forEach(statements, (statement) => PgClient.PgClient.use((sql) => sql.unsafe(statement))).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(server.url), maxConnections: 1 })),
      Effect.orDie
    )
  /** Documents accepted more than once, and the number of accepted documents. */
  const twice = Effect.map(sandbox.control.accepted, (all) => all.filter(({ accepted }) => accepted > 1))
  const taken = Effect.map(sandbox.control.accepted, (all) => all.length)
  return { run, server, sql, taken, twice, folder }
})

/** Returns the documents of the store, grouped by state. */
const settled = (run: (args: ReadonlyArray<string>) => Effect.Effect<{ readonly out: string }>) =>
  Effect.map(run(["list", "--json", "--config", "account.json"]), ({ out }) =>
    Map.groupBy(lines(out), ({ state }) => String(state))
  )

describe("a run with a database that", () => {
  it.live("is away for half a minute loses nothing, sends nothing twice, and prints the next step", function* () {
    const { run, server, taken, twice } = yield* arranged()
    const running = yield* Effect.forkChild(run(importAll))
    yield* Effect.repeat(Effect.delay(taken, "50 millis"), { until: (n) => n >= 5 })
    yield* Effect.promise(server.stop)
    const before = yield* taken
    const away = yield* Effect.andThen(Effect.sleep("30 seconds"), taken)
    // Only the request in flight at that moment may have arrived.
    assert.isAtMost(away - before, 1)
    yield* Effect.promise(server.start)
    const first = yield* Fiber.join(running)
    assert.notInclude(first.err, "    at ")
    assert.include([0, 3], first.code, first.err)
    if (first.code === 3)
      assert.match(first.err, /Some documents may be on their way\.\n  connector health .*\n  connector resume /)
    yield* run(["resume", "--config", "account.json"])
    const states = yield* settled(run)
    assert.deepStrictEqual(yield* twice, [])
    // An answer that could not be recorded in time needs an operator, and its lane waits.
    const unknown = states.get("Unknown")?.length ?? 0
    assert.isAtMost(unknown, 1)
    if (unknown === 0) assert.strictEqual(states.get("Fiscalised")?.length, 46, first.err)
    assert.strictEqual([...states.values()].flat().length, 46)
  })

  it.live("has no free connection says so, and sends nothing", function* () {
    const { run, server, taken } = yield* arranged("max_connections=5", "superuser_reserved_connections=0")
    const holding = PgClient.PgClient.use((sql) =>
      Effect.forEach(Array.from({ length: 5 }), () => sql.reserve, { concurrency: "unbounded" })
    ).pipe(
      Effect.andThen(run(importAll)),
      Effect.scoped,
      Effect.provide(PgClient.layer({ url: Redacted.make(server.url), maxConnections: 5 }))
    )
    const refused = yield* holding
    assert.strictEqual(refused.code, 1)
    assert.include(refused.err, "too many clients already")
    assert.notInclude(refused.err, "    at ")
    assert.strictEqual(yield* taken, 0)
    // The server ends the sessions a moment after their clients.
    const alone = PgClient.PgClient.use(
      (sql) => sql<{ readonly n: number }>`select count(*)::int as n from pg_stat_activity
        where backend_type = 'client backend'`
    ).pipe(
      Effect.filterOrFail(([sessions]) => sessions!.n === 1),
      Effect.provide(PgClient.layer({ url: Redacted.make(server.url), maxConnections: 1 }))
    )
    yield* Effect.retry(alone, Schedule.spaced("100 millis"))
    assert.strictEqual((yield* run(importAll)).code, 0)
  })

  it.live("becomes read-only says so, and sends nothing until it is writable", function* () {
    const { run, sql, taken, twice } = yield* arranged()
    const running = yield* Effect.forkChild(run(importAll))
    yield* Effect.repeat(Effect.delay(taken, "50 millis"), { until: (n) => n >= 5 })
    yield* sql("alter system set default_transaction_read_only = on", "select pg_reload_conf()")
    const first = yield* Fiber.join(running)
    assert.strictEqual(first.code, 3)
    assert.include(first.err, "read-only")
    assert.notInclude(first.err, "    at ")
    const before = yield* taken
    const again = yield* run(["resume", "--config", "account.json"])
    assert.strictEqual(again.code, 1)
    assert.include(again.err, "read-only")
    // Reading still works.
    assert.include((yield* run(["health", "--config", "account.json"])).out, "Accepted")
    assert.strictEqual(yield* taken, before)
    yield* sql("alter system reset default_transaction_read_only", "select pg_reload_conf()")
    yield* Effect.sleep("1 second")
    yield* run(["resume", "--config", "account.json"])
    assert.deepStrictEqual(yield* twice, [])
    const states = yield* settled(run)
    // The answer that could not be recorded needs an operator, and its lane waits.
    assert.isAtMost(states.get("Unknown")?.length ?? 0, 1)
    assert.strictEqual([...states.values()].flat().length, 46)
  })

  it.live("is replaced by an older copy says so, and sends nothing", function* () {
    const { run, server, taken, twice } = yield* arranged()
    const begun = yield* run(importAll, {
      env: { FISCAL_CONNECTOR_STORE_PASSWORD: server.password },
      watch: (printed, { interrupt }) => {
        if (/[1-9]\d* of 46/.test(printed)) interrupt()
      }
    })
    assert.include(begun.err, "Interrupted")
    assert.isBelow(yield* taken, 46)
    yield* Effect.promise(server.stop)
    server.keep("before")
    yield* Effect.promise(server.start)
    assert.strictEqual((yield* run(["resume", "--config", "account.json"])).code, 0)
    const sent = yield* taken
    assert.strictEqual(sent, 46)
    yield* Effect.promise(server.stop)
    server.restore("before")
    yield* Effect.promise(server.start)
    const older = yield* run(importAll)
    assert.strictEqual(older.code, 1)
    assert.include(older.err, "STORE_OLDER")
    assert.strictEqual(yield* taken, sent)
    assert.deepStrictEqual(yield* twice, [])
  })
})

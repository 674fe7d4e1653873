import { assert, describe, it } from "../It.ts"
import { Clock, Context, Duration, Effect, Layer, Option, Queue, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type AddressInfo, createServer } from "node:net"
import { networkInterfaces } from "node:os"
import * as PgStore from "../../src/node/PgStore.ts"
import { migrations as all } from "../../src/store/database/migrations/Steps.ts"
import { storeError } from "../../src/submission/ledger/StoreError.ts"
import * as StorePlace from "../../src/submission/StorePlace.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { suite } from "../store/StoreConformance.ts"
import { reportsClashes } from "../store/ClashingStore.ts"
import { beside, fresh, isOurs } from "./Database.ts"

describe("a store in PostgreSQL", () => {
  for (const { check, name } of suite) {
    it.live(name, () => {
      const config = fresh()
      return check(Layer.fresh(PgStore.layer(config)))
    })
  }
})

const opened = (config: PgStore.PgConfig) => Layer.fresh(PgStore.layer(config))
const identity = (config: PgStore.PgConfig) =>
  SubmissionStore.use(({ identity }) => identity).pipe(Effect.provide(opened(config)))
const planned = (config: PgStore.PgConfig, id: string) =>
  SubmissionStore.use((store) => store.plan([invoice(id)])).pipe(Effect.provide(opened(config)))

describe("a schema in PostgreSQL", () => {
  it.live("is created once by many simultaneous processes, as one store", function* () {
    const config = { ...fresh(), connections: 2 }
    const found = yield* Effect.forEach(Array.from({ length: 12 }), () => identity(config), {
      concurrency: "unbounded"
    })
    assert.lengthOf(new Set(found.map(({ id }) => id)), 1)
    const migrations = yield* beside(config.schema, (sql) => sql`select migration_id from fiscal_migrations`)
    assert.lengthOf(migrations, Object.keys(all).length)
  })

  it.live("is refused and not changed if a newer version wrote it", function* () {
    const config = fresh()
    yield* planned(config, "i1")
    yield* beside(
      config.schema,
      (sql) => sql`insert into fiscal_migrations (migration_id, name) values (999, 'of_the_future')`
    )
    const error = yield* Effect.flip(planned(config, "i2"))
    assert.strictEqual(error.reason, "newer-version")
    assert.include(error.message, "schema 999")
  })

  it.live("of an earlier version is upgraded with its clashes of proofs, and reports them", function* () {
    const { schema } = fresh()
    yield* beside(schema, (sql) => sql`create schema ${sql(schema)}`)
    yield* beside(schema, (sql) => Effect.provideService(reportsClashes, SqlClient.SqlClient, sql))
  })

  it.live("accepts no attempt from a program of another version", function* () {
    const config = fresh()
    yield* planned(config, "i1")
    const said = yield* beside(config.schema, (sql) =>
      Effect.flip(
        sql`insert into fiscal_attempt (submission, revision, account, lane, fence, receipt_at, receipt_text, repeats, begun_at)
            select seq, revision, account, lane, 1, receipt_at, receipt_text, 'first', since from fiscal_submission`
      )
    )
    assert.include(storeError("begin")(said as SqlError).text, "newer version of this program")
  })

  it.live("is not changed if it belongs to another program", function* () {
    const config = fresh()
    yield* beside("public", (sql) =>
      Effect.andThen(
        sql`create schema ${sql(config.schema)}`,
        sql.unsafe(`create table ${config.schema}.song (title text)`)
      )
    )
    for (const layer of [PgStore.layer(config), PgStore.layerReading(config)]) {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.fresh(layer))))
      assert.strictEqual(error.reason, "foreign")
    }
    const tables = yield* beside(
      config.schema,
      (sql) => sql`select tablename from pg_tables where schemaname = ${config.schema}`
    )
    assert.deepStrictEqual([...tables], [{ tablename: "song" }])
  })

  const program = "language plpgsql as $$ begin return null; end $$"
  for (const [what, statements] of [
    [
      "a trigger",
      [
        `create function quiet() returns trigger ${program}`,
        "create trigger quiet before insert on fiscal_attempt for each row execute function quiet()"
      ]
    ],
    [
      "another program in our own trigger",
      [`create or replace function fiscal_refuse_attempt() returns trigger ${program}`]
    ],
    [
      "a view in the place of a table",
      ["alter table fiscal_conflict rename to conflicts", "create view fiscal_conflict as select * from conflicts"]
    ],
    ["a rule", ["create rule quiet as on insert to fiscal_event do instead nothing"]],
    ["row security, which hides rows", ["alter table fiscal_attempt enable row level security"]]
  ] as const) {
    it.live(`is refused as foreign if the store has ${what}`, function* () {
      const config = fresh()
      yield* planned(config, "i1")
      yield* identity(config)
      yield* beside(config.schema, (sql) =>
        Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
      )
      for (const layer of [PgStore.layer(config), PgStore.layerReading(config)]) {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.fresh(layer))))
        assert.strictEqual(error.reason, "foreign")
        assert.include(error.message, "that no version of this program makes")
      }
    })
  }

  it.live("reports that it may lose commits, and the responsible setting", function* () {
    const config = fresh()
    const address = new URL(Redacted.value(config.url))
    address.searchParams.set("options", "-c synchronous_commit=off")
    const { durability } = yield* SubmissionStore.use((store) => Effect.all({ durability: store.durability })).pipe(
      Effect.provide(opened({ ...config, url: Redacted.make(address.href) }))
    )
    assert(durability._tag === "MayLose")
    assert.include(durability.text, "synchronous_commit is off")
    // The run's own server is fast because it may lose everything; a given server keeps its
    // settings.
    if (isOurs()) assert.include(durability.text, "fsync is off")
  })

  it.live("is neither created nor changed by a read-only command", function* () {
    const config = fresh()
    const looking = Layer.fresh(PgStore.layerReading(config))
    assert.include((yield* Effect.flip(Effect.scoped(Layer.build(looking)))).message, "there is no store yet")
    yield* planned(config, "i1")
    const { listed, refused } = yield* SubmissionStore.use((store) =>
      Effect.all({ listed: store.list({}), refused: Effect.flip(store.plan([invoice("i2")])) })
    ).pipe(Effect.provide(looking))
    assert.deepStrictEqual(
      listed.map(({ id, state }) => `${id} ${state}`),
      ["i1 Planned"]
    )
    assert.include(refused.message, "read-only")
  })

  it.live("grants leases by the time of the database, whatever the clock of the machine shows", function* () {
    const config = fresh()
    const claim = (holder: string) =>
      SubmissionStore.use((store) => store.claim("test/1001", holder, Duration.minutes(2), () => false)).pipe(
        Effect.provide(opened(config))
      )
    assert.strictEqual((yield* claim("a"))._tag, "Claimed")
    // This machine's clock is an hour ahead.
    const live = Clock.Clock.defaultValue()
    const ahead = Object.assign(Object.create(live) as Clock.Clock, {
      currentTimeMillis: Effect.map(live.currentTimeMillis, (now) => now + 3_600_000),
      currentTimeMillisUnsafe: () => live.currentTimeMillisUnsafe() + 3_600_000
    })
    const other = yield* Effect.provideService(claim("b"), Clock.Clock, ahead)
    assert.strictEqual(other._tag, "Busy")
  })
})

describe("the notification of planned documents between processes", () => {
  const store = (config: PgStore.PgConfig) => Effect.map(Layer.build(opened(config)), Context.get(SubmissionStore))
  const woken = <A>(wakes: Queue.Dequeue<A>) => Queue.take(wakes)
  const quiet = <A>(wakes: Queue.Dequeue<A>) => Effect.timeoutOption(Queue.take(wakes), "300 millis")

  it.live("wakes waiting processes of the same schema only, also after a lost connection", function* () {
    const config = fresh()
    const [here, there, other] = [yield* store(config), yield* store(config), yield* store(fresh())]
    const wakes = yield* here.planned
    // Waits until it listens.
    yield* woken(wakes)
    yield* other.plan([invoice("i1")])
    assert.isTrue(Option.isNone(yield* quiet(wakes)))
    yield* there.plan([invoice("i1")])
    yield* woken(wakes)
    yield* there.plan([invoice("i1")])
    assert.isTrue(Option.isNone(yield* quiet(wakes)), "nothing was changed")
    yield* beside(
      config.schema,
      (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`
    )
    yield* woken(wakes)
    yield* there.plan([invoice("i2")])
    yield* woken(wakes)
  })
})

describe("a database on another machine", () => {
  it("is every database except on a loopback name or on a socket of this machine", () => {
    const at = (host: string) => new URL(`postgres://me@x/db?host=${encodeURIComponent(host)}`)
    const here = ["localhost", "127.0.0.1", "127.9.9.9", "::1", "/var/run/postgresql"]
    const there = ["db.example", "10.0.0.1", "127.0.0.1.example", "localhost.example", "::2", ""]
    assert.deepStrictEqual(
      here.filter((host) => StorePlace.isThisMachine(at(host))),
      here
    )
    assert.deepStrictEqual(
      there.filter((host) => StorePlace.isThisMachine(at(host))),
      []
    )
    assert.isTrue(StorePlace.isThisMachine(new URL("postgres://me@[::1]:5432/db")))
    assert.isFalse(StorePlace.isThisMachine(new URL("postgres://127.0.0.1@db.example/db")))
  })

  it.live("receives no password and no statement without a valid certificate", function* () {
    const heard: Array<Buffer> = []
    const server = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.on("data", (data) => {
        heard.push(data)
        // The server refuses TLS.
        socket.write("N")
      })
    })
    yield* Effect.callback<void>((resume) => void server.listen(0, "0.0.0.0", () => resume(Effect.void)))
    const { port } = server.address() as AddressInfo
    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === "IPv4" && !one.internal)?.address
    assert.isDefined(address, "this machine has no address but loopback")
    const url = Redacted.make(`postgres://me:secret@${address}:${port}/x?sslmode=disable`)
    const error = yield* Effect.flip(identity({ url }))
    server.close()
    assert.strictEqual(error.reason, "unavailable")
    assert.notInclude(error.message, "secret")
    assert.isAbove(heard.length, 0)
    // Each connection received the request for TLS, eight bytes, and nothing after the refusal.
    assert.isTrue(heard.every((data) => data.length === 8))
  })
})

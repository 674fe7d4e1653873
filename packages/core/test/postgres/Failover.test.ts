/**
 * A separate PostgreSQL with a streaming standby, which is promoted at the address of the primary.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "../It.ts"
import { Effect, Layer, Redacted, Schedule } from "effect"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import * as PgStore from "../../src/node/PgStore.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { plan } from "../sending/Engine.ts"
import { make } from "../sending/ScriptedGateway.ts"
import { launch } from "./OwnServer.ts"

/** Returns one value from a server. */
const asked = (url: string, query: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql.unsafe<{ readonly value: unknown }>(query)
    return String(row?.value)
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })))

const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.retry(
    Effect.filterOrFail(condition, (holds) => holds),
    Schedule.spaced("100 millis")
  )

// slow: two servers, one of which is copied, stopped and promoted
describe("a failover without data loss", () => {
  it.live("lets the process continue on the timeline of the promoted standby", function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => launch()),
      ({ close }) => Effect.promise(close)
    )
    yield* Effect.promise(server.stop)
    const standby = yield* Effect.promise(server.standby)
    const gateway = make()
    const process = Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
      Layer.provideMerge(PgStore.layer({ url: Redacted.make(server.url), schema: "fiscal", connections: 4 }))
    )
    yield* Effect.gen(function* () {
      const store = yield* SubmissionStore
      const drained = (account: OpenAccount.OpenAccount) =>
        Submitter.Submitter.use((submitter) => submitter.drain([account]))
      const account = yield* OpenAccount.open(gateway.account())
      yield* plan(invoice("i1"))
      yield* drained(account)
      yield* plan(invoice("i2"))
      const [before] = (yield* store.compareMarks({ accepted: null, newest: [] })).place!.is.split("/").slice(1)
      assert.strictEqual(before, "00000001")

      const written = yield* asked(server.url, "select pg_current_wal_lsn()::text as value")
      yield* until(
        Effect.map(
          asked(standby.url, `select pg_last_wal_replay_lsn() >= '${written}' as value`),
          (is) => is === "true"
        )
      )
      yield* Effect.promise(server.stop)
      yield* Effect.promise(standby.takeOver)
      yield* until(Effect.map(asked(server.url, "select pg_is_in_recovery() as value"), (is) => is === "true"))
      yield* asked(server.url, "select pg_promote() as value")
      yield* until(Effect.map(asked(server.url, "select pg_is_in_recovery() as value"), (is) => is === "false"))

      // No connection was used meanwhile: the next attempt finds a restarted server, and first
      // renews the permission.
      yield* until(Effect.map(drained(account), () => gateway.submitted.length === 2))
      assert.isNull((yield* store.lanes())[0]!.stop)
      const { place } = yield* store.compareMarks({ accepted: null, newest: [] })
      assert.strictEqual(place!.is.split("/")[1], "00000002")
      assert.strictEqual(place!.provenAs, place!.is)
      assert.isNull((yield* store.lanes())[0]!.stop)
    }).pipe(Effect.provide(process))
  })
})

describe("a user without permission to read the identifier of the database", () => {
  it.live("gets a warning, and still sends", function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => launch()),
      ({ close }) => Effect.promise(close)
    )
    for (const statement of [
      "create role plain login password 'plain'",
      "create schema fiscal authorization plain",
      "revoke execute on function pg_control_system() from public"
    ])
      yield* asked(server.url, statement)
    const url = new URL(server.url)
    url.username = "plain"
    url.password = "plain"
    const gateway = make()
    const process = Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
      Layer.provideMerge(PgStore.layer({ url: Redacted.make(url.href), schema: "fiscal", connections: 4 }))
    )
    yield* Effect.gen(function* () {
      const account = yield* OpenAccount.open(gateway.account())
      assert.include(
        account.warnings.map(({ code }) => code),
        "STORE_PLACE_UNREAD"
      )
      yield* plan(invoice("i1"))
      yield* Submitter.Submitter.use((submitter) => submitter.drain([account]))
      assert.strictEqual(gateway.submitted.length, 1)
    }).pipe(Effect.provide(process))
  })
})

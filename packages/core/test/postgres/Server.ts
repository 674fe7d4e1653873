/**
 * PostgreSQL for the tests of one run: `DATABASE_URL` if given, else a separate server in a
 * temporary folder. In both cases, a separate database that is removed at the end.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import * as LeakingTables from "./LeakingTables.ts"
import { launch } from "./OwnServer.ts"

const client = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

const execute = (url: string, ...statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    for (const statement of statements) yield* sql.unsafe(statement)
  }).pipe(Effect.provide(client(url)), Effect.runPromise)

const start = async () => {
  const { close, url } = await launch("max_connections=200")
  // These tests need not survive a power cut; the test of durability has its own settings.
  await execute(url, "alter system set fsync = off", "select pg_reload_conf()")
  return { url, stop: close }
}

export const setup = async () => {
  const given = process.env["DATABASE_URL"]
  const { stop, url } = given === undefined ? await start() : { url: given, stop: () => Promise.resolve() }
  const name = `fiscal_test_${randomBytes(6).toString("hex")}`
  await execute(url, `create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  process.env["FISCAL_TEST_POSTGRES"] = own.href
  process.env["FISCAL_TEST_POSTGRES_SERVER"] = given === undefined ? "ours" : "given"
  return async () => {
    // A later caller starts another server.
    delete process.env["FISCAL_TEST_POSTGRES"]
    delete process.env["FISCAL_TEST_POSTGRES_SERVER"]
    try {
      await Effect.runPromise(Effect.provide(Effect.flatMap(PgClient.PgClient, LeakingTables.look), client(own.href)))
    } finally {
      // A separate server is removed with all its content.
      if (given !== undefined) await execute(url, `drop database ${name} with (force)`)
      await stop()
    }
    LeakingTables.fail()
  }
}

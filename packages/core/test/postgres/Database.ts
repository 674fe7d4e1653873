/** Database of this test run (Server.ts), with a separate schema for each store. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import type { PgConfig } from "../../src/node/PgStore.ts"

export const url = (): Redacted.Redacted => {
  const url = process.env["FISCAL_TEST_POSTGRES"]
  if (url === undefined) throw new Error("these tests run with: pnpm test:postgres")
  return Redacted.make(url)
}

/** Returns true if the server belongs to this run, and its settings may be changed. */
export const isOurs = (): boolean => process.env["FISCAL_TEST_POSTGRES_SERVER"] === "ours"

/** Returns the configuration of a new store. */
export const fresh = (): PgConfig & { readonly schema: string } => ({
  url: url(),
  schema: `fiscal_${randomBytes(6).toString("hex")}`,
  connections: 4
})

/** Runs statements in the schema, outside the store. */
export const beside = <A>(schema: string, use: (sql: PgClient.PgClient) => Effect.Effect<A, unknown>) =>
  Effect.flatMap(PgClient.PgClient, use).pipe(
    Effect.provide(PgClient.layer({ url: url(), maxConnections: 1, startupParameters: { search_path: schema } })),
    Effect.orDie
  )

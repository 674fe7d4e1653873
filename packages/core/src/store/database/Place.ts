/**
 * The store's identity, for first-use codes and for detecting an older copy; its database, for
 * detecting a failover; whether a commit survives a crash.
 */
import { Context, Effect, Random } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { MarkComparison } from "../../submission/ledger/NewestAttempt.ts"
import type { Durability, StoreIdentity, WholeStoreOperations } from "../../submission/SubmissionStore.ts"
import { type Integer, number } from "../rows/Rows.ts"
import type { Queries } from "./Statements.ts"
import * as StoreStops from "./StoreStops.ts"
import type { Database, Transaction } from "./Transaction.ts"

export const newId = Effect.map(Effect.replicateEffect(Random.nextIntBetween(0, 15), 16), (digits) =>
  digits.map((n) => n.toString(16)).join("")
)

/**
 * Id of a store that is created next. The page shows the first-use code of a store before the store
 * exists. Default: a random id.
 */
export const NextStoreId = Context.Reference<Effect.Effect<string>>("@fiscal-connector/core/store/NextStoreId", {
  defaultValue: () => newId
})

export const ensure = ({ now, sql }: Transaction, id: string) =>
  Effect.asVoid(sql`insert into fiscal_store ${sql.insert({ one: 1, id, made_at: now })} on conflict (one) do nothing`)

export const identity = (sql: Queries): Effect.Effect<StoreIdentity, SqlError> =>
  Effect.gen(function* () {
    const [store] = yield* sql<{ readonly id: string }>`select id from fiscal_store`
    const [attempts] = yield* sql<{ readonly n: Integer | null }>`select max(id) as n from fiscal_attempt`
    return { id: store?.id ?? "", attempts: number(attempts?.n ?? 0) }
  })

/**
 * Reads the database of the store: system identifier and timeline of PostgreSQL. A failover changes
 * the timeline. Returns `unread` if this user lacks the privilege or the server is a standby, and
 * null for a file.
 */
export const read = (sql: SqlClient): Effect.Effect<MarkComparison["place"], SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        const [store] = yield* sql<{ readonly proven_as: string | null }>`select proven_as from fiscal_store`
        const asked = sql<{ readonly place: string }>`select
          (select system_identifier from pg_control_system())::text || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as place`
        const is = yield* Effect.match(asked, {
          onFailure: () => "unread",
          onSuccess: ([row]) => row?.place ?? "unread"
        })
        return { is, provenAs: store?.proven_as ?? null }
      }),
    orElse: () => Effect.succeed(null)
  })

/** Own changes of SQLite's connection are no change of its `data_version`. */
const version = (sql: SqlClient) =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql<{ readonly version: string }>`select pg_current_snapshot()::text as version`,
      orElse: () =>
        sql<{
          readonly version: string
        }>`select data_version || '/' || total_changes() as version from pragma_data_version`
    }),
    ([row]) => row!.version
  )

export const make = ({ heard, interruptions, read: reads, readAt, time, tryWrite, write, writeFailure }: Database) => {
  const compare = readAt("compare clocks", ({ hostNow, now }) => Effect.succeed(time === "host" ? null : now - hostNow))
  return {
    identity: reads("identity", identity)(),
    // the count of a connection begins again with the next connection
    version: Effect.zipWith(reads("read its version", version)(), interruptions, (version, n) => `${version}/${n}`),
    stopUnproven: write("stop an unproven store", (transaction, text, provenAs) =>
      Effect.gen(function* () {
        // a process may have proven meanwhile that the store is complete
        const same = yield* transaction.sql`select 1 from fiscal_store where proven_as = ${provenAs}`
        if (same.length > 0 && transaction.stop === null) yield* StoreStops.write(transaction, { is: "unproven", text })
      })
    ),
    proven: write("note its database", (transaction, place) =>
      Effect.gen(function* () {
        if (place !== null) yield* transaction.sql`update fiscal_store set proven_as = ${place}`
        if (transaction.stop?.is === "unproven") yield* StoreStops.clear(transaction)
      })
    ),
    compareClocks: (account, gateway) =>
      Effect.suspend(() => {
        if (gateway === null) heard.delete(account)
        else heard.set(account, gateway)
        return compare()
      }),
    interruptions,
    tryWrite,
    writeFailure,
    // PostgreSQL's settings may change at run time; SQLite's are checked when the file is opened
    durability: reads("look at its settings", (sql) =>
      sql.onDialectOrElse({
        pg: () =>
          Effect.map(
            sql<{ readonly name: string }>`select name from pg_settings
              where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`,
            (off): Durability =>
              off.length === 0
                ? { _tag: "Durable" }
                : { _tag: "MayLose", text: off.map(({ name }) => `${name} is off`).join(", ") }
          ),
        orElse: () => Effect.succeed<Durability>({ _tag: "Durable" })
      })
    )()
  } satisfies Partial<WholeStoreOperations>
}

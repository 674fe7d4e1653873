/**
 * Reads the database of the store: system identifier and timeline of PostgreSQL. A failover changes
 * the timeline.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { MarkComparison } from "../../submission/ledger/NewestAttempt.ts"
import * as StoreStops from "./StoreStops.ts"
import type { SqlEffect, Transaction } from "./Transaction.ts"

/**
 * Returns `unread` if this user lacks the privilege or the server is a standby, and null for a
 * file.
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

/** Records that the store is complete in this database, and clears an unproven store's stop. */
export const proven = (transaction: Transaction, place: string | null): SqlEffect<void> =>
  Effect.gen(function* () {
    if (place !== null) yield* transaction.sql`update fiscal_store set proven_as = ${place}`
    if (transaction.stop?.is === "unproven") yield* StoreStops.clear(transaction)
  })

/** Stops the store, unless a process has proven meanwhile that the store is complete. */
export const stopUnproven = (transaction: Transaction, because: string, provenAs: string | null): SqlEffect<void> =>
  Effect.gen(function* () {
    const same = yield* transaction.sql`select 1 from fiscal_store where proven_as = ${provenAs}`
    if (same.length > 0 && transaction.stop === null) yield* StoreStops.write(transaction, { is: "unproven", because })
  })

/**
 * Acceptance of an older copy in `fiscal_store`: its number and its token, and the migration that
 * adds both.
 */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Acceptance } from "../../submission/ledger/NewestAttempt.ts"
import { type Integer, number } from "../rows/Rows.ts"
import type { Queries } from "./Statements.ts"

/** Reads the last acceptance. Null if there was none. */
export const readAcceptance = (sql: SqlClient.SqlClient | Queries): Effect.Effect<Acceptance | null, SqlError> =>
  Effect.map(
    sql<{ readonly accepted: Integer; readonly accepted_token: string | null }>`select accepted, accepted_token
      from fiscal_store`,
    ([row]) =>
      row === undefined || row.accepted_token === null
        ? null
        : { number: number(row.accepted), token: row.accepted_token }
  )

export const acceptances = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_store add column accepted bigint not null default 0`
  yield* sql`alter table fiscal_store add column accepted_token text`
  // the same value in every copy of the store, because an upgrade is not an acceptance
  yield* sql`update fiscal_store set accepted = 1, accepted_token = cast(accepted_at as text) where accepted_at is not null`
})

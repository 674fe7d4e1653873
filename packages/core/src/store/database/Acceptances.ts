/** Acceptance of an older copy in `fiscal_store`: its number and its token. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Acceptance } from "../../ledger/NewestAttempt.ts"
import { type Integer, number } from "../rows/Rows.ts"
import type { Queries } from "./Statements.ts"

/** Reads the last acceptance. Null if there was none. */
export const readAcceptance = (sql: SqlClient | Queries): Effect.Effect<Acceptance | null, SqlError> =>
  Effect.map(
    sql<{ readonly accepted: Integer; readonly accepted_token: string | null }>`select accepted, accepted_token
      from fiscal_store`,
    ([row]) =>
      row === undefined || row.accepted_token === null
        ? null
        : { number: number(row.accepted), token: row.accepted_token }
  )

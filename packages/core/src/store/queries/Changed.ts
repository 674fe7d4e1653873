/** Reads submissions in the order of their last change. */
import { type DateTime, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { ChangedSubmission, ChangeQuery } from "../../submission/SubmissionQuery.ts"
import { utc } from "../database/Transaction.ts"
import { type Integer, listed, type ListedRow, number, submission } from "../rows/Rows.ts"

interface ChangedRow extends ListedRow {
  readonly position: Integer
  readonly changed_at: Integer
}

/**
 * Maximum duration of a transaction in milliseconds. An event gets its number when written, but is
 * visible only after the commit.
 */
const longestTransaction = 60_000

export const changedAt = (sql: SqlClient, position: number): Effect.Effect<Option.Option<DateTime.Utc>, SqlError> =>
  Effect.map(sql<{ readonly at: Integer }>`select at from fiscal_event where id = ${position}`, ([event]) =>
    Option.map(Option.fromUndefinedOr(event), ({ at }) => utc(number(at)))
  )

export const changed = (
  sql: SqlClient,
  { accounts, after = 0, limit = 200, order = "oldest-first", since }: ChangeQuery,
  now: number
): Effect.Effect<ReadonlyArray<ChangedSubmission>, SqlError> =>
  Effect.map(
    sql<ChangedRow>`select listed.*, e.id as position, e.at as changed_at from fiscal_event e
      join (${listed(sql)}) listed on listed.seq = e.submission
      where ${sql.and([
        sql`e.id > ${after}`,
        ...(since === undefined ? [] : [sql`e.at >= ${since.epochMilliseconds}`]),
        sql`not exists (select 1 from fiscal_event later where later.submission = e.submission and later.id > e.id)`,
        ...(accounts === undefined ? [] : [sql.in("listed.account", accounts)])
      ])} order by e.id ${sql.literal(order === "newest-first" ? "desc" : "asc")} limit ${limit}`,
    (rows) =>
      rows.map((row) => ({
        submission: submission(row),
        position: number(row.position),
        at: utc(number(row.changed_at)),
        order: number(row.changed_at) < now - longestTransaction ? "final" : "recent"
      }))
  )

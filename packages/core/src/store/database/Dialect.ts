import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { channel } from "./Planned.ts"

export interface Dialect {
  readonly writers: "one" | "many"
  /**
   * Locks the read rows until the transaction ends. SQLite has one writer at a time anyway.
   *
   * Rows that refer to the locked rows may still be written: planning documents does not wait for
   * work on their lane.
   */
  readonly forUpdate: Fragment
  readonly forUpdateOfS: Fragment
  /**
   * Additional column that waits for other transactions with this text to end, so that the next
   * statement sees what they have written. Empty with one writer.
   */
  readonly alone: (text: string) => Fragment
  readonly skipLocked: Fragment
  readonly nextAttempt: Fragment
  /** Function that locks a number until the transaction ends. Null: one writer at a time. */
  readonly lock: Fragment | null
  /**
   * Database clock in milliseconds since the epoch. Advances during a transaction, unlike `now()`.
   */
  readonly clock: Fragment
  readonly started: Fragment
  /**
   * Notifies other processes about a plan after the commit. Null if the database has no
   * notifications.
   */
  readonly tell: Fragment | null
}

export const dialect = (sql: SqlClient): Dialect =>
  sql.onDialectOrElse({
    pg: (): Dialect => ({
      writers: "many",
      forUpdate: sql.literal("for no key update"),
      forUpdateOfS: sql.literal("for no key update of s"),
      alone: (text) => sql`, pg_advisory_xact_lock(hashtextextended(${text}, 13))::text as alone`,
      skipLocked: sql.literal("for no key update skip locked"),
      nextAttempt: sql.literal("nextval(pg_get_serial_sequence('fiscal_attempt', 'id'))"),
      lock: sql.literal("pg_advisory_xact_lock"),
      clock: sql.literal("floor(extract(epoch from clock_timestamp()) * 1000)::bigint"),
      started: sql.literal(", floor(extract(epoch from pg_postmaster_start_time()) * 1000)::bigint as started"),
      tell: sql.literal(`pg_notify('${channel}', current_schema())`)
    }),
    orElse: (): Dialect => ({
      writers: "one",
      forUpdate: sql.literal(""),
      forUpdateOfS: sql.literal(""),
      alone: () => sql.literal(""),
      skipLocked: sql.literal(""),
      // SQLite's own numbering, safe because SQLite has one writer at a time
      nextAttempt: sql.literal("(select coalesce(max(id), 0) + 1 from fiscal_attempt)"),
      lock: null,
      clock: sql.literal("cast(unixepoch('subsec') * 1000 as integer)"),
      started: sql.literal(""),
      tell: null
    })
  })

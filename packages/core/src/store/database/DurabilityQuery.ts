/**
 * Checks if a commit is on disk before it is confirmed. A lost record of a sent document would
 * cause a second sending.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Durability } from "../../submission/SubmissionStore.ts"

/**
 * Reads the durability. PostgreSQL's settings may change at run time; SQLite's are checked when the
 * file is opened.
 */
export const durability = (sql: SqlClient): Effect.Effect<Durability, SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql<{ readonly name: string }>`select name from pg_settings
          where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`,
        (off): Durability =>
          off.length === 0
            ? { _tag: "Durable" }
            : { _tag: "MayLose", because: off.map(({ name }) => `${name} is off`).join(", ") }
      ),
    orElse: () => Effect.succeed<Durability>({ _tag: "Durable" })
  })

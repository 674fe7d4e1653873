/** Whether a commit is on the disk before it is answered. What was sent must never be forgotten: it would be sent twice. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Durability } from "../../submission/SubmissionStore.ts"

/** PostgreSQL's settings may change while it runs; SQLite's are asserted when the file is opened. */
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

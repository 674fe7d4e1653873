/** Computes the end of quiet periods (ledger/QuietPeriod). */
import { Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as QuietPeriod from "../../ledger/QuietPeriod.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { openText } from "../rows/SettledSql.ts"
import type { Transaction } from "../database/Transaction.ts"

type Sql = { readonly sql: Pick<Transaction["sql"], "literal"> }

const standard = Duration.toMillis(QuietPeriod.standard)

/**
 * SQL condition for open attempts `a`, except attempts that an operator has overridden. A result
 * for
 * an operator-entered request id does not count, because the id may belong to another request.
 */
const counts = `a.hurried_at is null and (${openText} or (a.possibly_processed = 1 and a.named_by is not null))`

// the clock may have been set back during the request
const end = `case when a.finished_at > a.begun_at then a.finished_at else a.begun_at end + coalesce(a.quiet, ${standard})`

/** SQL for the end of the quiet period of attempt `a`. Null if the attempt does not count. */
export const until = ({ sql }: Sql): Fragment => sql.literal(`(case when ${counts} then ${end} end)`)

/**
 * Returns the store time until which the document must not be sent again, or null if that time is
 * past. After an operator accepted an older copy, requests missing in the copy may still be in
 * flight.
 */
export const quietUntil = (
  { now, sql }: { readonly now: number; readonly sql: SqlClient | Transaction["sql"] },
  seq: Integer
): Effect.Effect<number | null, SqlError> =>
  Effect.map(
    sql<{ readonly attempts: Integer | null; readonly accepted: Integer | null }>`select
      (select max(${until({ sql })}) from fiscal_attempt a where a.submission = ${seq}) as attempts,
      (select accepted_at + accepted_quiet from fiscal_store) as accepted`,
    ([row]) => {
      const latest = Math.max(number(row?.attempts ?? 0), number(row?.accepted ?? 0))
      return latest > now ? latest : null
    }
  )

/** Ends the quiet period of every attempt so far and records the time of the override. */
export const override = ({ now, sql }: Pick<Transaction, "sql" | "now">, seq: Integer) =>
  sql`update fiscal_attempt set hurried_at = ${now} where id in
    (select a.id from fiscal_attempt a where a.submission = ${seq} and ${until({ sql })} > ${now})`

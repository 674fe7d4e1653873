/** Computes the end of quiet periods (submission/ledger/QuietPeriod). */
import { Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Patience from "../../submission/ledger/Patience.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { openText } from "../rows/SettledSql.ts"
import * as Clocks from "../database/Clocks.ts"
import type { Transaction } from "../database/Transaction.ts"

type LiteralSql = { readonly sql: Pick<Transaction["sql"], "literal"> }

const standard = Duration.toMillis(Patience.quietPeriod.is)

/**
 * Open attempts `a`, except those that an operator has overridden. A result for an operator-entered
 * request id does not count, because the id may belong to another request.
 */
const counts = `a.hurried_at is null and (${openText} or (a.possibly_processed = 1 and a.named_by is not null))`

// the clock may have been set back during the request; another clock may have been ahead of it
const behind = "coalesce(a.behind, 0)"
const end = `case when a.finished_at is null then a.begun_at + ${behind}
  when a.finished_at + ${behind} > a.begun_at then a.finished_at + ${behind}
  else a.begun_at end + coalesce(a.quiet, ${standard})`

export interface Times {
  readonly quiet_end: Integer
  readonly quiet_millis: Integer
}

export const times = ({ sql }: LiteralSql): Fragment =>
  sql.literal(`${end} as quiet_end, coalesce(a.quiet, ${standard}) as quiet_millis`)

export const until = ({ sql }: LiteralSql): Fragment => sql.literal(`(case when ${counts} then ${end} end)`)

const isStated = `exists (select 1 from fiscal_statement t
  where t.account = a.account and t.request_id = a.request_id)`

/**
 * Time from which attempt `a` with a stated failure waits: from when the account can send again,
 * because the gateway may then send the request. An account that cannot send gives the earliest
 * time between both texts. Null if nothing is waited for.
 */
const untilAble = ({ sql }: LiteralSql): readonly [Fragment, Fragment] => [
  sql.literal("(select coalesce(c.able_since, "),
  sql.literal(`) + coalesce(a.quiet, ${standard}) from fiscal_account c
    where c.account = a.account and ${counts} and (c.able_since is null or c.able_since > a.begun_at)
      and ${isStated})`)
]

/**
 * SQL condition for submissions `s` that wait for their account: it cannot send, and the gateway
 * may send a request with a stated failure once it can.
 */
export const awaitsAccount = ({ sql }: LiteralSql): Fragment =>
  sql.literal(`exists (select 1 from fiscal_attempt a join fiscal_account c on c.account = a.account
    where a.submission = s.seq and ${counts} and c.able_since is null
      and ${isStated})`)

/**
 * Returns the time of this machine's clock until which the document must not be sent again, or null
 * if that time is past by every clock. After an operator accepted an older copy, requests missing
 * in the copy may still be in flight. A contradicted document waits after its last request, even
 * if that one was refused. A document with a stated failure waits from when its account can send
 * again.
 */
export const quietUntil = (
  {
    sql,
    ...clocks
  }: Pick<Clocks.StoreClocks, "earliest" | "hostNow"> & { readonly sql: SqlClient | Transaction["sql"] },
  seq: Integer
): Effect.Effect<number | null, SqlError> => {
  const [able, from] = untilAble({ sql })
  return Effect.map(
    sql<{
      readonly attempts: Integer | null
      readonly accepted: Integer | null
      readonly refused: Integer | null
      readonly able: Integer | null
    }>`select
      (select max(${until({ sql })}) from fiscal_attempt a where a.submission = ${seq}) as attempts,
      (select accepted_at + accepted_quiet from fiscal_store) as accepted,
      (select max(${sql.literal(end)}) from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
        where s.seq = ${seq} and s.state = 'Held' and s.hold_cause = 'contradicted') as refused,
      (select max(${able}${clocks.earliest}${from}) from fiscal_attempt a where a.submission = ${seq}) as able`,
    ([row]) =>
      Clocks.shownAt(
        clocks,
        Math.max(...[row?.attempts, row?.accepted, row?.refused, row?.able].map((end) => number(end ?? 0)))
      )
  )
}

export const override = ({ earliest, now, sql }: Pick<Transaction, "sql" | "now" | "earliest">, seq: Integer) => {
  const [able, from] = untilAble({ sql })
  return sql`update fiscal_attempt set hurried_at = ${now} where id in
    (select a.id from fiscal_attempt a where a.submission = ${seq}
      and (${until({ sql })} > ${earliest} or ${able}${earliest}${from} > ${earliest}))`
}

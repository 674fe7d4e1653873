/**
 * Numbers and tokens of attempts, quiet periods, confirmed rejections, acceptance of an older copy.
 * Marks request ids that operators entered before the store recorded the origin.
 */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"

export const provenAttempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const add = (table: string, ...columns: ReadonlyArray<string>) =>
    Effect.forEach(columns, (column) => sql`alter table ${sql.literal(table)} add column ${sql.literal(column)}`, {
      discard: true
    })
  yield* add(
    "fiscal_lane",
    "attempts bigint not null default 0",
    "newest bigint",
    "newest_token text",
    "newest_begun bigint"
  )
  yield* add("fiscal_attempt", "number bigint", "token text", "quiet bigint", "hurried_at bigint", "confirmed bigint")
  yield* add("fiscal_store", "accepted_at bigint", "accepted_quiet bigint", "proven_as text")
  yield* sql`update fiscal_lane set attempts = (select count(*) from fiscal_attempt a where a.lane = fiscal_lane.lane)`
  // an id assigned by elimination has an outcome, an operator-entered id has none
  yield* sql`update fiscal_attempt set named_by = 'operator'
    where named_by is null and request_id is not null and result = 'Unknown' and mentioned_at is null
    and not exists (select 1 from fiscal_outcome o where o.account = fiscal_attempt.account
      and o.request_id = fiscal_attempt.request_id and o.source <> 'operator' and o.outcome <> 'Expired')`
})

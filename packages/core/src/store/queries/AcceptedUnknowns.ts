/**
 * Facts that operators accepted as unknown. A row is never deleted: its acceptance ends when the
 * gateway states the fact again.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type AcceptedUnknown, type Fact, isFact } from "../../submission/ledger/AcceptedUnknown.ts"
import { type Integer, number } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"

interface Row {
  readonly account: string
  readonly fact: string
  readonly because: string
  readonly at: Integer
}

/** Reads acceptances that have not ended, of one account or of all. */
export const open = (
  sql: SqlClient,
  account: string | undefined
): Effect.Effect<ReadonlyArray<AcceptedUnknown>, SqlError> =>
  Effect.map(
    sql<Row>`select account, fact, because, at from fiscal_accepted_unknown
      where back_at is null ${account === undefined ? sql`` : sql`and account = ${account}`} order by account, fact, id`,
    (rows) =>
      rows.flatMap(({ account, at, because, fact }) =>
        isFact(fact) ? [{ account, fact, because, at: number(at) }] : []
      )
  )

/** Records an acceptance. A second decision about the same fact ends the first. */
export const accept = (transaction: Transaction, account: string, fact: Fact, because: string): SqlEffect<void> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    yield* end(transaction, account, [fact])
    yield* sql`insert into fiscal_accepted_unknown ${sql.insert({ account, fact, because, at: now })}`
  })

/** Ends the acceptances of these facts. */
export const end = ({ now, sql }: Transaction, account: string, facts: ReadonlyArray<Fact>): SqlEffect<void> =>
  facts.length === 0
    ? Effect.void
    : Effect.asVoid(sql`update fiscal_accepted_unknown set back_at = ${now}
        where account = ${account} and back_at is null and ${sql.in("fact", facts)}`)

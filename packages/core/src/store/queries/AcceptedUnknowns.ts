/** A row is never deleted: its acceptance ends when the gateway states the fact again. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  type AcceptedUnknown,
  type AcceptedUnknownOperations,
  type Fact,
  isFact
} from "../../submission/ledger/AcceptedUnknown.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { type Database, ifNeeded, type SqlEffect, type Transaction } from "../database/Transaction.ts"
import * as OperatorRecords from "../evidence/OperatorRecords.ts"

interface AcceptedUnknownRow {
  readonly account: string
  readonly fact: string
  readonly because: string
  readonly at: Integer
}

export const open = (sql: SqlClient, account?: string): SqlEffect<ReadonlyArray<AcceptedUnknown>> =>
  Effect.map(
    sql<AcceptedUnknownRow>`select account, fact, because, at from fiscal_accepted_unknown
      where back_at is null ${account === undefined ? sql`` : sql`and account = ${account}`} order by account, fact, id`,
    (rows) =>
      rows.flatMap(({ account, at, because, fact }) =>
        isFact(fact) ? [{ account, fact, because, at: number(at) }] : []
      )
  )

const end = ({ now, sql }: Transaction, account: string, facts: ReadonlyArray<Fact>): SqlEffect<void> =>
  Effect.asVoid(sql`update fiscal_accepted_unknown set back_at = ${now}
    where account = ${account} and back_at is null and ${sql.in("fact", facts)}`)

export const make = ({ read, write }: Database): AcceptedUnknownOperations => ({
  acceptUnknown: write("accept a fact as unknown", (transaction, account, fact, because) =>
    Effect.gen(function* () {
      const { now, sql } = transaction
      // a second decision about the same fact ends the first
      yield* end(transaction, account, [fact])
      yield* sql`insert into fiscal_accepted_unknown ${sql.insert({ account, fact, because, at: now })}`
      const what = "documents are sent without the check that needs it"
      yield* OperatorRecords.add(transaction, { act: "accept-unknown", account, subject: fact, what, because })
    })
  ),
  acceptedUnknowns: read("list accepted unknowns", open),
  factsBack: ifNeeded(
    read("list accepted unknowns", (sql, account, facts) =>
      Effect.map(open(sql, account), (accepted) => accepted.some(({ fact }) => facts.includes(fact)))
    ),
    write("end accepted unknowns", end),
    undefined
  )
})

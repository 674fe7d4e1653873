import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stored from "../../submission/ledger/Stored.ts"
import { StoreError } from "../../submission/ledger/StoreError.ts"
import {
  digestOf,
  digestOfReason,
  Operator,
  type OperatorDecision,
  type RecordedDecision,
  reasonProblem
} from "../../submission/OperatorRecord.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { type Integer, number } from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"

interface DecisionRow {
  readonly id: Integer
  readonly at: Integer
  readonly who: string
  readonly act: string
  readonly account: string | null
  readonly subject: string
  readonly what: string
  readonly because: string | null
  readonly because_digest: string
  readonly digest: string
}

/**
 * Adds a decision. `seq`: submission of the decision, so that the reason can be forgotten with the
 * submission.
 */
export const add = (
  { dialect, now, sql }: Transaction,
  decision: OperatorDecision,
  seq: Integer | null = null
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { name: who } = yield* Operator
    // one writer at a time, so that each entry follows the entry before
    yield* sql`select one from fiscal_store ${dialect.forUpdate}`
    const [last] = yield* sql<Pick<DecisionRow, "id" | "digest">>`select id, digest from fiscal_decision
      order by id desc limit 1`
    const { account, act, because, subject, what } = decision
    const problem = because === null ? null : reasonProblem(because)
    if (problem !== null)
      return yield* new StoreError({ operation: "record a decision", reason: "conflict", text: problem })
    const id = number(last?.id ?? 0) + 1
    const becauseDigest = digestOfReason(because)
    const entry = { id, at: DateTime.makeUnsafe(now), who, act, account, subject, what, becauseDigest }
    yield* sql`insert into fiscal_decision ${sql.insert({
      id,
      at: now,
      who,
      act,
      account,
      subject,
      what,
      because,
      because_digest: becauseDigest,
      digest: digestOf(last?.digest ?? "", entry),
      submission: seq
    })}`
  })

/**
 * Adds a consent that is repeated with every run, only if the same operator has not given the
 * consent before.
 */
export const addOnce = (transaction: Transaction, decision: OperatorDecision): SqlEffect<void> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const { name: who } = yield* Operator
    const known =
      yield* sql`select id from fiscal_decision where act = ${decision.act} and subject = ${decision.subject}
      and account = ${decision.account} and who = ${who} limit 1`
    if (known.length === 0) yield* add(transaction, decision)
  })

const recorded = ({ at, because_digest, id, ...row }: DecisionRow): RecordedDecision => ({
  ...row,
  id: number(id),
  at: Stored.time(at, () => `at of decision ${number(id)}`),
  act: Stored.oneOf(StoredValues.acts, row.act, () => `act of decision ${number(id)}`),
  becauseDigest: because_digest
})

export const reports = (sql: SqlClient): Effect.Effect<ReadonlyArray<RecordedDecision>, SqlError> =>
  Effect.map(sql<DecisionRow>`select * from fiscal_decision where act = 'report' order by id`, (rows) => [
    ...new Map(rows.map((row) => [`${row.account} ${row.subject}`, recorded(row)])).values()
  ])

export const list = (
  sql: SqlClient,
  after: number,
  limit: number
): Effect.Effect<ReadonlyArray<RecordedDecision>, SqlError> =>
  Effect.map(sql<DecisionRow>`select * from fiscal_decision where id > ${after} order by id limit ${limit}`, (rows) =>
    rows.map(recorded)
  )

/** Statements of operators about other programs on a device. The record of decisions keeps them. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { OtherPrograms } from "../../submission/SubmissionQuery.ts"
import { reasonProblem } from "../../submission/OperatorRecord.ts"
import { type SqlEffect, type Transaction, utc } from "../database/Transaction.ts"
import * as OperatorRecords from "../evidence/OperatorRecords.ts"
import { type Integer, number } from "../rows/Rows.ts"

const texts: Readonly<Record<OtherPrograms["stated"], string>> = {
  others: "other programs use the device",
  alone: "no other program uses the device"
}

/** Reads the latest statement about the device. Null if there is none. */
export const of = (sql: SqlClient, lane: string): SqlEffect<OtherPrograms | null> =>
  Effect.map(
    sql<{ readonly at: Integer; readonly what: string }>`select at, what from fiscal_decision
      where subject = ${lane} and act = 'other-programs' order by id desc limit 1`,
    ([row]) =>
      row === undefined ? null : { stated: row.what === texts.others ? "others" : "alone", since: utc(number(row.at)) }
  )

/** Records a statement. Returns the reason if nothing was recorded, otherwise null. */
export const state = (
  transaction: Transaction,
  lane: string,
  stated: OtherPrograms["stated"],
  because: string
): SqlEffect<string | null> =>
  Effect.gen(function* () {
    const problem = reasonProblem(because)
    if (problem !== null) return problem
    const decision = { act: "other-programs", account: null, subject: lane, what: texts[stated], because } as const
    yield* OperatorRecords.add(transaction, decision)
    return null
  })

import { Effect } from "effect"
import { DocumentNumber } from "../../document/Identifiers.ts"
import type { StoredConflict } from "../../submission/Explanation.ts"
import * as StateLog from "../../submission/StateLog.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { keyOf, type SubmissionRow } from "../rows/Rows.ts"

export const recordConflict = (
  { logEntries, now, sql }: Transaction,
  row: SubmissionRow,
  code: StoredConflict["code"],
  detail: string
) =>
  Effect.map(
    sql<{
      readonly code: string
    }>`insert into fiscal_conflict ${sql.insert({ submission: row.seq, code, detail, at: now })}
      on conflict (submission, code, detail) do nothing returning code`,
    (inserted) => {
      const isNew = inserted.length > 0
      if (isNew) {
        const number = DocumentNumber.make(row.number)
        logEntries.push(
          StateLog.ofConflict({ key: keyOf(row), number, lane: row.lane, requestId: row.request_id }, code)
        )
      }
      return isNew
    }
  )

export const endConflicts = (
  { now, sql }: Transaction,
  row: SubmissionRow,
  code: StoredConflict["code"],
  open: ReadonlySet<string>
): SqlEffect<void> =>
  Effect.gen(function* () {
    const known = yield* sql<{ readonly detail: string }>`select detail from fiscal_conflict
      where submission = ${row.seq} and code = ${code} and settled_at is null`
    for (const { detail } of known.filter((one) => !open.has(one.detail)))
      yield* sql`update fiscal_conflict set settled_at = ${now}
        where submission = ${row.seq} and code = ${code} and detail = ${detail}`
  })

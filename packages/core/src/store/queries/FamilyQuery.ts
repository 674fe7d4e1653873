import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as CreditNumber from "../../submission/ledger/CreditNumber.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { InvoiceFamily } from "../../submission/SubmissionQuery.ts"
import type { SqlEffect } from "../database/Transaction.ts"
import * as CreditFamily from "../lanes/CreditFamily.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { requestsOf } from "./ReceiptQuery.ts"

export const familyOf = (sql: SqlClient, key: SubmissionKey): SqlEffect<Option.Option<InvoiceFamily>> =>
  Effect.gen(function* () {
    const found = yield* CreditFamily.of(sql, key)
    if (found === undefined) return Option.none()
    const { row, ...family } = found
    const [requests] = yield* requestsOf(sql, [row])
    const conflicts = yield* sql<{ readonly code: string }>`select distinct code from fiscal_conflict
      where submission = ${row.seq} and settled_at is null and code not in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED') order by code`
    const codes = conflicts.map(({ code }) =>
      Stored.oneOf(StoredValues.conflicts, code, () => `a conflict of ${row.number}`)
    )
    return Option.some({ ...family, requests: requests!, conflicts: codes })
  })

/**
 * Returns a number of the source that the rule for prepared notes can make, with its invoice. Null
 * after the first prepared note of the account: imports refuse such a number from then on.
 */
export const ruled = (
  sql: SqlClient,
  account: string,
  rule: string
): SqlEffect<{ readonly number: string; readonly invoice: string } | null> =>
  Effect.gen(function* () {
    let after = ""
    while (true) {
      const rows = yield* sql<{ readonly number: string }>`select s.number from fiscal_submission s
        where s.account = ${account} and s.number > ${after} and s.number like ${CreditNumber.likeOf(rule)}
          and not exists (select 1 from fiscal_submission h where h.account = s.account and h.made = 'here')
        order by s.number limit ${together}`
      const made = new Map(
        rows.flatMap(({ number }) => CreditNumber.originalsOf(rule, number).map((one) => [one, number] as const))
      )
      const [found] =
        made.size === 0
          ? []
          : yield* sql<{ readonly number: string }>`select number from fiscal_submission
              where account = ${account} and kind = 'invoice' and ${sql.in("number", [...made.keys()])} limit 1`
      if (found !== undefined) return { number: made.get(found.number)!, invoice: found.number }
      if (rows.length < together) return null
      after = rows.at(-1)!.number
    }
  })

const together = 1000

export const noticed = (sql: SqlClient, accounts: ReadonlyArray<string>): SqlEffect<ReadonlyArray<SubmissionKey>> =>
  Effect.map(
    sql<SubmissionKey>`select distinct s.account, s.kind, s.id, s.seq from fiscal_conflict c
      join fiscal_submission s on s.seq = c.submission
      where c.settled_at is null and c.code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')
        and s.kind = 'invoice' and s.state = 'Fiscalised' and ${sql.in("s.account", accounts)} order by s.seq`,
    (rows) => rows.map(({ account, id, kind }) => ({ account, kind, id }))
  )

/** Reads a sent invoice with its credit notes, requests and conflicts. */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { InvoiceFamily } from "../../submission/SubmissionQuery.ts"
import type { SqlEffect } from "../database/Transaction.ts"
import * as CreditFamily from "../lanes/CreditFamily.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { requestsOf } from "./ReceiptQuery.ts"

/** Reads the family of an invoice, if the store has it. */
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

/** Lists the fiscalised invoices of the accounts whose source states something else now. */
export const noticed = (sql: SqlClient, accounts: ReadonlyArray<string>): SqlEffect<ReadonlyArray<SubmissionKey>> =>
  Effect.map(
    sql<SubmissionKey>`select distinct s.account, s.kind, s.id, s.seq from fiscal_conflict c
      join fiscal_submission s on s.seq = c.submission
      where c.settled_at is null and c.code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')
        and s.kind = 'invoice' and s.state = 'Fiscalised' and ${sql.in("s.account", accounts)} order by s.seq`,
    (rows) => rows.map(({ account, id, kind }) => ({ account, kind, id }))
  )

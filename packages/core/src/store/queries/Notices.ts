/** What processes last saw of accounts and devices: one set of facts for each source and subject, replaced as a whole. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stored from "../../ledger/Stored.ts"
import type { KeptNotice, Notice, NoticeSource } from "../../submission/Notice.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { type Integer, number } from "../rows/Rows.ts"
import * as StoredWords from "../rows/StoredWords.ts"

interface NoticeRow {
  readonly source: string
  readonly subject: string
  readonly code: string
  readonly detail: string
  readonly text: string
  readonly since: Integer
  readonly seen_at: Integer
}

// renewing a permission every ten minutes must not write each time
const seenAgainAfter = 3_600_000

const rowsOf = (sql: SqlClient | Transaction["sql"], source: NoticeSource, subject: string) =>
  sql<NoticeRow>`select * from fiscal_notice where source = ${source} and subject = ${subject} order by code, detail`

const keyOf = ({ code, detail }: Pick<Notice, "code" | "detail">) => JSON.stringify([code, detail])

/** Returns true if storing these facts would change anything: mostly it would not, and looking keeps no writer away. */
export const differs = (
  sql: SqlClient,
  now: number,
  source: NoticeSource,
  subject: string,
  notices: ReadonlyArray<Notice>
): Effect.Effect<boolean, SqlError> =>
  Effect.map(rowsOf(sql, source, subject), (rows) => {
    const texts = new Map(notices.map((notice) => [keyOf(notice), notice.text]))
    return (
      rows.length !== texts.size ||
      rows.some((row) => texts.get(keyOf(row)) !== row.text || now - number(row.seen_at) >= seenAgainAfter)
    )
  })

/** Replaces the facts of the source about the subject. A fact that was known keeps the time when it was seen first. */
export const replace = (
  { now, sql }: Transaction,
  source: NoticeSource,
  subject: string,
  notices: ReadonlyArray<Notice>
): SqlEffect<void> =>
  Effect.gen(function* () {
    const since = new Map((yield* rowsOf(sql, source, subject)).map((row) => [keyOf(row), number(row.since)]))
    yield* sql`delete from fiscal_notice where source = ${source} and subject = ${subject}`
    for (const [key, { code, detail, text }] of new Map(notices.map((notice) => [keyOf(notice), notice]))) {
      const row = { source, subject, code, detail, text, since: since.get(key) ?? now, seen_at: now }
      yield* sql`insert into fiscal_notice ${sql.insert(row)}`
    }
  })

export const all = (sql: SqlClient): Effect.Effect<ReadonlyArray<KeptNotice>, SqlError> =>
  Effect.map(sql<NoticeRow>`select * from fiscal_notice order by since, source, subject, code, detail`, (rows) =>
    rows.map(({ code, detail, seen_at, since, source, subject, text }) => {
      const at = (column: string) => () => `${column} of the notice ${code} about ${subject}`
      return {
        source: Stored.oneOf(StoredWords.noticeSources, source, at("source")),
        subject,
        code,
        detail,
        text,
        since: Stored.time(since, at("since")),
        seenAt: Stored.time(seen_at, at("seen_at"))
      }
    })
  )

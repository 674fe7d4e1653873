/** Replaced as a whole for each source and subject. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stored from "../../submission/ledger/Stored.ts"
import {
  acknowledgeable,
  acknowledgedBy,
  idOf,
  type DayAcknowledgement,
  type KeptNotice,
  type Notice,
  type NoticeSource
} from "../../submission/Notice.ts"
import { reasonProblem } from "../../submission/OperatorRecord.ts"
import type { OtherPrograms } from "../../submission/SubmissionQuery.ts"
import type { Queries } from "../database/Statements.ts"
import * as StoreStops from "../database/StoreStops.ts"
import * as OperatorRecords from "../evidence/OperatorRecords.ts"
import { otherPrograms } from "../lanes/ReceiptGaps.ts"
import { type ReadContext, type SqlEffect, type Transaction } from "../database/Transaction.ts"
import { type Integer, number } from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"

interface LiveNoticeRow {
  readonly source: string
  readonly subject: string
  readonly code: string
  readonly detail: string
  readonly text: string
  readonly since: Integer
  readonly seen_at: Integer
}

// a permission is renewed every ten minutes, which must not cause a write each time
const seenAgainAfter = 3_600_000

const rowsOf = (sql: Queries, source: NoticeSource, subject: string) =>
  sql<LiveNoticeRow>`select * from fiscal_notice where source = ${source} and subject = ${subject} order by code, detail`

const keyOf = ({ code, detail }: Pick<Notice, "code" | "detail">) => JSON.stringify([code, detail])

export const differs = (
  { now, sql }: ReadContext,
  source: NoticeSource,
  subject: string,
  notices: ReadonlyArray<Notice>
): SqlEffect<boolean> =>
  Effect.map(rowsOf(sql, source, subject), (rows) => {
    const texts = new Map(notices.map((notice) => [keyOf(notice), notice.text]))
    return (
      rows.length !== texts.size ||
      rows.some((row) => texts.get(keyOf(row)) !== row.text || now - number(row.seen_at) >= seenAgainAfter)
    )
  })

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

const subjectOf = ({ detail, subject }: Pick<LiveNoticeRow, "detail" | "subject">) =>
  `fiscal day ${detail} of ${subject}`
const whatOf = ({ code, text }: Pick<LiveNoticeRow, "code" | "text">) => `${code}: ${text}`

/** Queried only if there is such a fact. */
const acknowledgements = (sql: Queries, rows: ReadonlyArray<LiveNoticeRow>) =>
  rows.some(({ code }) => acknowledgeable.has(code))
    ? Effect.map(
        sql<{ readonly subject: string; readonly what: string; readonly at: Integer }>`select subject, what, at
          from fiscal_decision where act = 'acknowledge-day' order by id`,
        (found) =>
          new Map(found.map(({ at, subject, what }) => [acknowledgedBy({ act: "acknowledge-day", subject, what }), at]))
      )
    : Effect.succeed(new Map<string | null, Integer>())

export const acknowledgeDay = (
  transaction: Transaction,
  lane: string,
  day: number,
  because: string
): SqlEffect<DayAcknowledgement> =>
  Effect.gen(function* () {
    const lacking = reasonProblem(because)
    if (lacking !== null) return { _tag: "Refused", text: lacking }
    const rows = yield* transaction.sql<LiveNoticeRow>`select * from fiscal_notice
      where subject = ${lane} and detail = ${String(day)} order by code`
    const known = yield* acknowledgements(transaction.sql, rows)
    const noted = rows.filter((row) => acknowledgeable.has(row.code) && !known.has(idOf(row)))
    if (noted.length === 0) {
      const others = rows.filter((row) => !known.has(idOf(row))).map(({ code }) => code)
      const why = `nothing is listed of fiscal day ${day} of ${lane} that can be acknowledged`
      return {
        _tag: "Refused",
        text: others.length === 0 ? why : `${why}: ${others.join(", ")} ends when its cause is gone`
      }
    }
    for (const row of noted) {
      const decision = {
        act: "acknowledge-day",
        account: null,
        subject: subjectOf(row),
        what: whatOf(row),
        because
      } as const
      yield* OperatorRecords.add(transaction, decision)
    }
    return { _tag: "Acknowledged", codes: noted.map(({ code }) => code) }
  })

export const all = (sql: SqlClient): Effect.Effect<ReadonlyArray<KeptNotice>, SqlError> =>
  Effect.gen(function* () {
    const rows = yield* sql<LiveNoticeRow>`select * from fiscal_notice order by since, source, subject, code, detail`
    const acknowledged = yield* acknowledgements(sql, rows)
    return rows.map((row) => {
      const { code, detail, subject, text } = row
      const named = `the notice ${code} about ${subject}`
      const { column } = Stored.columns(row, named)
      const settled = acknowledged.get(idOf(row))
      return {
        source: column("source", Stored.among(StoredValues.noticeSources)),
        subject,
        code,
        detail,
        text,
        since: column("since", Stored.time),
        seenAt: column("seen_at", Stored.time),
        acknowledgedAt: settled === undefined ? null : Stored.time(settled, () => `acknowledgement of ${named}`)
      }
    })
  })

/** Records a statement. Returns the reason if nothing was recorded, otherwise null. */
export const stateOtherPrograms = (
  transaction: Transaction,
  lane: string,
  stated: OtherPrograms["stated"],
  because: string
): SqlEffect<string | null> =>
  Effect.gen(function* () {
    const problem = reasonProblem(because)
    if (problem !== null) return problem
    const decision = {
      act: "other-programs",
      account: null,
      subject: lane,
      what: otherPrograms[stated],
      because
    } as const
    yield* OperatorRecords.add(transaction, decision)
    // receipts of other programs are no sign of an older copy
    const { stop } = transaction
    if (stated === "others" && stop?.is === "behind" && stop.lane === lane) yield* StoreStops.clear(transaction)
    return null
  })

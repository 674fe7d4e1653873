/** Keeps what the source states otherwise since a document was planned or sent: open until the source, or an operator, settles it. */
import { Effect } from "effect"
import { DocumentNumber } from "../../document/Identifiers.ts"
import type { SourceNotice } from "../../submission/PlanResult.ts"
import * as StateLog from "../../submission/StateLog.ts"
import { ended, type State } from "../../submission/Submission.ts"
import { note } from "../lanes/Transition.ts"
import { type Integer, keyOf, type SubmissionRow } from "../rows/Rows.ts"
import { type SqlEffect, type Transaction, utc } from "../database/Transaction.ts"

type Code = "SOURCE_CONFLICT" | "SOURCE_CANCELLED"

interface NoticeRow {
  readonly code: Code
  readonly detail: string
  /** Fingerprint of what the source stated; empty once the source stated again what was sent; null in rows of older versions. */
  readonly stated: string | null
  readonly settled_at: Integer | null
}

const over = ""

/** Stored for every cancelled document: an adapter's own words may quote the export, and `forget` would have to find them. */
const cancelledInWords = "the source has cancelled it"

const kept = ({ sql }: Transaction, seq: Integer) =>
  sql<NoticeRow>`select code, detail, stated, settled_at from fiscal_conflict
    where submission = ${seq} and code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')`

const openDetail = (rows: ReadonlyArray<NoticeRow>, code: Code): string | null =>
  rows.find((row) => row.code === code && row.settled_at === null)?.detail ?? null

/** Tells of the document as the source states it now. */
const publish = (transaction: Transaction, row: SubmissionRow): SqlEffect<void> =>
  Effect.map(kept(transaction, row.seq), (rows) => {
    transaction.sourceChanges.push({
      key: keyOf(row),
      number: DocumentNumber.make(row.number),
      lane: row.lane,
      state: row.state,
      changed: openDetail(rows, "SOURCE_CONFLICT"),
      cancelled: openDetail(rows, "SOURCE_CANCELLED"),
      at: utc(transaction.now)
    })
  })

/** Opens the notice, unless the source stated the same before: what an operator has settled stays settled. */
const raise = (
  transaction: Transaction,
  row: SubmissionRow,
  code: Code,
  detail: string,
  stated: string
): SqlEffect<"open" | "settled"> =>
  Effect.gen(function* () {
    const { lines, now, sql } = transaction
    const rows = (yield* kept(transaction, row.seq)).filter((known) => known.code === code)
    const same = rows.find((known) => known.stated === stated)
    if (same !== undefined) return same.settled_at === null ? "open" : "settled"
    // an older version kept no fingerprint: what it noted in the same words is taken for the same
    const older = rows.find((known) => known.stated === null && known.detail === detail)
    if (older !== undefined) {
      yield* sql`update fiscal_conflict set stated = ${stated}
        where submission = ${row.seq} and code = ${code} and detail = ${detail}`
      return older.settled_at === null ? "open" : "settled"
    }
    yield* sql`update fiscal_conflict set settled_at = ${now}
      where submission = ${row.seq} and code = ${code} and settled_at is null`
    yield* sql`insert into fiscal_conflict ${sql.insert({ submission: row.seq, code, detail, at: now, stated })}
      on conflict (submission, code, detail) do update set stated = excluded.stated, at = excluded.at, settled_at = null`
    note(transaction, row, "conflict", detail)
    const named = { key: keyOf(row), number: DocumentNumber.make(row.number), lane: row.lane }
    lines.push(StateLog.ofConflict({ ...named, requestId: row.request_id }, code))
    yield* publish(transaction, row)
    return "open"
  })

/** The source states again what was sent, or a document that it had cancelled: a later difference is a new one. */
const clear = (transaction: Transaction, row: SubmissionRow, codes: ReadonlyArray<Code>): SqlEffect<void> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const rows = (yield* kept(transaction, row.seq)).filter(({ code }) => codes.includes(code))
    if (rows.every(({ settled_at, stated }) => stated === over && settled_at !== null)) return
    yield* sql`update fiscal_conflict set stated = ${over}, settled_at = coalesce(settled_at, ${now})
      where submission = ${row.seq} and ${sql.in("code", codes)}`
    if (rows.every(({ settled_at }) => settled_at !== null)) return
    const again = codes.includes("SOURCE_CONFLICT") ? "what was sent" : "it as issued"
    note(transaction, row, "noted", `the source states ${again} again`)
    yield* publish(transaction, row)
  })

/** The source states something else than what was sent. `settled`: an operator has dealt with the same difference. */
export const changed = (
  transaction: Transaction,
  row: SubmissionRow,
  because: string,
  fingerprint: string
): SqlEffect<"open" | "settled"> =>
  Effect.andThen(
    clear(transaction, row, ["SOURCE_CANCELLED"]),
    raise(transaction, row, "SOURCE_CONFLICT", because, fingerprint)
  )

/** Cancelling these in the source changes nothing: no receipt came of them. */
const without: ReadonlySet<State> = new Set(ended)

const apply = (transaction: Transaction, { because, fingerprint, key, states }: SourceNotice): SqlEffect<void> =>
  Effect.gen(function* () {
    const { dialect, sql } = transaction
    const [row] = yield* sql<SubmissionRow>`select * from fiscal_submission
      where account = ${key.account} and kind = ${key.kind} and id = ${key.id} ${dialect.forUpdate}`
    if (row === undefined) return
    if (states === "cancelled") {
      if (!without.has(row.state)) yield* raise(transaction, row, "SOURCE_CANCELLED", cancelledInWords, "cancelled")
      return
    }
    // the document may have become what the source states since the import was planned
    if (states === "changed" && fingerprint !== null && fingerprint !== row.fingerprint)
      yield* changed(transaction, row, because ?? "the export now states something else", fingerprint)
    else yield* clear(transaction, row, ["SOURCE_CONFLICT", "SOURCE_CANCELLED"])
  })

/** Notes what an import found, in one transaction. */
export const noteAll = (transaction: Transaction, notices: ReadonlyArray<SourceNotice>): SqlEffect<void> =>
  Effect.forEach(notices, (notice) => apply(transaction, notice), { discard: true })

/** Open until the source, or an operator, settles the changed statement. */
import { Effect } from "effect"
import { DocumentNumber } from "../../document/Identifiers.ts"
import type { SourceNotice, StatedNow } from "../../submission/PlanResult.ts"
import * as StateLog from "../../submission/StateLog.ts"
import * as CreditFamily from "../lanes/CreditFamily.ts"
import { lockedByKey, note } from "../lanes/Transition.ts"
import { type Integer, keyOf, meaningOf, type SubmissionRow } from "../rows/Rows.ts"
import { type SqlEffect, type Transaction, utc } from "../database/Transaction.ts"

type Code = "SOURCE_CONFLICT" | "SOURCE_CANCELLED"

interface StoredNotice {
  readonly code: Code
  readonly detail: string
  /**
   * Fingerprint of the source's statement. Empty once the source again states the sent values. Null
   * in rows of older versions.
   */
  readonly stated: string | null
  readonly settled_at: Integer | null
}

const over = ""

/**
 * Stored for every canceled document: an adapter's own text may quote the export, and `forget`
 * would have to find the quotation.
 */
const canceledInWords = "the source has cancelled it"

const kept = ({ sql }: Transaction, seq: Integer) =>
  sql<StoredNotice>`select code, detail, stated, settled_at from fiscal_conflict
    where submission = ${seq} and code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')`

const openDetail = (rows: ReadonlyArray<StoredNotice>, code: Code): string | null =>
  rows.find((row) => row.code === code && row.settled_at === null)?.detail ?? null

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

/** A notice settled by an operator stays settled. */
const raise = (
  transaction: Transaction,
  row: SubmissionRow,
  code: Code,
  detail: string,
  stated: string,
  now: StatedNow | undefined
): SqlEffect<"open" | "settled"> =>
  Effect.gen(function* () {
    const { logEntries, now: at, sql } = transaction
    const content = { body: now?.body ?? null, meaning: now === undefined ? null : JSON.stringify(now.meaning) }
    const rows = (yield* kept(transaction, row.seq)).filter((known) => known.code === code)
    const same = rows.find((known) => known.stated === stated)
    if (same !== undefined) {
      if (now !== undefined)
        yield* sql`update fiscal_conflict set ${sql.update(content)}
          where submission = ${row.seq} and code = ${code} and stated = ${stated} and body is null`
      return same.settled_at === null ? "open" : "settled"
    }
    // an older version stored no fingerprint: a notice with the same text counts as the same
    const older = rows.find((known) => known.stated === null && known.detail === detail)
    if (older !== undefined) {
      yield* sql`update fiscal_conflict set stated = ${stated}
        where submission = ${row.seq} and code = ${code} and detail = ${detail}`
      return older.settled_at === null ? "open" : "settled"
    }
    yield* sql`update fiscal_conflict set settled_at = coalesce(settled_at, ${at}), stated = ${over}
      where submission = ${row.seq} and code = ${code}`
    yield* sql`insert into fiscal_conflict ${sql.insert({ submission: row.seq, code, detail, at, stated, ...content })}
      on conflict (submission, code, detail) do update set stated = excluded.stated, at = excluded.at, settled_at = null,
        body = excluded.body, meaning = excluded.meaning`
    note(transaction, row, "conflict", detail)
    const named = { key: keyOf(row), number: DocumentNumber.make(row.number), lane: row.lane }
    logEntries.push(StateLog.ofConflict({ ...named, requestId: row.request_id }, code))
    yield* publish(transaction, row)
    if (row.kind === "invoice") yield* CreditFamily.endNotice(transaction, row)
    return "open"
  })

/**
 * The source again states the sent values, or restored a canceled document. A later difference
 * opens a new notice.
 */
const clear = (transaction: Transaction, row: SubmissionRow, codes: ReadonlyArray<Code>): SqlEffect<void> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const rows = (yield* kept(transaction, row.seq)).filter(({ code }) => codes.includes(code))
    if (rows.every(({ settled_at, stated }) => stated === over && settled_at !== null)) return
    // a statement of before is news again after the cleared one
    yield* sql`update fiscal_conflict set stated = ${over}, settled_at = coalesce(settled_at, ${now})
      where submission = ${row.seq} and (${sql.in("code", codes)} or settled_at is not null)
        and code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')`
    if (rows.every(({ settled_at }) => settled_at !== null)) return
    const again = codes.includes("SOURCE_CONFLICT") ? "what was sent" : "it as issued"
    note(transaction, row, "noted", `the source states ${again} again`)
    yield* publish(transaction, row)
  })

/**
 * Records that the source states other values than sent. `settled`: an operator has settled the
 * same difference.
 */
export const changed = (
  transaction: Transaction,
  row: SubmissionRow,
  text: string,
  fingerprint: string,
  now: StatedNow | undefined
): SqlEffect<"open" | "settled"> =>
  Effect.andThen(
    clear(transaction, row, ["SOURCE_CANCELLED"]),
    raise(transaction, row, "SOURCE_CONFLICT", text, fingerprint, now)
  )

export const restate = ({ sql }: Transaction, { seq }: SubmissionRow, fingerprint: string): SqlEffect<void> =>
  Effect.asVoid(sql`update fiscal_submission set restated = ${fingerprint} where seq = ${seq} and restated is null`)

const apply = (transaction: Transaction, { fingerprint, key, now, states, text }: SourceNotice): SqlEffect<void> =>
  Effect.gen(function* () {
    const row = yield* lockedByKey(transaction, key)
    if (row === undefined) return
    if (states === "cancelled") {
      // a failed document may still be sent again, a withdrawn one never is
      if (row.state !== "Withdrawn")
        yield* raise(transaction, row, "SOURCE_CANCELLED", canceledInWords, "cancelled", undefined)
      return
    }
    // the document may have changed to the source's statement since the import was planned
    if (states === "restated" && fingerprint !== null) yield* restate(transaction, row, fingerprint)
    if (states === "changed" && fingerprint !== null && ![row.fingerprint, row.restated].includes(fingerprint))
      yield* changed(transaction, row, text ?? "the export now states something else", fingerprint, now)
    else if (yield* CreditFamily.isCreditedHere(transaction.sql, key)) yield* restored(transaction, row)
    else yield* clear(transaction, row, ["SOURCE_CONFLICT", "SOURCE_CANCELLED"])
  })

/**
 * A prepared note has credited the document: its receipts are less now, and its number cannot be
 * used again.
 */
const restored = (transaction: Transaction, row: SubmissionRow): SqlEffect<unknown> =>
  Effect.gen(function* () {
    const [sent] = yield* transaction.sql<{
      readonly body: string
      readonly meaning: string | null
    }>`select body, meaning
      from fiscal_payload where submission = ${row.seq} and revision = ${row.revision}`
    const meaning = sent?.meaning ?? null
    const now =
      meaning === null ? undefined : { body: sent!.body, meaning: meaningOf(meaning, () => `meaning of ${row.number}`) }
    const text =
      "the source states it as issued, and a credit note was prepared here: void it there or bring its note; if it was restored, issue it under a new number"
    yield* changed(transaction, row, text, row.fingerprint, now)
  })

export const noteAll = (transaction: Transaction, notices: ReadonlyArray<SourceNotice>): SqlEffect<void> =>
  Effect.forEach(notices, (notice) => apply(transaction, notice), { discard: true })

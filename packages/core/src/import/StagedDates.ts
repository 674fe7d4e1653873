/**
 * Assigns receipt dates to staged documents, day by day, and finds refused documents that later
 * ones would overtake.
 */
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { firstSecond, lastSecond } from "../dating/DayBounds.ts"
import * as Mark from "../submission/ledger/Mark.ts"
import * as ReceiptDates from "../dating/ReceiptDates.ts"
import * as StatedDate from "../dating/StatedDate.ts"
import { addFinding, type DatingRow, type DocumentRow, type NoteRow, type StoredRow } from "./StagingArea.ts"

interface OfDay
  extends Pick<DocumentRow, "seq" | "key" | "number">, Pick<StoredRow, "kept" | "dated">, Pick<NoteRow, "original"> {
  readonly date: string
  readonly original_date: string | null
  readonly original_kept: number | null
}

/** Dates every document that is neither known nor refused, after the document's own mark. */
export const assignDates = Effect.fnUntraced(function* (
  sql: SqlClient,
  book: MappingBook,
  account: string,
  lane: Mark.LaneMark
) {
  const now = yield* DateTime.now
  const mark = Mark.ofLane(lane)
  const exception = Mark.exception(lane)
  const excepted = exception?.account === account ? `${exception.kind} ${exception.id}` : undefined
  const ownMark = (key: string) =>
    exception !== null && key === excepted ? { mark: Mark.of(lane, exception) } : undefined
  const dateAs = (date: string, kept: number | null) =>
    kept === null ? StatedDate.parse(date) : Instant.fromSeconds(kept, book.zone)
  yield* sql`insert into dating (seq, day) select seq, coalesce(kept_day, day) from staged left join stored using (seq)
    where staged.outcome is null and not refused and coalesce(kept_day, day) is not null`
  yield* sql`create index by_day on dating (day)`
  const days = yield* sql<{ readonly day: CivilDate }>`select distinct day from dating order by day`
  for (const { day } of days) {
    const documents = yield* sql<OfDay>`select d.seq, d.key, d.number, d.date, stored.kept, stored.dated, note.original,
        o.date as original_date, of_original.kept as original_kept
      from dating join document d using (seq) left join stored using (seq) left join note using (seq)
      left join document o on o.seq = note.original_seq and exists (select 1 from dating where seq = o.seq)
      left join stored of_original on of_original.seq = o.seq
      where dating.day = ${day}`
    const taken = yield* sql<{ readonly second: number }>`select second from reserved
      where second between ${firstSecond(day, book.zone)} and ${lastSecond(day, book.zone)}`
    const datings = ReceiptDates.assign(
      documents.map(({ date, kept, key, number, original, original_date, original_kept, dated }) => ({
        key,
        number,
        date: dateAs(date, kept),
        ...(dated !== null && { dated }),
        original,
        ...ownMark(key),
        ...(original_date !== null && { originalDate: dateAs(original_date, original_kept) })
      })),
      { book, mark, now, reserved: new Set(taken.map(({ second }) => second)) }
    )
    const seqs = new Map(documents.map(({ key, seq }) => [key, seq]))
    const rows = datings.map((dating) => ({ seq: seqs.get(dating.key)!, ...columnsOf(dating) }))
    yield* sql`update dating set outcome = new.value ->> 'outcome', receipt = new.value ->> 'receipt'
      from json_each(${JSON.stringify(rows)}) as new where seq = new.value ->> 'seq'`
    for (const dating of datings) {
      if (dating._tag !== "Undatable") continue
      const { code, detail, key } = dating
      const finding = Finding.make(code, { ...(detail !== undefined && { detail }), path: ["date"] })
      yield* addFinding(sql, seqs.get(key)!, finding)
    }
  }
})

const columnsOf = (dating: ReceiptDates.Dating): Pick<DatingRow, "outcome" | "receipt"> => {
  if (dating._tag !== "Dated") return { outcome: dating._tag, receipt: null }
  return dating.receiptDate === "at-submission"
    ? { outcome: "AtSubmission", receipt: null }
    : { outcome: "Dated", receipt: Instant.seconds(dating.receiptDate) }
}

/**
 * Refused documents that a later document of the batch would overtake: the count, and the first
 * numbers.
 */
export interface Overtaken {
  readonly count: number
  readonly first: ReadonlyArray<string>
}

/** Overtaken documents that are named. */
const named = 20

/**
 * Finds refused documents dated before the last document to be sent. `late`: treatment of late
 * documents.
 */
export const overtaken = Effect.fnUntraced(function* (
  sql: SqlClient,
  { zone }: MappingBook,
  late: "held" | "restamped"
) {
  const sent = sql.literal(
    `(not refused and held is null and outcome in ('Dated', 'AtSubmission'${late === "restamped" ? ", 'Late'" : ""}))`
  )
  const refused = sql.literal("(refused and (outcome is null or outcome = 'Undatable'))")
  if ((yield* sql`select 1 from refused limit 1`).length === 0) return { count: 0, first: [] }
  const [last] = yield* sql<{ readonly day: CivilDate | null }>`
    select max(day) as day from staged where ${sent}`
  const day = last?.day ?? null
  if (day === null) return { count: 0, first: [] }
  const ofDay = yield* sql<{ readonly seq: number; readonly number: string; readonly is_sent: 0 | 1 }>`
    select seq, number, ${sent} as is_sent from staged where day = ${day} and (${sent} or ${refused})`
  const inOrder = ReceiptDates.inOrder(
    ofDay.map((row) => ({ ...row, key: String(row.seq), date: day, original: null })),
    zone
  )
  const lastSent = inOrder.findLastIndex(({ is_sent }) => is_sent === 1)
  const before = inOrder.slice(0, lastSent).flatMap(({ is_sent, seq }) => (is_sent === 1 ? [] : [seq]))
  const isLate = sql`${refused} and (day < ${day} or seq in (select value from json_each(${JSON.stringify(before)})))`
  const [counted] = yield* sql<{ readonly count: number }>`select count(*) as count from staged where ${isLate}`
  const first = yield* sql<{ readonly number: string }>`
    select number from staged where ${isLate} order by place, seq limit ${named}`
  return { count: counted?.count ?? 0, first: first.map(({ number }) => number) }
})

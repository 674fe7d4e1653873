/** Receipt dates of the staged documents, day by day, and what a refused document would be overtaken by. */
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as Mark from "../ledger/Mark.ts"
import * as ReceiptDates from "../preflight/ReceiptDates.ts"
import * as Lossless from "./Lossless.ts"
import { addFinding, type Outcome, type Row, update } from "./StagingArea.ts"

interface Dated {
  readonly date: CivilDate.CivilDate | Instant.Instant
}

/** The source's own date, as its row has it. */
export const dateOf = (date: string): Dated["date"] => Lossless.decode<Dated>(date).date

interface OfDay extends Pick<Row, "seq" | "key" | "number" | "kept" | "original"> {
  readonly date: string
  readonly original_date: string | null
  readonly original_kept: number | null
}

/** Dates every document that is neither known nor refused, each after its own mark. */
export const settle = Effect.fnUntraced(function* (
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
    kept === null ? dateOf(date) : Instant.fromSeconds(kept, book.zone)
  yield* sql`create index by_day on document (dating_day)`
  const days = yield* sql<{ readonly day: CivilDate.CivilDate }>`select distinct dating_day as day from document
    where outcome is null and refused = 0 and dating_day is not null order by dating_day`
  for (const { day } of days) {
    const documents = yield* sql<OfDay>`select d.seq, d.key, d.number, d.date, d.kept, d.original,
        o.date as original_date, o.kept as original_kept
      from document d left join document o on o.key = d.original and ${isDatable(sql)}
      where d.dating_day = ${day} and d.outcome is null and d.refused = 0`
    const taken = yield* sql<{ readonly second: number }>`select second from reserved
      where second >= ${startOf(day, book.zone)} and second < ${startOf(day, book.zone, 1)}`
    const datings = ReceiptDates.settle(
      documents.map(({ date, kept, key, number, original, original_date, original_kept }) => ({
        key,
        number,
        date: dateAs(date, kept),
        original,
        ...ownMark(key),
        ...(original_date !== null && { originalDate: dateAs(original_date, original_kept) })
      })),
      { book, mark, now, reserved: new Set(taken.map(({ second }) => second)) }
    )
    const seqs = new Map(documents.map(({ key, seq }) => [key, seq]))
    yield* update(
      sql,
      ["outcome", "receipt"],
      datings.map((dating) => ({ seq: seqs.get(dating.key)!, ...columnsOf(dating) }))
    )
    for (const dating of datings) {
      if (dating._tag !== "Undatable") continue
      const { code, detail, key } = dating
      const finding = Finding.make(code, { ...(detail !== undefined && { detail }), path: ["date"] })
      yield* addFinding(sql, seqs.get(key)!, finding)
    }
  }
})

/** An original counts as long as it is to be dated itself, or has just been. */
const isDatable = (sql: SqlClient) =>
  sql.literal("((o.outcome is null and o.refused = 0) or o.outcome in ('Dated', 'AtSubmission', 'Late', 'Undatable'))")

const startOf = (day: CivilDate.CivilDate, zone: DateTime.TimeZone, after = 0): number =>
  Instant.seconds(CivilDate.at(day, after * 86_400, zone))

const columnsOf = (dating: ReceiptDates.Dating): { readonly outcome: Outcome; readonly receipt: number | null } => {
  if (dating._tag !== "Dated") return { outcome: dating._tag, receipt: null }
  return dating.receiptDate === "at-submission"
    ? { outcome: "AtSubmission", receipt: null }
    : { outcome: "Dated", receipt: Instant.seconds(dating.receiptDate) }
}

/** Refused documents that a later one of this batch would overtake: how many, and the first of them. */
export interface Overtaken {
  readonly count: number
  readonly first: ReadonlyArray<string>
}

const named = 20

/** Refused documents with a day before, or on, that of something about to be sent. `late`: what is done about late documents. */
export const overtaken = Effect.fnUntraced(function* (
  sql: SqlClient,
  { zone }: MappingBook,
  late: "held" | "restamped"
) {
  const sent = sql.literal(
    `(refused = 0 and held is null and outcome in ('Dated', 'AtSubmission'${late === "restamped" ? ", 'Late'" : ""}))`
  )
  const refused = sql.literal("(refused = 1 and (outcome is null or outcome = 'Undatable'))")
  const [last] = yield* sql<{ readonly day: CivilDate.CivilDate | null }>`
    select max(day) as day from document where ${sent}`
  const day = last?.day ?? null
  if (day === null) return { count: 0, first: [] }
  const ofDay = yield* sql<{ readonly seq: number; readonly number: string; readonly is_sent: 0 | 1 }>`
    select seq, number, ${sent} as is_sent from document where day = ${day} and (${sent} or ${refused})`
  const inOrder = ReceiptDates.inOrder(
    ofDay.map((row) => ({ ...row, key: String(row.seq), date: day, original: null })),
    zone
  )
  const lastSent = inOrder.findLastIndex(({ is_sent }) => is_sent === 1)
  const before = inOrder.slice(0, lastSent).flatMap(({ is_sent, seq }) => (is_sent === 1 ? [] : [seq]))
  const isLate = sql`${refused} and (day < ${day} or seq in (select value from json_each(${JSON.stringify(before)})))`
  const [counted] = yield* sql<{ readonly count: number }>`select count(*) as count from document where ${isLate}`
  const first = yield* sql<{ readonly number: string }>`
    select number from document where ${isLate} order by place, seq limit ${named}`
  return { count: counted?.count ?? 0, first: first.map(({ number }) => number) }
})

/** Receipt dates day by day, and refused documents that the plan makes late. */
import { DateTime, Effect, Option, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import * as Finding from "../finding/Finding.ts"
import * as Provenance from "../finding/Provenance.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { civilDateOf } from "../translate/translate.ts"
import { DateFinding } from "../dating/DateFinding.ts"
import { firstSecond, lastSecond } from "../dating/ReceiptDates.ts"
import * as Mark from "../submission/ledger/Mark.ts"
import * as ReceiptDates from "../dating/ReceiptDates.ts"
import * as StatedDate from "../dating/StatedDate.ts"
import type { HoldCause } from "../submission/PlannedDocument.ts"
import {
  addFinding,
  type DatingRow,
  type DocumentRow,
  findingsOf,
  insert,
  type NoteRow,
  pages,
  perPage,
  type StoredRow
} from "./StagingArea.ts"

interface OfDay
  extends Pick<DocumentRow, "seq" | "key" | "number">, Pick<StoredRow, "kept" | "dated">, Pick<NoteRow, "original"> {
  readonly date: string
  readonly original_date: string | null
  readonly original_kept: number | null
}

/** Returns the receipt date of an earlier plan, otherwise the document's own date. */
const dateAs = (date: string, kept: number | null, { zone }: Pick<MappingBook, "zone">): StatedDate.StatedDate =>
  kept === null ? StatedDate.parse(date) : Instant.fromSeconds(kept, zone)

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
        date: dateAs(date, kept, book),
        ...(dated !== null && { dated }),
        original,
        ...ownMark(key),
        ...(original_date !== null && { originalDate: dateAs(original_date, original_kept, book) })
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

export interface LateCause extends Pick<Finding.Finding, "code" | "message" | "fix"> {
  readonly documents: number
  readonly earlier: number
  readonly first: ReadonlyArray<{ readonly number: string; readonly at: string | null }>
}

/**
 * Refused documents that this plan would make late: the count, the first numbers, and all causes
 * that refuse them.
 */
export interface Overtaken {
  readonly count: number
  readonly first: ReadonlyArray<string>
  readonly causes: ReadonlyArray<LateCause>
}

const named = 20
const namedOfEach = 5

interface Refused extends Pick<DocumentRow, "seq" | "key" | "number" | "date"> {
  readonly place: number
  readonly kept: number | null
  readonly dated: StoredRow["dated"]
  readonly findings: string
}

// the day of a refused document must be over, because the next run may be later
const afterAll = DateTime.makeUnsafe("9999-12-31T00:00:00Z")

/** Dates each alone, before and after `last`, the last receipt date of the plan in seconds. */
export const overtaken = Effect.fnUntraced(function* (
  sql: SqlClient,
  book: MappingBook,
  account: string,
  lane: Mark.LaneMark,
  last: number
) {
  if (last === Number.NEGATIVE_INFINITY) return { count: 0, first: [], causes: [] }
  const at = Instant.fromSeconds(last, book.zone)
  const later = (mark: Option.Option<Mark.Mark>): Option.Option<Mark.Mark> =>
    Mark.second(mark) >= last ? mark : Option.some({ at, cause: "attempt" })
  const reservedOf = Effect.fnUntraced(function* (day: CivilDate) {
    const taken = yield* sql<{ readonly second: number }>`select second from reserved
      where second between ${firstSecond(day, book.zone)} and ${lastSecond(day, book.zone)}`
    return new Set(taken.map(({ second }) => second))
  })
  const isOvertaken = Effect.fnUntraced(function* (document: ReceiptDates.Datable, own: Option.Option<Mark.Mark>) {
    const reserved = yield* reservedOf(civilDateOf(document.date, book.zone))
    const isLate = (mark: Option.Option<Mark.Mark>) =>
      ReceiptDates.assign([document], { book, mark, now: afterAll, reserved }).some(
        (dating) =>
          dating._tag === "Late" || (dating._tag === "Undatable" && dating.code === DateFinding.DATE_HAS_NO_ROOM)
      )
    return isLate(later(own)) && !isLate(own)
  })
  const exception = Mark.exception(lane)
  const excepted = exception?.account === account ? `${exception.kind} ${exception.id}` : undefined
  // most refused documents share their day, and documents of one date have one answer
  const answers = new Map<string, boolean>()
  let count = 0
  const first: Array<string> = []
  const causes = new Map<
    string,
    { finding: Finding.Finding; documents: number; first: Array<LateCause["first"][number]> }
  >()
  const add = ({ findings, number }: Refused) => {
    count += 1
    if (first.length < named) first.push(number)
    const found = (JSON.parse(findings) as ReadonlyArray<Finding.Finding>).filter(Finding.refuses)
    for (const [key, finding] of new Map(found.map((one) => [`${one.code}\n${one.message}`, one]))) {
      const cause = causes.get(key) ?? { finding, documents: 0, first: [] }
      causes.set(key, cause)
      cause.documents += 1
      const place = finding.at === undefined ? null : Provenance.format(finding.at)
      if (cause.first.length < namedOfEach) cause.first.push({ number, at: place })
    }
  }
  yield* Stream.runForEach(
    pages(
      (
        after: Refused | undefined
      ) => sql<Refused>`select staged.seq, place, key, number, date, stored.kept, stored.dated,
        ${sql.literal(findingsOf("staged.seq"))} as findings
      from staged left join stored using (seq)
      where refused and (staged.outcome is null or staged.outcome = 'Undatable') and date is not null
        and (place, staged.seq) > (${after?.place ?? -1}, ${after?.seq ?? 0}) order by place, staged.seq limit ${perPage}`
    ),
    Effect.fnUntraced(function* (row: Refused) {
      const isExcepted = row.key === excepted
      const name = `${row.date} ${row.kept} ${row.dated} ${isExcepted}`
      const date = dateAs(row.date!, row.kept, book)
      const document = {
        key: row.key,
        number: row.number,
        date,
        ...(row.dated !== null && { dated: row.dated }),
        original: null
      }
      const own = isExcepted && exception !== null ? Mark.of(lane, exception) : Mark.ofLane(lane)
      const isLate = answers.get(name) ?? (yield* isOvertaken(document, own))
      answers.set(name, isLate)
      if (!isLate) return
      add(row)
      yield* insert(sql, "overtaken", [{ seq: row.seq }])
    })
  )
  return {
    count,
    first,
    causes: Array.from(causes.values(), ({ documents, finding: { code, fix, message }, first }) => ({
      code,
      message,
      fix,
      documents,
      earlier: 0,
      first
    }))
  }
})

/** Decision about the held documents of an import, before anything is sent. */
export type HeldDecision = "restamp" | "historical" | "leave-out"

/**
 * Returns the available decisions. `restamp` is offered for late documents only if they are not
 * restamped already. Documents late despite restamping cannot be dated today.
 */
export const decisionsOf = (
  cause: HoldCause,
  { decided, timing }: { readonly decided: { readonly late: string }; readonly timing: "ordinary" | "historical" },
  book: Pick<MappingBook, "late">
): ReadonlyArray<HeldDecision> => [
  ...(cause === "late" && decided.late !== "restamp" && book.late !== "restamp" ? (["restamp"] as const) : []),
  ...(cause === "historical" && timing === "ordinary" ? (["historical"] as const) : []),
  "leave-out"
]

/** Ledger on the store. */
import { Array as Arr, Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"
import type { Ledger, NumberHolder } from "../../submission/ledger/Ledger.ts"
import type { LaneMark, Reached } from "../../submission/ledger/Mark.ts"
import { mayHaveReached } from "../rows/SettledSql.ts"
import { type Integer, keyOf, type SubmissionRow } from "../rows/Rows.ts"
import type { Queries } from "../database/Statements.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { Database } from "../database/Transaction.ts"
import { originalOf } from "../lanes/Originals.ts"
import * as Relations from "../lanes/Relations.ts"
import * as Replaced from "../lanes/Replaced.ts"
import * as SameSales from "./SameSales.ts"

interface ReachedRow extends Pick<SubmissionRow, "account" | "kind" | "id" | "number"> {
  readonly submission: Integer
  readonly receipt_text: string
}

const reached = (sql: Queries, lane: string, but: Integer) =>
  Effect.map(
    sql<ReachedRow>`select a.submission, a.receipt_text, s.account, s.kind, s.id, s.number
      from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
      where a.lane = ${lane} and ${mayHaveReached(sql)} and a.submission <> ${but}
      order by a.receipt_at desc limit 1`,
    ([row]): ReachedRow | undefined => row
  )

const reachedOf = (row: ReachedRow | undefined): Reached | null =>
  row === undefined
    ? null
    : {
        at: Stored.instant(row.receipt_text, () => `receipt_text of ${row.kind} ${row.id}`),
        key: keyOf(row),
        number: row.number as DocumentNumber
      }

// submissions are counted from 1
const none = 0

export const mark = (sql: Queries, lane: string): Effect.Effect<LaneMark, SqlError> =>
  Effect.gen(function* () {
    const latest = yield* reached(sql, lane, none)
    const another = latest === undefined ? undefined : yield* reached(sql, lane, latest.submission)
    const [row] = yield* sql<{ readonly closed_text: string | null }>`
      select closed_text from fiscal_lane where lane = ${lane}`
    const closed = Option.flatMap(Option.fromNullishOr(row?.closed_text), Instant.parse)
    return { latest: reachedOf(latest), another: reachedOf(another), closed: Option.getOrNull(closed) }
  })

export const make = ({ read }: Database): Ledger => ({
  holders: read("look up numbers", (sql, taxpayer, numbers) =>
    Effect.map(
      Effect.forEach(
        Arr.chunksOf(numbers, 1000),
        (some) => sql<NumberHolder>`select number, account, kind, id from fiscal_number
          where taxpayer = ${taxpayer} and ${sql.in("number", some)}`
      ),
      (found) => found.flat()
    )
  ),
  original: read("look up an original", (sql, account, { by, value }) =>
    Effect.gen(function* () {
      if (by === "id") return yield* originalOf(sql, account, value)
      const column = sql(by === "fold" ? "folded" : "number")
      const [holder, another] = yield* sql<{ readonly account: string; readonly id: string }>`select n.account, n.id
        from fiscal_number n join fiscal_account a on a.taxpayer = n.taxpayer
        where a.account = ${account} and n.${column} = ${value} and n.kind = 'invoice'`
      return holder === undefined || another !== undefined
        ? Option.none()
        : yield* originalOf(sql, holder.account, holder.id)
    })
  ),
  registered: read("look up registered originals", SameSales.registered),
  besidePrepared: read("look up prepared notes", (sql, account, numbers) =>
    Effect.map(
      sql<{
        readonly number: string
        readonly note: string | null
      }>`select s.number, n.id as note from fiscal_submission s
        left join fiscal_submission n on n.original_account = s.account and n.original_id = s.id and n.made = 'here'
        where s.account = ${account} and s.kind = 'invoice' and ${sql.in("s.number", numbers)}
          and exists (select 1 from fiscal_submission h where h.account = s.account and h.made = 'here')`,
      (rows) =>
        [...Map.groupBy(rows, ({ number }) => number)].map(([number, notes]) => ({
          number,
          notes: notes.flatMap(({ note }) => note ?? [])
        }))
    )
  ),
  alike: read("look up spellings of numbers", SameSales.alike),
  settledPairs: read("look up settled questions", Relations.settledPairs),
  alikeInAll: read("look up open questions", Relations.alikeInAll),
  replacement: read("look up what a document replaces", Replaced.holdsStated),
  spellings: read("look up other spellings", Relations.spellings),
  mark: read("look up a mark", mark),
  latestReceiptDate: read("look up receipt dates", (sql, lane, from, until) =>
    Effect.map(
      sql<{ readonly receipt_text: string }>`select receipt_text from fiscal_submission
        where lane = ${lane} and receipt_at is not null
        and receipt_at >= ${Instant.seconds(from)} and receipt_at <= ${Instant.seconds(until)}
        order by receipt_at desc limit 1`,
      ([row]) => Option.flatMap(Option.fromNullishOr(row?.receipt_text), Instant.parse)
    )
  )
})

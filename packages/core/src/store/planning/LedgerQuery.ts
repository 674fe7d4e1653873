/**
 * preflight's Ledger on the store: used numbers, originals with their credited amounts, the lane's
 * mark.
 */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"
import type { Original } from "../../submission/ledger/Original.ts"
import type { Ledger, NumberHolder } from "../../submission/ledger/Ledger.ts"
import type { LaneMark, Reached } from "../../submission/ledger/Mark.ts"
import type { StoreError } from "../../submission/ledger/StoreError.ts"
import { mayHaveReached } from "../rows/SettledSql.ts"
import { type Integer, keyOf, type SubmissionRow } from "../rows/Rows.ts"
import type { Queries } from "../database/Statements.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { Database } from "../database/Transaction.ts"
import { originalOf } from "../lanes/Originals.ts"
import * as Relations from "../lanes/Relations.ts"
import * as Replaced from "../lanes/Replaced.ts"
import * as SameSales from "./SameSales.ts"

type Read<A> = Effect.Effect<A, SqlError | StoreError>

const holders = (sql: SqlClient, taxpayer: string, numbers: ReadonlyArray<string>): Read<ReadonlyArray<NumberHolder>> =>
  Effect.gen(function* () {
    const found: Array<NumberHolder> = []
    for (let from = 0; from < numbers.length; from += 1000) {
      const rows = yield* sql<Omit<NumberHolder, "number"> & { readonly number: string }>`
        select number, account, kind, id from fiscal_number
        where taxpayer = ${taxpayer} and ${sql.in("number", numbers.slice(from, from + 1000))}`
      for (const row of rows) {
        found.push({ number: row.number as DocumentNumber, account: row.account, kind: row.kind, id: row.id })
      }
    }
    return found
  })

const byNumber = (
  sql: SqlClient,
  account: string,
  column: "number" | "folded",
  wanted: string
): Read<Option.Option<Original>> =>
  Effect.gen(function* () {
    const rows = yield* sql<{
      readonly account: string
      readonly id: string
    }>`select n.account, n.id from fiscal_number n
      join fiscal_account a on a.taxpayer = n.taxpayer
      where a.account = ${account} and n.${sql(column)} = ${wanted} and n.kind = 'invoice'`
    const [holder, another] = rows
    return holder === undefined || another !== undefined
      ? Option.none()
      : yield* originalOf(sql, holder.account, holder.id)
  })

interface ReachedRow extends Pick<SubmissionRow, "account" | "kind" | "id" | "number"> {
  readonly submission: Integer
  readonly receipt_text: string
}

/**
 * Reads the latest receipt date of the lane that may have reached the device, excluding one
 * submission.
 */
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

/** Reads the facts from which the mark of each document in the lane follows. */
export const mark = (sql: Queries, lane: string): Effect.Effect<LaneMark, SqlError> =>
  Effect.gen(function* () {
    const latest = yield* reached(sql, lane, none)
    const another = latest === undefined ? undefined : yield* reached(sql, lane, latest.submission)
    const [row] = yield* sql<{ readonly closed_text: string | null }>`
      select closed_text from fiscal_lane where lane = ${lane}`
    const closed = Option.flatMap(Option.fromNullishOr(row?.closed_text), Instant.parse)
    return { latest: reachedOf(latest), another: reachedOf(another), closed: Option.getOrNull(closed) }
  })

const latestReceiptDate = (sql: SqlClient, lane: string, from: Instant.Instant, until: Instant.Instant) =>
  Effect.map(
    sql<{ readonly receipt_text: string }>`select receipt_text from fiscal_submission
      where lane = ${lane} and receipt_at is not null
      and receipt_at >= ${Instant.seconds(from)} and receipt_at <= ${Instant.seconds(until)}
      order by receipt_at desc limit 1`,
    ([row]) => Option.flatMap(Option.fromNullishOr(row?.receipt_text), Instant.parse)
  )

export const make = ({ read, sql }: Database): Ledger => ({
  holders: (taxpayer, numbers) => read("look up numbers", holders(sql, taxpayer, numbers)),
  registered: (account, ids) => read("look up registered originals", SameSales.registered(sql, account, ids)),
  alike: (taxpayer, folds) => read("look up spellings of numbers", SameSales.alike(sql, taxpayer, folds)),
  settledPairs: (keys) => read("look up settled questions", Relations.settledPairs(sql, keys)),
  alikeInAll: (keys) => read("look up open questions", Relations.alikeInAll(sql, keys)),
  replacement: (of, stated) =>
    read(
      "look up what a document replaces",
      Effect.flatMap(Replaced.keyOfStated(sql, of, stated), (other) => Replaced.holdsReplacement(sql, other))
    ),
  spellings: (account) => read("look up other spellings", Relations.spellings(sql, account)),
  original: (account, { by, value }) =>
    read(
      "look up an original",
      by === "id" ? originalOf(sql, account, value) : byNumber(sql, account, by === "fold" ? "folded" : "number", value)
    ),
  mark: (lane) => read("look up a mark", mark(sql, lane)),
  latestReceiptDate: (lane, from, until) => read("look up receipt dates", latestReceiptDate(sql, lane, from, until))
})

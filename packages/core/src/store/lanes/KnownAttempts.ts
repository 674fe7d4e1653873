/** Newest attempt of each lane and last acceptance of an older copy, to compare the store with. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import {
  type Acceptance,
  compare,
  isUnproven,
  merge,
  type NewestAttempt,
  type StoreMarks,
  type MarkComparison
} from "../../submission/ledger/NewestAttempt.ts"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Place from "../database/Place.ts"
import * as StoredStop from "../database/StoredStop.ts"
import type { LaneRow } from "./Lanes.ts"
import type { Compared } from "./ReceiptGaps.ts"
import type { Queries } from "../database/Statements.ts"
import type { Transaction } from "../database/Transaction.ts"
import { type Integer, number } from "../rows/Rows.ts"

interface OwnAttempts {
  readonly first: number
  readonly last: number
}

export interface KnownOfLane {
  readonly accepted: Acceptance | null
  /** Undefined if this process knows no attempt since the acceptance. */
  readonly newest: NewestAttempt | undefined
  readonly compared: Compared
  readonly isCompared: () => void
  /** First and last attempt that this process began. */
  readonly own: OwnAttempts | undefined
}

/**
 * Memory of one process for one open store. Goes only forward: older marks never replace newer
 * ones.
 */
export interface KnownAttempts {
  readonly of: (lane: string) => KnownOfLane
  readonly all: () => StoreMarks
  readonly begun: (attempt: NewestAttempt, accepted: Acceptance | null) => void
  readonly seen: (marks: StoreMarks) => void
  readonly comparedDays: (lane: string) => void
}

export const make = (): KnownAttempts => {
  let accepted: Acceptance | null = null
  const newest = new Map<string, NewestAttempt>()
  const compared = new Map<string, Compared>()
  const own = new Map<string, OwnAttempts>()
  const all = (): StoreMarks => ({ accepted, newest: [...newest.values()] })
  const seen = (marks: StoreMarks) => {
    const merged = merge(all(), marks)
    accepted = merged.accepted
    newest.clear()
    for (const one of merged.newest) newest.set(one.lane, one)
  }
  return {
    of: (lane) => ({
      accepted,
      newest: newest.get(lane),
      compared: compared.get(lane) ?? "nothing",
      isCompared: () => void compared.set(lane, "everything"),
      own: own.get(lane)
    }),
    comparedDays: (lane) => void compared.set(lane, "days"),
    all,
    // runs for every document
    begun: (attempt, now) => {
      own.set(attempt.lane, { first: own.get(attempt.lane)?.first ?? attempt.attempt, last: attempt.attempt })
      const before = compared.get(attempt.lane) ?? "nothing"
      if (before === "nothing" || before === "days") compared.set(attempt.lane, attempt.attempt)
      if (compare(accepted, now) === "same") newest.set(attempt.lane, attempt)
      else seen({ accepted: now, newest: [attempt] })
    },
    seen
  }
}

type StandingRow = Pick<LaneRow, "lane" | "attempts" | "newest" | "newest_token" | "newest_begun">

const newestOf = (row: StandingRow): ReadonlyArray<NewestAttempt> =>
  row.newest === null || row.newest_token === null
    ? []
    : [
        {
          lane: row.lane,
          number: number(row.attempts),
          attempt: number(row.newest),
          token: row.newest_token,
          begunAt: number(row.newest_begun ?? 0)
        }
      ]

/**
 * Remembers the newest attempts of the lanes just read, including attempts of other processes: the
 * other process may be gone when an older copy of the store is restored. A known attempt that the
 * store lacks stays the known one.
 */
export const look = (
  known: KnownAttempts,
  rows: ReadonlyArray<StandingRow>,
  compare: Effect.Effect<unknown, SqlError>
): Effect.Effect<void, SqlError> => {
  const isNews = rows.flatMap(newestOf).some(({ lane, token }) => known.of(lane).newest?.token !== token)
  return isNews ? Effect.asVoid(compare) : Effect.void
}

export const readAcceptance = (sql: Queries): Effect.Effect<Acceptance | null, SqlError> =>
  Effect.map(
    sql<{ readonly accepted: Integer; readonly accepted_token: string | null }>`select accepted, accepted_token
      from fiscal_store`,
    ([row]) =>
      row === undefined || row.accepted_token === null
        ? null
        : { number: number(row.accepted), token: row.accepted_token }
  )

type Comparison = Omit<MarkComparison, "place" | "stop">

const comparison = (sql: Queries, known: KnownAttempts, witnessed: StoreMarks): Effect.Effect<Comparison, SqlError> =>
  Effect.gen(function* () {
    const accepted = yield* readAcceptance(sql)
    const compared = [known.all(), witnessed].map((marks) => ({ ...marks, is: compare(marks.accepted, accepted) }))
    const acceptance = compared.some(({ is }) => is === "lost") ? "lost" : "kept"
    const asked = compared.flatMap(({ is, newest }) => (is === "same" ? newest : []))
    const ids = [...new Set(asked.map(({ attempt }) => attempt))]
    const rows =
      ids.length === 0
        ? []
        : yield* sql<{
            readonly id: Integer
            readonly token: string | null
          }>`select id, token from fiscal_attempt where ${sql.in("id", ids)}`
    const tokens = new Map(rows.map(({ id, token }) => [number(id), token]))
    const missing = asked.filter(({ attempt, token }) => tokens.get(attempt) !== token)
    const lanes = yield* sql<StandingRow>`select lane, attempts, newest, newest_token, newest_begun from fiscal_lane`
    return { missing, acceptance, accepted, newest: lanes.flatMap(newestOf), known: asked.length }
  })

/**
 * Compares the store with the memory of this process and with `witnessed`, inside a transaction.
 * Remembers nothing, because an attempt that the transaction contains may never be committed.
 */
export const compareWithin = ({ sql }: Transaction, known: KnownAttempts, witnessed: StoreMarks) =>
  comparison(sql, known, witnessed)

/**
 * Compares the store with the memory of this process and with `witnessed`, and remembers what the
 * store has. Remembers nothing of an unproven store: its own attempts would prove it.
 */
export const compareMarks = (
  sql: SqlClient,
  known: KnownAttempts,
  witnessed: StoreMarks
): Effect.Effect<MarkComparison, SqlError> =>
  Effect.gen(function* () {
    const compared = yield* comparison(sql, known, witnessed)
    const found = { ...compared, place: yield* Place.read(sql), stop: yield* StoredStop.read(sql) }
    const { acceptance, accepted, missing, newest } = found
    const lost = new Set(missing.map(({ lane }) => lane))
    if (acceptance === "kept" && (found.known > 0 || !isUnproven(found)))
      known.seen({ accepted, newest: newest.filter(({ lane }) => !lost.has(lane)) })
    return found
  })

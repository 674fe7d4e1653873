/** Remembers the newest attempt of each lane, and compares the store with it. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isPardoned, type NewestAttempt, type StoreStanding } from "../../ledger/NewestAttempt.ts"
import type { LaneRow } from "./Lanes.ts"
import { type Integer, number } from "../rows/Rows.ts"

/** Memory of one process for one open store. */
export interface KnownAttempts {
  readonly of: (lane: string) => NewestAttempt | undefined
  readonly all: () => ReadonlyArray<NewestAttempt>
  /** Records a committed attempt of this process. */
  readonly begun: (attempt: NewestAttempt) => void
  /** Records an attempt that was read from a complete store. A newer attempt of this process stays. */
  readonly seen: (attempt: NewestAttempt, acceptedAt: number | null) => void
}

export const make = (): KnownAttempts => {
  const known = new Map<string, NewestAttempt>()
  return {
    of: (lane) => known.get(lane),
    all: () => [...known.values()],
    begun: (attempt) => void known.set(attempt.lane, attempt),
    seen: (attempt, acceptedAt) => {
      const before = known.get(attempt.lane)
      if (before === undefined || before.number <= attempt.number || isPardoned(before, acceptedAt)) {
        known.set(attempt.lane, attempt)
      }
    }
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
 * Remembers the newest attempts of lanes as a look at them shows, whoever began them: the process that began them may be gone when the store goes back.
 * Where the known attempt is missing, it stays the known one.
 */
export const look = (
  sql: SqlClient,
  known: KnownAttempts,
  rows: ReadonlyArray<StandingRow>
): Effect.Effect<void, SqlError> => {
  const news = rows.flatMap(newestOf).filter(({ lane, token }) => known.of(lane)?.token !== token)
  return news.length === 0 ? Effect.void : Effect.asVoid(standing(sql, known, []))
}

/** Compares the store with the attempts known to this process, and with `witnessed`. */
export const standing = (
  sql: SqlClient,
  known: KnownAttempts,
  witnessed: ReadonlyArray<NewestAttempt>
): Effect.Effect<Omit<StoreStanding, "place">, SqlError> =>
  Effect.gen(function* () {
    const [store] = yield* sql<{ readonly accepted_at: Integer | null }>`select accepted_at from fiscal_store`
    const accepted = store?.accepted_at ?? null
    const acceptedAt = accepted === null ? null : number(accepted)
    const asked = [...known.all(), ...witnessed].filter((one) => !isPardoned(one, acceptedAt))
    const lanes = yield* sql<StandingRow>`select lane, attempts, newest, newest_token, newest_begun from fiscal_lane`
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
    const newest = lanes.flatMap(newestOf)
    const lost = new Set(missing.map(({ lane }) => lane))
    for (const one of newest) if (!lost.has(one.lane)) known.seen(one, acceptedAt)
    return { missing, newest, known: asked.length, acceptedAt }
  })

/** Reads lanes with work to do, without claiming, for a worker to choose from. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { unmarked } from "../../submission/ledger/NewestAttempt.ts"
import type { ClaimableLane, LaneFeeder } from "../../submission/Lane.ts"
import type { State } from "../../submission/Submission.ts"
import * as KnownAttempts from "./KnownAttempts.ts"
import { type LaneRow, stopOf, stopOfStore } from "./Lanes.ts"
import * as StoredStop from "../database/StoredStop.ts"
import { number } from "../rows/Rows.ts"

/**
 * Reads lanes with a document that nothing in the lane blocks, an Unknown that may be explained, a
 * Sending document whose sender may be gone, or an accepted import with waiting documents.
 */
export const claimable = (
  sql: SqlClient,
  now: number,
  accounts: ReadonlyArray<LaneFeeder>,
  known: KnownAttempts.KnownAttempts
): Effect.Effect<ReadonlyArray<ClaimableLane>, SqlError> => {
  if (accounts.length === 0) return Effect.succeed([])
  const fedBy = (some: ReadonlyArray<LaneFeeder>) => {
    const names = some.map(({ account }) => account)
    return names.length === 0
      ? sql`1 = 0`
      : sql`l.lane in (select f.lane from fiscal_account f where ${sql.in("f.account", names)})`
  }
  const has = (state: State) =>
    sql`exists (select 1 from fiscal_submission s where s.lane = l.lane and s.state = ${state})`
  // working the lane hands these documents over
  const waits = sql`exists (select 1 from fiscal_import i join fiscal_account n on n.account = i.account
    where n.lane = l.lane and i.standing = 'accepted')`
  const patient = fedBy(accounts.filter(({ continueAfter }) => continueAfter === "outcome"))
  const shared = sql`(select count(*) from fiscal_account n where n.lane = l.lane) > 1`
  return Effect.zipWith(
    Effect.tap(
      sql<LaneRow>`select l.* from fiscal_lane l
      where ${fedBy(accounts)} and (${has("Sending")} or ${waits}
        or (${has("Unknown")} and ${fedBy(accounts.filter(({ unknown }) => unknown === "explained"))})
        or (${has("Planned")} and not ${has("Unknown")} and not ((${shared} or ${patient}) and ${has("Accepted")})))
      order by l.lane`,
      (rows) => KnownAttempts.look(known, rows, KnownAttempts.compareMarks(sql, known, unmarked))
    ),
    StoredStop.read(sql),
    (rows, stopped) =>
      rows.map((row) => ({
        lane: row.lane,
        holder: row.holder,
        lease: row.holder !== null && number(row.leased_until) > now ? "live" : "over",
        stop: stopped === null ? stopOf(row) : stopOfStore(stopped)
      }))
  )
}

/** Returns the accounts with an awaited outcome whose next look is due. */
export const pollable = (
  sql: SqlClient,
  now: number,
  accounts: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  accounts.length === 0
    ? Effect.succeed([])
    : Effect.map(
        sql<{ readonly account: string }>`select account from fiscal_attempt
          where poll_at is not null and poll_at <= ${now} and ${sql.in("account", accounts)} group by account`,
        (rows) => rows.map(({ account }) => account)
      )

/** What there is to do, read without claiming anything: what a worker chooses from. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { ClaimableLane } from "../Lane.ts"
import { type LaneRow, stopOf } from "./Lanes.ts"
import { number } from "./Rows.ts"

/** Lanes with a document that nothing in the lane keeps back, or with one whose sender may be gone. `patient` wait for every outcome (ORD-1). */
export const claimable = (
  sql: SqlClient,
  now: number,
  accounts: ReadonlyArray<string>,
  patient: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<ClaimableLane>, SqlError> => {
  if (accounts.length === 0) return Effect.succeed([])
  const waiting =
    patient.length === 0
      ? sql``
      : sql`or l.lane in (select p.lane from fiscal_account p where ${sql.in("p.account", patient)})`
  const has = (states: ReadonlyArray<string>) =>
    sql`exists (select 1 from fiscal_submission s where s.lane = l.lane and ${sql.in("s.state", states)})`
  return Effect.map(
    sql<LaneRow>`select l.* from fiscal_lane l
      where l.lane in (select a.lane from fiscal_account a where ${sql.in("a.account", accounts)})
        and (${has(["Sending"])}
          or (${has(["Planned"])} and not ${has(["Unknown"])}
            and not (((select count(*) from fiscal_account n where n.lane = l.lane) > 1 ${waiting}) and ${has(["Accepted"])})))
      order by l.lane`,
    (rows) =>
      rows.map((row) => ({
        lane: row.lane,
        holder: row.holder,
        lease: row.holder !== null && number(row.leased_until) > now ? "live" : "over",
        stop: stopOf(row)
      }))
  )
}

/** Those of the accounts that await an outcome whose next look is due. */
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

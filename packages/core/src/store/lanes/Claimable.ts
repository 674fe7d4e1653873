/** Operations of lanes, and the lanes with work to do for a worker to choose from. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Instant from "../../document/Instant.ts"
import { unmarked } from "../../submission/ledger/NewestAttempt.ts"
import type { ClaimableLane, LaneFeeder, LaneLease, LaneOperations } from "../../submission/Lane.ts"
import type { State } from "../../submission/Submission.ts"
import * as KnownAttempts from "./KnownAttempts.ts"
import * as Lanes from "./Lanes.ts"
import * as StoredStop from "../database/StoredStop.ts"
import type { Database, ReadContext } from "../database/Transaction.ts"
import { number } from "../rows/Rows.ts"

/**
 * A document that nothing in the lane blocks, an Unknown that may be explained, a Sending document
 * whose sender may be gone, or an accepted import with waiting documents.
 */
const claimable = (
  { now, sql }: ReadContext,
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
  // as text: PostgreSQL's plan for any state reads all documents, most of which have another state
  const has = (state: State) =>
    sql.literal(`exists (select 1 from fiscal_submission s where s.lane = l.lane and s.state = '${state}')`)
  // working the lane hands these documents over
  const waits = sql`exists (select 1 from fiscal_import i join fiscal_account n on n.account = i.account
    where n.lane = l.lane and i.standing = 'accepted')`
  const patient = fedBy(accounts.filter(({ continueAfter }) => continueAfter === "outcome"))
  const shared = sql`(select count(*) from fiscal_account n where n.lane = l.lane) > 1`
  return Effect.zipWith(
    Effect.tap(
      sql<Lanes.LaneRow>`select l.* from fiscal_lane l
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
        stop: stopped === null ? Lanes.stopOf(row) : Lanes.stopOfStore(stopped)
      }))
  )
}

const tokenOf = ({ fence, lane }: LaneLease) => `${fence} ${lane}`

export const make = (
  { leases, read, readAt, record, write }: Database,
  known: KnownAttempts.KnownAttempts
): LaneOperations => {
  const claim = write("claim a lane", Lanes.claim)
  const release = record("release a lane", ({ sql }, { fence, lane }: LaneLease) =>
    Effect.asVoid(sql`update fiscal_lane set holder = null, leased_until = 0 where lane = ${lane} and fence = ${fence}`)
  )
  return {
    know: write("know a device", (transaction, lane) =>
      Effect.gen(function* () {
        const { now, sql } = transaction
        yield* Lanes.ensure(transaction, lane)
        yield* sql`update fiscal_lane set known_at = ${now} where lane = ${lane} and known_at is null`
      })
    ),
    claim: (...args) =>
      Effect.tap(claim(...args), (claim) =>
        Effect.sync(() => (claim._tag === "Claimed" ? leases.add(tokenOf(claim.lease)) : undefined))
      ),
    release: (lease) =>
      Effect.ensuring(
        release(lease),
        Effect.sync(() => leases.delete(tokenOf(lease)))
      ),
    stop: write("stop a lane", (transaction, lane, stop) => Lanes.stop(transaction, lane, stop)),
    restart: write("restart a lane", Lanes.restart),
    lanes: read("list lanes", Lanes.views),
    claimable: readAt("look for lanes to work", (reading, accounts) => claimable(reading, accounts, known)),
    closeDay: write("close a day", (transaction, lane, closedAt) =>
      Effect.gen(function* () {
        yield* Lanes.ensure(transaction, lane)
        const at = Instant.seconds(closedAt)
        yield* transaction.sql`update fiscal_lane set closed_at = ${at}, closed_text = ${Instant.format(closedAt)}
          where lane = ${lane} and (closed_at is null or closed_at < ${at})`
      })
    )
  }
}

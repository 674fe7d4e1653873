/** Operations of outcomes, and the requests whose next look is due. */
import { Array as Arr, DateTime, Duration, Effect, Option } from "effect"
import type { RequestId } from "../../document/Identifiers.ts"
import type { OutcomeOperations } from "../../submission/Outcome.ts"
import { type Database, ifNeeded } from "../database/Transaction.ts"
import type * as KnownAttempts from "../lanes/KnownAttempts.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { confirm } from "./Confirmation.ts"
import * as Evidence from "./Evidence.ts"
import * as Failures from "./Failures.ts"
import * as Unknowns from "./Unknowns.ts"

export const make = (
  { read, readAt, record, write }: Database,
  known: KnownAttempts.KnownAttempts
): OutcomeOperations => {
  const hasten = write("hasten polls", ({ now, sql }, account: string, requestIds: ReadonlyArray<RequestId>) =>
    Effect.forEach(
      Arr.chunksOf(requestIds, 500),
      (ids) => sql`update fiscal_attempt set poll_at = ${now}
        where account = ${account} and poll_at > ${now} and ${sql.in("request_id", ids)}`,
      { discard: true }
    )
  )
  return {
    recordOutcomes: record("record outcomes", Evidence.recordDelivered),
    recordOpening: ifNeeded(
      read("read the facts of an account", (sql, account, facts) =>
        Effect.map(Failures.isOpening(sql, account, facts), (isKnown) => !isKnown)
      ),
      write("record the facts of an account", (transaction, account, facts) =>
        Effect.asVoid(Failures.opening(transaction, account, facts))
      ),
      undefined
    ),
    pollable: readAt("look for due polls", ({ now, sql }, accounts) =>
      accounts.length === 0
        ? Effect.succeed([])
        : Effect.map(
            sql<{ readonly account: string }>`select account from fiscal_attempt
              where poll_at is not null and poll_at <= ${now} and ${sql.in("account", accounts)} group by account`,
            (rows) => rows.map(({ account }) => account)
          )
    ),
    duePolls: ifNeeded(
      readAt("look for due polls", ({ now, sql }, ...[account]: Parameters<OutcomeOperations["duePolls"]>) =>
        Effect.map(
          sql`select 1 from fiscal_attempt where account = ${account} and poll_at is not null and poll_at <= ${now} limit 1`,
          ({ length }) => length > 0
        )
      ),
      // postpones the next look, so that another poller does not ask for the same
      write("look for due polls", ({ dialect, now, sql }, account, limit, lease) =>
        Effect.map(
          sql<{ readonly request_id: RequestId }>`update fiscal_attempt set poll_at = ${now + Duration.toMillis(lease)}
            where id in (select id from fiscal_attempt
              where account = ${account} and poll_at is not null and poll_at <= ${now}
              order by known_at, id limit ${limit} ${dialect.skipLocked})
            returning request_id`,
          (rows) => [...new Set(rows.map(({ request_id }) => request_id))]
        )
      ),
      []
    ),
    hastenPolls: (account, requestIds) => (requestIds.length === 0 ? Effect.void : hasten(account, requestIds)),
    // by this machine's clock, because the wait is on this machine
    nextPoll: readAt("look for the next poll", ({ hostNow, now, sql }, account) =>
      Effect.map(
        sql<{ readonly at: Integer | null }>`select min(a.poll_at) as at
          from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
          where a.account = ${account} and a.poll_at is not null and s.state in ('Planned', 'Sending', 'Accepted', 'Unknown')
          and not exists (select 1 from fiscal_outcome o where o.attempt = a.id and o.outcome = 'Rejected')`,
        ([row]) => Option.map(Option.fromNullishOr(row?.at), (at) => DateTime.makeUnsafe(number(at) + hostNow - now))
      )
    ),
    recordPoll: record("record a poll", Evidence.recordPoll),
    confirmRejections: record("confirm rejections", confirm),
    resendUnknown: write("resend", Unknowns.resend),
    joinByElimination: write("join outcomes", (transaction, account) =>
      Unknowns.joinByElimination(transaction, known, account)
    )
  }
}

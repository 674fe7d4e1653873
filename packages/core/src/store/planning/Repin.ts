/**
 * Pinned on first use, and moved, with the unsent documents, to a replacement by an operator's
 * decision.
 */
import { Effect, Option } from "effect"
import * as Mark from "../../submission/ledger/Mark.ts"
import type { ImportOperations } from "../../submission/KeptImport.ts"
import type { Pin, PinOperations, Repinning } from "../../submission/Pin.ts"
import * as NewDates from "../lanes/NewDates.ts"
import { ensure, laneRow, pin, pinnedTo, restart } from "../lanes/Lanes.ts"
import * as LedgerQuery from "./LedgerQuery.ts"
import { count } from "../database/Journal.ts"
import { type Integer, keyOf, number, type SubmissionRow } from "../rows/Rows.ts"
import { isOpen } from "../rows/SettledSql.ts"
import type { Database, SqlEffect, Transaction } from "../database/Transaction.ts"
import * as OperatorRecords from "../evidence/OperatorRecords.ts"
import { amend, move, note } from "../lanes/Transition.ts"

const named = 5

/** In flight, with unknown outcome, or tried and waiting for another try. */
const inFlight = ({ sql }: Transaction, account: string) =>
  sql<Pick<SubmissionRow, "number" | "state">>`select s.number, s.state from fiscal_submission s
    where s.account = ${account} and (s.state in ('Sending', 'Accepted', 'Unknown')
      or (s.state in ('Planned', 'Held')
        and exists (select 1 from fiscal_attempt a where a.submission = s.seq and ${isOpen(sql)})))
    order by s.seq limit ${named + 1}`

const refusal = (
  transaction: Transaction,
  pin: Pin,
  pinned: { readonly lane: string } & Pick<Pin, "environment" | "taxpayer">
) =>
  Effect.gen(function* () {
    const refused = (reason: Extract<Repinning, { _tag: "Refused" }>["reason"], text: string): Repinning => ({
      _tag: "Refused",
      reason,
      text
    })
    const { account, environment, lane, taxpayer } = pin
    if (pinned.taxpayer !== taxpayer) {
      return refused(
        "other-taxpayer",
        `device ${lane} belongs to the taxpayer ${taxpayer}, and the documents of account ${account} to ${pinned.taxpayer}: the new device is to have an account of another name`
      )
    }
    if (pinned.environment !== environment) {
      return refused(
        "other-environment",
        `device ${lane} is of the environment ${environment}, and account ${account} of ${pinned.environment}: the new device is to have an account of another name`
      )
    }
    const open = yield* inFlight(transaction, account)
    if (open.length === 0) return null
    const names = open.slice(0, named).map(({ number, state }) => `${number} is ${state}`)
    const more = open.length > named ? " and others" : ""
    return refused(
      "in-flight",
      `not all that was sent to device ${pinned.lane} is settled: ${names.join(", ")}${more}. Their outcomes there must be known first: ask for the outcomes, and decide about documents without one`
    )
  })

const isDated = (row: SubmissionRow): row is SubmissionRow & NewDates.DatedRow =>
  row.receipt_at !== null && row.receipt_text !== null

const datesOn = (transaction: Transaction, lane: string, rows: ReadonlyArray<SubmissionRow>) =>
  Effect.gen(function* () {
    const { sql } = transaction
    const marks = yield* LedgerQuery.mark(sql, lane)
    const taken = yield* sql<{ readonly at: Integer }>`select receipt_at as at from fiscal_submission
      where lane = ${lane} and state = 'Planned' and receipt_at is not null`
    return NewDates.make(
      rows.filter(isDated),
      (row) => Mark.second(Mark.of(marks, keyOf(row))),
      taken.map(({ at }) => number(at))
    )
  })

const moveOne = (
  transaction: Transaction,
  row: SubmissionRow,
  lane: string,
  date: NewDates.NewDate | undefined,
  because: string
) =>
  Effect.gen(function* () {
    yield* amend(transaction, row, { lane, ...date })
    count(transaction, row.lane, row.state, -1)
    count(transaction, lane, row.state, 1)
    const dated = date === undefined ? "" : `; its receipt date becomes ${date.receipt_text}`
    note(transaction, row, "noted", `moved from device ${row.lane} to ${lane}: ${because}${dated}`)
    // documents that were late on the old device may be on time here; the new lane holds late
    // documents again
    if (row.state === "Held" && (row.hold_cause === "late" || row.hold_cause === "historical")) {
      yield* move(transaction, { ...row, lane }, "Planned", "released", {
        text: `it was late on device ${row.lane}, which is not to say on ${lane}`
      })
    }
  })

const repin = (transaction: Transaction, pin: Pin, because: string): SqlEffect<Repinning> =>
  Effect.gen(function* () {
    const { dialect, sql } = transaction
    const { account, environment, lane, origin = null, serial = null, taxpayer, zone = null } = pin
    const unworked_after = pin.unworkedAfterSeconds ?? null
    const pinned = yield* pinnedTo(transaction, account)
    yield* ensure(transaction, lane)
    if (pinned === undefined) {
      yield* sql`insert into fiscal_account ${sql.insert({ account, lane, taxpayer, environment, serial, zone, origin, unworked_after })}`
      return { _tag: "Repinned", moved: 0, redated: 0 }
    }
    const refused = yield* refusal(transaction, pin, pinned)
    if (refused !== null) return refused
    yield* sql`update fiscal_account set ${sql.update({ lane, serial, zone: zone ?? pinned.zone })} where account = ${account}`
    const unsent = yield* sql<SubmissionRow>`select * from fiscal_submission
      where account = ${account} and lane <> ${lane} and state in ('Planned', 'Held')
      order by lane_order, seq ${dialect.forUpdate}`
    const dates = yield* datesOn(transaction, lane, unsent)
    for (const row of unsent) yield* moveOne(transaction, row, lane, dates.get(row.seq), because)
    if ((yield* laneRow(transaction, pinned.lane))?.stop_account === account) yield* restart(transaction, pinned.lane)
    return { _tag: "Repinned", moved: unsent.length, redated: dates.size }
  })

export const make = ({ read, write }: Database, handOver: ImportOperations["handOver"]): PinOperations => {
  const moved = write("move an account", (transaction, pin: Pin, because: string) =>
    Effect.tap(repin(transaction, pin, because), (answer) =>
      answer._tag === "Refused"
        ? Effect.void
        : OperatorRecords.add(transaction, {
            act: "repin",
            account: pin.account,
            subject: pin.lane,
            what: `${answer.moved} documents move to the device`,
            because
          })
    )
  )
  return {
    pin: write("pin an account", pin),
    pinOf: read("read a pin", (sql, account) => Effect.map(pinnedTo({ sql }, account), Option.fromNullishOr)),
    trustOrigin: write("trust an origin", (transaction, account, origin, because) =>
      Effect.gen(function* () {
        yield* transaction.sql`update fiscal_account set origin = ${origin} where account = ${account}`
        const what = "the key of the account may be sent there"
        yield* OperatorRecords.add(transaction, { act: "trust-origin", account, subject: origin, what, because })
      })
    ),
    // waiting documents were made for the old device, and move with the planned documents
    repin: (pin, because) =>
      Effect.andThen(Effect.repeat(handOver([pin.account]), { until: Option.isNone }), moved(pin, because))
  }
}

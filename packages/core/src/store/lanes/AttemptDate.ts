import { DateTime, Duration, Effect, Option } from "effect"
import * as AttemptDate from "../../dating/AttemptDate.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { sendsDespite } from "../../submission/Revisit.ts"
import { redate } from "./NewDates.ts"
import { type HeadAnswer, type HeadCandidate, type EarlierAttempt, type HeadRow, next } from "./QueueHead.ts"
import { stop } from "./Lanes.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { keyOf, number, unsettledOrder } from "../rows/Rows.ts"
import { type SqlReturn, utc } from "../database/Transaction.ts"
import { amend, note } from "./Transition.ts"

const resultOf = ({ request_id, settled }: EarlierAttempt): AttemptDate.EarlierResult => {
  switch (settled) {
    case "rejected":
      return "rejected"
    case "statement":
    case "not-processed":
      return "ruled-out"
    case "receipt":
      return "pending"
    case "open":
      return request_id === null ? "open" : "pending"
  }
}

export const zoneOf = (row: HeadRow) =>
  Option.getOrElse(DateTime.zoneFromString(row.zone), () => DateTime.zoneMakeOffset(0))

/**
 * Fails on an unknown value of a column that the decision depends on: damaged data could send a
 * document that must be held.
 */
const headOf = ({ account, attempts, lane, override, row }: HeadCandidate): AttemptDate.AttemptHead => {
  const place = (column: string) => () => `${column} of ${row.kind} ${row.number}`
  return {
    receipt: row.receipt_at === null ? null : { second: number(row.receipt_at), text: row.receipt_text },
    sourceDate: row.source_date,
    lastDay: row.good_until,
    mark: row.mark === null ? Number.NEGATIVE_INFINITY : number(row.mark),
    close: lane.closed_at === null ? null : { second: number(lane.closed_at), text: lane.closed_text },
    sendsDespite: (cause) => sendsDespite(override, cause),
    get zone() {
      return zoneOf(row)
    },
    get late() {
      return Stored.oneOf(StoredValues.lates, row.late, place("late"))
    },
    get timing() {
      return Stored.oneOf(StoredValues.passages, row.passage, place("passage"))
    },
    get earlier() {
      return attempts.map(resultOf)
    },
    get notBehindClose() {
      const permit = account?.behindClose
      if (permit?._tag === "Permitted") return null
      return permit?.text ?? "nothing says that the device permits it"
    }
  }
}

export const receiptDate = Effect.fnUntraced(function* (candidate: HeadCandidate): SqlReturn<HeadAnswer> {
  const { ahead, lane, now, options, row, transaction } = candidate
  const head = headOf(candidate)
  const date = AttemptDate.of(head, {
    gateway: now,
    own: Math.floor(transaction.hostNow / 1000),
    skew: Math.floor(Duration.toSeconds(options.skew))
  })
  switch (date._tag) {
    case "Dated":
      return date.second
    case "Early":
      // that second of the gateway's time, on our clock
      return { _tag: "Waiting", wait: { for: "clock", key: keyOf(row), until: utc(date.second * 1000 + ahead) } }
    case "MarkInFuture": {
      const stopped = { cause: "mark-in-future", text: date.text, retryAt: utc(head.mark * 1000) } as const
      yield* stop(transaction, lane.lane, stopped)
      return { _tag: "Stopped", stop: stopped }
    }
    case "Hold":
      return date
    case "Overtaken": {
      if (yield* redate(candidate, row, { mark: date.mark, closed: date.close })) return next
      const overtaken = AttemptDate.withoutRoom(head)
      if (overtaken._tag === "Hold") return overtaken
      yield* amend(transaction, row, { receipt_at: null, receipt_text: null, lane_order: unsettledOrder })
      note(transaction, row, "noted", overtaken.text)
      return next
    }
  }
})

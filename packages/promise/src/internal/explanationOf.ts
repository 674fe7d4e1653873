/** Conversion of a document's full history to plain values. */
import * as Instant from "@fiscal-connector/core/document/Instant"
import type { AttemptResult } from "@fiscal-connector/core/unstable/submission/AttemptResult"
import type * as Core from "@fiscal-connector/core/submission/Explanation"
import { DateTime } from "effect"
import type { Explanation } from "../FiscalConnector.ts"
import { ofSubmission, statusOf } from "./resultOf.ts"

const results = {
  Accepted: "accepted",
  Declined: "declined",
  NotProcessed: "not-processed",
  Unknown: "unknown"
} as const satisfies Record<AttemptResult["_tag"], Explanation["attempts"][number]["result"]>

const orNull = (at: DateTime.Utc | null): Date | null => (at === null ? null : DateTime.toDateUtc(at))

export const explanationOf = ({ attempts, conflicts, submission, timeline }: Core.Explanation): Explanation => ({
  result: ofSubmission(submission),
  attempts: attempts.map(({ begunAt, finishedAt, receiptDate, repeats, requestId, result }) => ({
    begunAt: DateTime.toDateUtc(begunAt),
    finishedAt: orNull(finishedAt),
    receiptDate: Instant.format(receiptDate),
    repeats,
    result: result === null ? null : results[result._tag],
    requestId
  })),
  timeline: timeline.map(({ at, cause, from, text, to }) => ({
    at: DateTime.toDateUtc(at),
    from: from === null ? null : statusOf(from),
    status: statusOf(to),
    cause,
    text
  })),
  conflicts: conflicts.map(({ code, detail, settledAt }) => ({ code, detail, settled: orNull(settledAt) }))
})

import { Instant } from "@fiscal-connector/core/adapter"
import type { AttemptResult } from "@fiscal-connector/core/host"
import { Connector } from "@fiscal-connector/core/session"
import type { Explanation as Core, PlannedDocument } from "@fiscal-connector/core/store"
import { DateTime, Effect, Option } from "effect"
import type * as Account from "./Account.ts"
import type { Explanation } from "../FiscalConnector.ts"
import { failing } from "./errorOf.ts"
import type { Key } from "../Result.ts"
import { ofSubmission, statusOf } from "./resultOf.ts"

const results = {
  Accepted: "accepted",
  Declined: "declined",
  NotProcessed: "not-processed",
  Unknown: "unknown"
} as const satisfies Record<AttemptResult.AttemptResult["_tag"], Explanation["attempts"][number]["result"]>

const orNull = (at: DateTime.Utc | null): Date | null => (at === null ? null : DateTime.toDateUtc(at))

const explanationOf = ({ attempts, conflicts, submission, timeline }: Core.Explanation): Explanation => ({
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

export type Documents = ReturnType<typeof make>

export const make = (account: string, { settings }: Account.ConnectedAccount) => {
  const keyOf = ({ id, kind }: Key): PlannedDocument.SubmissionKey => ({ account, kind, id })

  const stored = (key: Key) =>
    Effect.flatMap(
      Connector.outcomeOf(keyOf(key)),
      Option.match({
        onNone: () => failing("not_found", `the store has no ${key.kind} ${key.id} of ${account}`),
        onSome: Effect.succeed
      })
    )

  return {
    keyOf,
    stored,
    get: (key: Key) =>
      Effect.map(Connector.outcomeOf(keyOf(key)), (found) => Option.getOrUndefined(Option.map(found, ofSubmission))),
    waitFor: (key: Key, milliseconds: number) =>
      Effect.map(Connector.waitForOutcome(keyOf(key), milliseconds), ofSubmission),
    pdf: (key: Key) =>
      Effect.gen(function* () {
        const { number, proof, state } = yield* stored(key)
        if (proof?.fiscalInvoicePdf == null) {
          return yield* failing("not_found", `${number} is ${statusOf(state)}; there is no PDF of it`)
        }
        return yield* settings.gateway.downloadPdf(proof.fiscalInvoicePdf)
      }),
    explain: (key: Key) =>
      Effect.map(Connector.explain(keyOf(key)), (found) => Option.getOrUndefined(Option.map(found, explanationOf)))
  }
}

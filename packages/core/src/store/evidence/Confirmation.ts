/** Confirms rejections before a corrected document is sent. */
import { Effect } from "effect"
import type { RequestId } from "../../document/Identifiers.ts"
import type { StatusControl, StatusItem } from "../../gateway/operation/Status.ts"
import { mask } from "../../submission/ledger/StatedFailure.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import { rejectionOf, type SubmissionRow } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { holdBack, locked } from "../lanes/Transition.ts"
import { record } from "./Evidence.ts"

const maskOf = (item: StatusItem): string | null => (item._tag === "Rejected" ? mask(item.error, item.requestId) : null)

/**
 * Records the answer. Requests that still have the failure that settled them, and no other answer,
 * are confirmed for this revision. Any other request may be in progress: the request is polled
 * again, and the document is held
 * unless the answer settled the document.
 */
export const confirm = (
  transaction: Transaction,
  { account, id, kind }: SubmissionKey,
  asked: ReadonlyArray<RequestId>,
  items: ReadonlyArray<StatusItem>,
  control: StatusControl = { _tag: "NotAnswered" }
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { latest, now, sql } = transaction
    const answers = Map.groupBy(items, ({ requestId }) => requestId)
    yield* record(transaction, account, items, { source: "poll", control, ability: null, after: "never" })
    const [found] = yield* sql<SubmissionRow>`select * from fiscal_submission
      where account = ${account} and kind = ${kind} and id = ${id}`
    if (found === undefined) return
    const row = (yield* locked(transaction, found.seq))!
    const settled = yield* sql<{ readonly request_id: string; readonly detail: string }>`select request_id, detail
      from fiscal_outcome where submission = ${row.seq} and outcome = 'Rejected'`
    const unknown = new Set(control._tag === "Answered" ? control.items.map(maskOf) : [])
    const isStill = (requestId: RequestId) => {
      const own = (answers.get(requestId) ?? []).map(maskOf)
      const rejections = settled.filter(({ request_id }) => request_id === requestId)
      const known = new Set(
        rejections.map(({ detail }) =>
          mask(rejectionOf(detail, () => `the rejection of ${requestId}`).error, requestId)
        )
      )
      return own.length > 0 && own.every((text) => text !== null && known.has(text) && !unknown.has(text))
    }
    const others = asked.filter((requestId) => !isStill(requestId))
    for (const requestId of asked.filter(isStill)) {
      yield* sql`update fiscal_attempt set confirmed = ${row.revision} where submission = ${row.seq} and request_id = ${requestId}`
    }
    if (others.length === 0 || row.state !== "Planned") return
    for (const requestId of others) {
      yield* sql`update fiscal_attempt set known_at = ${latest}, poll_at = ${now} where submission = ${row.seq} and request_id = ${requestId}`
    }
    const because = `the gateway no longer says that its request ${others[0]} was rejected: an earlier version of it may become a receipt`
    yield* holdBack(transaction, row, "rejection-unconfirmed", because)
  })

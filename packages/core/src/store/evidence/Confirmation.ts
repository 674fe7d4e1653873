/** Confirms rejections before a corrected document is sent. */
import { Effect } from "effect"
import type { RequestId } from "../../document/Identifiers.ts"
import type { StatusItem } from "../../gateway/operation/Status.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { SubmissionRow } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { holdBack, locked } from "../lanes/Transition.ts"
import { record } from "./Evidence.ts"

/**
 * Records the answer as evidence. Requests that are still rejected are confirmed for this revision.
 * Any other request may be in progress: the request is polled again, and the document is held
 * unless the answer settled the document.
 */
export const confirm = (
  transaction: Transaction,
  { account, id, kind }: SubmissionKey,
  asked: ReadonlyArray<RequestId>,
  items: ReadonlyArray<StatusItem>
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { latest, now, sql } = transaction
    const answers = Map.groupBy(items, ({ requestId }) => requestId)
    yield* record(
      transaction,
      account,
      items.filter(({ _tag }) => _tag !== "Pending"),
      "poll"
    )
    const [found] = yield* sql<SubmissionRow>`select * from fiscal_submission
      where account = ${account} and kind = ${kind} and id = ${id}`
    if (found === undefined) return
    const row = (yield* locked(transaction, found.seq))!
    const isStill = (requestId: RequestId) => {
      const own = answers.get(requestId) ?? []
      return own.length > 0 && own.every(({ _tag }) => _tag === "Rejected")
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
    yield* holdBack(transaction, row, "person", because)
  })

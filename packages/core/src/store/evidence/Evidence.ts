/** Takes what the gateway says, by poll or webhook: kept for ever, once each, and weighed at once where its request is known. */
import { Array as Arr, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import type { RequestId } from "../../document/Identifiers.ts"
import type { StatusItem } from "../../gateway/operation/Status.ts"
import type { Proof, Rejection } from "../../submission/Submission.ts"
import type { PollPolicy, PollResult } from "../../submission/SubmissionStore.ts"
import { type AttemptRow, type Integer, number } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { weigh } from "./Verdicts.ts"

/** An outcome in the words of its column. */
export type Said = { readonly unknownFields?: Readonly<Record<string, unknown>> } & (
  | { readonly outcome: "Fiscalised"; readonly detail: Proof }
  | { readonly outcome: "Rejected"; readonly detail: Rejection }
  | { readonly outcome: "Expired"; readonly detail: null }
)

/** What has no field here, kept under the wire's names. */
const unknownFields = (
  ...of: ReadonlyArray<{ readonly unknownFields?: Readonly<Record<string, unknown>> } | null>
): Pick<Said, "unknownFields"> => {
  const fields: Readonly<Record<string, unknown>> = Object.assign({}, ...of.map((one) => one?.unknownFields))
  return Object.keys(fields).length === 0 ? {} : { unknownFields: fields }
}

/** What the gateway's item says; null while it is pending. */
const saidBy = (item: StatusItem): Said | null => {
  switch (item._tag) {
    case "Pending":
      return null
    case "Rejected":
      return { outcome: "Rejected", detail: { error: item.error, nature: item.nature }, ...unknownFields(item) }
    case "Fiscalised":
      return {
        outcome: "Fiscalised",
        detail: {
          verificationCode: item.qrData?.verificationCode ?? null,
          qrCodeUrl: item.qrData?.qrCodeUrl ?? null,
          fiscalDay: item.qrData?.fiscalDay ?? null,
          deviceId: item.qrData?.deviceId ?? null,
          invoiceNumber: item.qrData?.invoiceNumber ?? null,
          fiscalInvoicePdf: item.fiscalInvoicePdf
        },
        ...unknownFields(item, item.qrData)
      }
  }
}

export interface About {
  readonly account: string
  readonly requestId: string
  readonly attempt: Pick<AttemptRow, "id" | "submission"> | undefined
}

/** Keeps one thing said; nothing happens when it has been said before (HOOK-3). */
export const keep = ({ now, sql }: Transaction, about: About, said: Said, source: "poll" | "webhook" | "operator") => {
  const detail = JSON.stringify(said.detail)
  return Effect.map(
    sql<{ readonly id: Integer }>`insert into fiscal_outcome ${sql.insert({
      account: about.account,
      request_id: about.requestId,
      digest: createHash("sha256")
        .update(`${source === "operator"} ${said.outcome} ${detail}`)
        .digest("hex"),
      submission: about.attempt?.submission ?? null,
      attempt: about.attempt?.id ?? null,
      source,
      outcome: said.outcome,
      detail,
      unknown_fields: said.unknownFields === undefined ? null : JSON.stringify(said.unknownFields),
      arrived_at: now
    })} on conflict (account, request_id, digest) do nothing returning id`,
    (rows) => rows.length > 0
  )
}

/** The attempt that was answered with this request id: the last, where a retry was given the same. */
const attemptOf = ({ sql }: Transaction, account: string, requestId: RequestId) =>
  Effect.map(
    sql<AttemptRow>`select * from fiscal_attempt where account = ${account} and request_id = ${requestId}
      order by id desc limit 1`,
    ([row]): AttemptRow | undefined => row
  )

const noLongerAwaited = ({ sql }: Transaction, account: string, requestId: string) =>
  sql`update fiscal_attempt set poll_at = null where account = ${account} and request_id = ${requestId}`

/**
 * Gives the attempt what was said of its request id before the attempt was known to have it, and was not given it then: the answer and the outcome
 * were written down in the same moment, and neither saw the other.
 */
const claimed = ({ sql }: Transaction, account: string, requestId: string, attempt: AttemptRow) =>
  Effect.map(
    sql`update fiscal_outcome set submission = ${attempt.submission}, attempt = ${attempt.id}
      where account = ${account} and request_id = ${requestId} and submission is null returning id`,
    (rows) => rows.length > 0
  )

/** `early`: of a request id that no attempt is known to have, and not said before. */
const take = (
  transaction: Transaction,
  account: string,
  item: StatusItem,
  source: "poll" | "webhook"
): SqlEffect<"early" | "done"> =>
  Effect.gen(function* () {
    const said = saidBy(item)
    if (said === null) return "done"
    const attempt = yield* attemptOf(transaction, account, item.requestId)
    const isNew = yield* keep(transaction, { account, requestId: item.requestId, attempt }, said, source)
    if (attempt === undefined) return isNew ? "early" : "done"
    yield* noLongerAwaited(transaction, account, item.requestId)
    if (!isNew && !(yield* claimed(transaction, account, item.requestId, attempt))) return "done"
    yield* weigh(transaction, attempt.submission, "fresh")
    return "done"
  })

/** How many outcomes of unknown request ids are kept per account, and how long: longer than the gateway answers for a request. */
const unclaimed = { most: 10_000, millis: Duration.toMillis("8 days") }

/** The oldest go: an answer that is still to come claims its early outcome within minutes, and what is pushed out can be polled for. */
const forgetUnclaimed = ({ now, sql }: Transaction, account: string) =>
  sql`delete from fiscal_outcome where account = ${account} and submission is null and (arrived_at < ${now - unclaimed.millis}
    or id <= (select id from fiscal_outcome where account = ${account} and submission is null
      order by id desc limit 1 offset ${unclaimed.most}))`

/** Takes each item by itself: an unknown id is kept for later and fails nothing. */
export const record = (
  transaction: Transaction,
  account: string,
  items: ReadonlyArray<StatusItem>,
  source: "poll" | "webhook"
): SqlEffect<void> =>
  Effect.gen(function* () {
    const taken = yield* Effect.forEach(items, (item) => take(transaction, account, item, source))
    if (taken.includes("early")) yield* forgetUnclaimed(transaction, account)
  })

/** Awaited requests are due at once; what is not awaited stays so. */
export const hasten = ({ now, sql }: Transaction, account: string, requestIds: ReadonlyArray<RequestId>) =>
  Effect.forEach(
    Arr.chunksOf(requestIds, 500),
    (ids) => sql`update fiscal_attempt set poll_at = ${now}
      where account = ${account} and poll_at > ${now} and ${sql.in("request_id", ids)}`,
    { discard: true }
  )

/** Whether a look is due at all: a read, which asks for no lock. */
export const isAnyDue = (sql: SqlClient, account: string) => (now: number) =>
  Effect.map(
    sql`select 1 from fiscal_attempt where account = ${account} and poll_at is not null and poll_at <= ${now} limit 1`,
    (rows) => rows.length > 0
  )

/** Requests whose next look is due; put off, so that another poller does not ask for the same. */
export const due = ({ dialect, now, sql }: Transaction, account: string, limit: number, lease: Duration.Duration) =>
  Effect.map(
    sql<{ readonly request_id: RequestId }>`update fiscal_attempt set poll_at = ${now + Duration.toMillis(lease)}
      where id in (select id from fiscal_attempt
        where account = ${account} and poll_at is not null and poll_at <= ${now}
        order by known_at, id limit ${limit} ${dialect.skipLocked})
      returning request_id`,
    (rows) => [...new Set(rows.map(({ request_id }) => request_id))]
  )

// whoever wants the first look at once does not want the next one at once, for ever
const shortestPause = 100

const pause = ({ firstLook, longestPause }: PollPolicy, looks: number): number =>
  Math.max(
    shortestPause,
    Math.min(Duration.toMillis(firstLook) * 2 ** Math.min(looks, 30), Duration.toMillis(longestPause))
  )

/** The answer to one status call. An id that is not answered for is looked for again, until its time is over. */
export const recordPoll = (
  transaction: Transaction,
  account: string,
  asked: ReadonlyArray<RequestId>,
  items: ReadonlyArray<StatusItem>,
  policy: PollPolicy
): SqlEffect<PollResult> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const answers = Map.groupBy(items, ({ requestId }) => requestId)
    let answered = 0
    let pending = 0
    let expired = 0
    for (const requestId of asked) {
      const said = (answers.get(requestId) ?? []).filter((item) => item._tag !== "Pending")
      if (said.length > 0) {
        answered++
        yield* record(transaction, account, said, "poll")
        continue
      }
      const attempt = yield* attemptOf(transaction, account, requestId)
      if (attempt === undefined) continue
      const isPending = answers.has(requestId)
      const known = number(attempt.known_at ?? attempt.begun_at)
      if (!isPending && now >= known + Duration.toMillis(policy.retention)) {
        expired++
        yield* noLongerAwaited(transaction, account, requestId)
        const isNew = yield* keep(
          transaction,
          { account, requestId, attempt },
          { outcome: "Expired", detail: null },
          "poll"
        )
        if (isNew) yield* weigh(transaction, attempt.submission, "fresh")
        continue
      }
      if (isPending) pending++
      const looks = number(attempt.looks) + 1
      yield* sql`update fiscal_attempt set ${sql.update({
        looks,
        poll_at: now + pause(policy, looks),
        known_at: isPending ? now : known,
        mentioned_at: isPending ? now : attempt.mentioned_at
      })} where account = ${account} and request_id = ${requestId}`
    }
    return { answered, pending, expired }
  })

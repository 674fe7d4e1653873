/** Checked against the state and the gateway's evidence. */
import { DateTime, Effect } from "effect"
import { reasonProblem } from "../../submission/OperatorRecord.ts"
import {
  type Although,
  type Decision,
  type DecisionOperations,
  letsSendAgain,
  type DecisionResult
} from "../../submission/Decision.ts"
import * as PermittedDecision from "../../submission/PermittedDecision.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import { isOfSource, type Proof } from "../../submission/Submission.ts"
import { formatOverride, parseOverride, sentDespite } from "../../submission/Revisit.ts"
import * as DecisionFacts from "./DecisionFacts.ts"
import * as Failures from "./Failures.ts"
import { type About, keep } from "./KeepOutcome.ts"
import type { OutcomeStatement } from "./StoredOutcome.ts"
import { identify } from "./Finish.ts"
import * as OperatorRecords from "./OperatorRecords.ts"
import { pinnedTo } from "../lanes/Lanes.ts"
import * as OtherDevice from "../lanes/OtherDevice.ts"
import * as Refutation from "../lanes/Refutation.ts"
import { takeBack } from "./UnconfirmedIds.ts"
import { type AttemptRow, number, type SubmissionRow } from "../rows/Rows.ts"
import { type Database, type SqlEffect, type Transaction, utc } from "../database/Transaction.ts"
import { freeNumber } from "../lanes/FreeNumber.ts"
import * as Relations from "../lanes/Relations.ts"
import { override, quietUntil } from "../lanes/Quiet.ts"
import { amend, locked, lockedByKey, move, note } from "../lanes/Transition.ts"
import { weigh } from "./Verdicts.ts"

const noProof: Proof = {
  verificationCode: null,
  qrCodeUrl: null,
  fiscalDay: null,
  deviceId: null,
  invoiceNumber: null,
  fiscalInvoicePdf: null
}

const refused = (text: string): DecisionResult => ({ _tag: "Refused", text })

const lastAttempt = ({ sql }: Transaction, row: SubmissionRow) =>
  Effect.map(
    sql<AttemptRow>`select * from fiscal_attempt where submission = ${row.seq} order by id desc limit 1`,
    ([attempt]): AttemptRow | undefined => attempt
  )

const resolved = (transaction: Transaction, row: SubmissionRow): SqlEffect<DecisionResult> =>
  Effect.map(locked(transaction, row.seq), (now) => ({ _tag: "Resolved", from: row.state, to: now!.state }))

const noted = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> => {
  note(transaction, row, "noted", because)
  return resolved(transaction, row)
}

/** `attempt`: the one that the statement is about. */
const keepStated = (
  transaction: Transaction,
  row: SubmissionRow,
  attempt: About["attempt"],
  outcome: OutcomeStatement["outcome"]
): SqlEffect<boolean> =>
  keep(transaction, { account: row.account, requestId: `operator ${row.seq}`, attempt }, { outcome }, "operator")

const say = (
  transaction: Transaction,
  row: SubmissionRow,
  stated: OutcomeStatement["outcome"],
  because: string
): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    const attempt = yield* lastAttempt(transaction, row)
    note(transaction, row, "noted", because)
    yield* keepStated(transaction, row, attempt, stated)
    yield* weigh(transaction, row.seq, "fresh")
    return yield* resolved(transaction, row)
  })

const looked = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    const refusal = yield* Failures.byOperator(transaction, row.seq)
    if (refusal !== null) return refused(refusal)
    note(transaction, row, "noted", because)
    yield* weigh(transaction, row.seq, "fresh")
    return yield* resolved(transaction, row)
  })

const accept = (
  transaction: Transaction,
  row: SubmissionRow,
  requestId: string,
  because: string
): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    const attempt = yield* lastAttempt(transaction, row)
    if (attempt === undefined || (yield* isTaken(transaction, row, requestId))) return taken(requestId)
    note(transaction, row, "noted", because)
    yield* identify(transaction, attempt.id, requestId, "operator")
    yield* weigh(transaction, row.seq, "fresh")
    return yield* resolved(transaction, row)
  })

const isTaken = ({ sql }: Transaction, { account }: SubmissionRow, requestId: string) =>
  Effect.map(
    sql`select id from fiscal_attempt where account = ${account} and request_id = ${requestId} limit 1`,
    (found) => found.length > 0
  )

const taken = (requestId: string) => refused(`request id ${requestId} belongs to another attempt`)

const tooEarly = (
  transaction: Transaction,
  row: SubmissionRow,
  decision: Decision,
  because: string,
  although: Although | undefined
): SqlEffect<DecisionResult | null> =>
  Effect.gen(function* () {
    if (!letsSendAgain.has(decision._tag)) return null
    const until = yield* quietUntil(transaction, row.seq)
    if (until === null) return null
    const from = utc(until)
    const at = DateTime.formatIso(from).replace(/\.\d+Z$/, "Z")
    if (although === "recent") {
      yield* override(transaction, row.seq)
      note(transaction, row, "noted", `decided although its last request may still arrive until ${at}: ${because}`)
      return null
    }
    const text = `its last request may still reach the gateway until ${at}, and the document would then get two receipts. This decision is accepted from ${at} on`
    return { _tag: "Refused", text, from }
  })

/**
 * Unknown again if it was Accepted or Expired with an unconfirmed operator-entered request id,
 * which the decision replaces.
 */
const meet = (
  transaction: Transaction,
  row: SubmissionRow,
  facts: PermittedDecision.DecisionFacts,
  decision: Decision
): SqlEffect<SubmissionRow | DecisionResult> =>
  Effect.gen(function* () {
    if (!PermittedDecision.isTakenBack(facts, decision._tag)) return row
    const attempt = (yield* lastAttempt(transaction, row))!
    if (decision._tag === "Accepted" && (yield* isTaken(transaction, row, decision.requestId))) {
      return decision.requestId === attempt.request_id
        ? refused(`it has the request id ${decision.requestId} already`)
        : taken(decision.requestId)
    }
    return yield* takeBack(transaction, row, attempt, "operator", "the gateway has never answered for it")
  })

/** Keeps a stated code among the outcomes, where it is compared with earlier and later ones. */
const compared = (transaction: Transaction, row: SubmissionRow, proof: Partial<Proof>): SqlEffect<void> =>
  Effect.gen(function* () {
    if ((proof.verificationCode ?? null) === null) return
    const none = { id: null, submission: row.seq }
    yield* keepStated(transaction, row, none, { _tag: "Fiscalised", proof: { ...noProof, ...proof } })
    yield* weigh(transaction, row.seq, "again")
  })

/** No request of ours can prove the outcome, so only the operator's statement can. */
const fiscalizedElsewhere = (
  transaction: Transaction,
  row: SubmissionRow,
  proof: Partial<Proof>,
  because: string
): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    yield* move(transaction, row, "Fiscalised", "operator", {
      patch: { proof: JSON.stringify({ ...noProof, ...proof }), rejection: null, said: null, word: null },
      text: because
    })
    yield* compared(transaction, row, proof)
    return yield* resolved(transaction, row)
  })

/** Replaces the proof that an operator stated before. */
const claimedOtherwise = (
  transaction: Transaction,
  row: SubmissionRow,
  proof: Partial<Proof>,
  because: string
): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    yield* amend(transaction, row, { proof: JSON.stringify({ ...noProof, ...proof }) })
    yield* compared(transaction, row, proof)
    return yield* noted(transaction, row, because)
  })

const notProcessed = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    const { sql } = transaction
    yield* sql`update fiscal_attempt set ruled_out = 1
      where submission = ${row.seq} and request_id is null and ruled_out = 0`
    yield* move(transaction, row, "Planned", "operator", { text: because })
    return yield* resolved(transaction, row)
  })

/**
 * The repeated statement about a document whose last request was refused: it returns to that
 * refusal, to be corrected, or to the queue if a correction arrived before it was held.
 */
const notProcessedEither = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    yield* Refutation.settle(transaction, row.seq)
    const last = yield* lastAttempt(transaction, row)
    if (last?.revision === row.revision && last.result === "Declined") {
      yield* move(transaction, row, "Declined", "operator", { text: because, patch: { said: last.said } })
    } else {
      note(transaction, row, "noted", because)
      if ((yield* weigh(transaction, row.seq, "again")) === "Held")
        yield* move(transaction, row, "Planned", "operator", { text: because })
    }
    return yield* resolved(transaction, row)
  })

/** A new revision: evidence on the earlier one does not count for it. */
const again = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const revision = number(row.revision) + 1
    yield* sql`insert into fiscal_payload (submission, revision, planned_at, buyer, currency, total, source, body, meaning)
      select submission, ${revision}, ${now}, buyer, currency, total, source, body, meaning
      from fiscal_payload where submission = ${row.seq} and revision = ${row.revision}`
    // the account may have moved to another device since
    const lane = (yield* pinnedTo(transaction, row.account))?.lane ?? row.lane
    // other documents were sent meanwhile, so it would be late, and the operator would decide twice
    const word = formatOverride(sentDespite(null, "late"))
    yield* move(transaction, row, "Planned", "operator", {
      patch: { lane, revision, request_id: null, rejection: null, said: null, word },
      text: because
    })
    yield* weigh(transaction, row.seq, "again")
    return yield* resolved(transaction, row)
  })

const lookedAndAgain = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    const settled = yield* looked(transaction, row, because)
    if (settled._tag === "Refused" || settled.to !== "Rejected") return settled
    return yield* again(transaction, (yield* locked(transaction, row.seq))!, because)
  })

const resend = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> => {
  if (row.state === "Accepted") return lookedAndAgain(transaction, row, because)
  if (row.state !== "Held") return again(transaction, row, because)
  const override = formatOverride(sentDespite(parseOverride(row.word), row.hold_cause ?? "operator"))
  return Effect.andThen(
    row.hold_cause === "duplicate"
      ? Effect.asVoid(Relations.settle(transaction, row, "different", because))
      : row.hold_cause === "replaces"
        ? Relations.release(transaction, row, because)
        : Effect.void,
    Effect.andThen(
      move(transaction, row, "Planned", "operator", { patch: { word: override }, text: because }),
      resolved(transaction, row)
    )
  )
}

/**
 * If only a contradictory answer says that the earlier revision is fiscalized, the operator's
 * statement proves it.
 */
const earlierFiscalized = (
  transaction: Transaction,
  row: SubmissionRow,
  proof: Partial<Proof>,
  because: string
): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    const proven = yield* transaction.sql`select 1 from fiscal_outcome
      where submission = ${row.seq} and outcome = 'Fiscalised' limit 1`
    if (proven.length === 0) {
      const attempt = yield* lastAttempt(transaction, row)
      yield* keepStated(transaction, row, attempt, { _tag: "Fiscalised", proof: { ...noProof, ...proof } })
    }
    return yield* withdraw(transaction, row, because)
  })

const withdraw = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    yield* move(transaction, row, "Withdrawn", "withdrawn", { text: because, patch: { said: because } })
    yield* freeNumber(transaction, row)
    if (row.hold_cause === "contradicted") yield* weigh(transaction, row.seq, "fresh")
    return yield* resolved(transaction, row)
  })

const same = (transaction: Transaction, row: SubmissionRow, because: string): SqlEffect<DecisionResult> =>
  Effect.andThen(Relations.settle(transaction, row, "same", because), withdraw(transaction, row, because))

const apply = (
  transaction: Transaction,
  row: SubmissionRow,
  facts: PermittedDecision.DecisionFacts,
  decision: Decision,
  because: string
): SqlEffect<DecisionResult> => {
  const isRefusal = PermittedDecision.isRefusal(facts)
  switch (decision._tag) {
    case "Fiscalised":
      if (row.hold_cause === "contradicted" && !isRefusal)
        return earlierFiscalized(transaction, row, decision.proof, because)
      if (row.state === "Held") return fiscalizedElsewhere(transaction, row, decision.proof, because)
      if (facts.receipt === "claimed" && facts.attempts === "none")
        return claimedOtherwise(transaction, row, decision.proof, because)
      return row.state === "Fiscalised" && facts.receipt !== "claimed"
        ? noted(transaction, row, because)
        : say(transaction, row, { _tag: "Fiscalised", proof: { ...noProof, ...decision.proof } }, because)
    case "Rejected":
      return row.state === "Accepted" && !PermittedDecision.isContradicted(facts)
        ? looked(transaction, row, because)
        : say(transaction, row, { _tag: "Rejected", rejection: decision.rejection }, because)
    case "Accepted":
      return accept(transaction, row, decision.requestId, because)
    case "NotProcessed":
      return (isRefusal ? notProcessedEither : notProcessed)(transaction, row, because)
    case "Same":
      return same(transaction, row, because)
    case "Resend":
      return resend(transaction, row, because)
    case "Withdrawn":
      return withdraw(transaction, row, because)
    case "Acknowledged":
      return noted(transaction, row, because)
  }
}

/**
 * Settles the open conflicts that the decision is about, because the operator has seen them. New
 * conflicts are recorded again.
 */
const decide = (
  transaction: Transaction,
  key: SubmissionKey,
  decision: Decision,
  because: string,
  although?: Although,
  shown?: DateTime.Utc
): SqlEffect<DecisionResult> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const lacking = reasonProblem(because)
    if (lacking !== null) return refused(lacking)
    const row = yield* lockedByKey(transaction, key)
    if (row === undefined) return refused(`there is no ${key.kind} ${key.id} of account ${key.account}`)
    // another attempt may have been sent since the operator looked in the portal
    if (shown !== undefined && number(row.since) > shown.epochMilliseconds)
      return refused("it has changed since it was shown; look at it again")
    const seen = yield* sql<{ readonly code: string; readonly detail: string }>`select code, detail from fiscal_conflict
      where submission = ${row.seq} and settled_at is null`
    const [facts] = yield* DecisionFacts.of(sql, [row])
    const seenAs = although === "recent" ? { ...facts!, account: "not-awaited" as const } : facts!
    const never = PermittedDecision.refusalNow(seenAs, decision._tag)
    if (never !== null) return refused(never)
    const early = yield* tooEarly(transaction, row, decision, because, although)
    if (early !== null) return early
    const met = yield* meet(transaction, row, facts!, decision)
    if ("_tag" in met) return met
    const applied = yield* apply(transaction, met, facts!, decision, because)
    if (applied._tag === "Refused") return applied
    const resolution: DecisionResult = { ...applied, from: row.state }
    // a decision about a request does not answer the source
    const answersSource = ["Acknowledged", "Same", "Withdrawn"].includes(decision._tag)
    for (const { code, detail } of seen) {
      if (!answersSource && isOfSource(code)) continue
      yield* sql`update fiscal_conflict set settled_at = ${now}
        where submission = ${row.seq} and code = ${code} and detail = ${detail}`
    }
    yield* OperatorRecords.add(
      transaction,
      {
        act: decision._tag === "Withdrawn" ? "withdraw" : "resolve",
        account: key.account,
        subject: `${key.kind} ${row.number}`,
        what: `${decision._tag}: ${row.state} → ${applied.to}${although === undefined ? "" : ", although recent"}`,
        because
      },
      row.seq
    )
    if (seen.some(({ code }) => code === "OTHER_DEVICE")) yield* OtherDevice.settled(transaction, row)
    return resolution
  })

const stateCredited = (
  transaction: Transaction,
  invoice: SubmissionKey,
  receipt: string,
  because: string
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { dialect, sql } = transaction
    const row = yield* lockedByKey(transaction, invoice)
    if (row === undefined) return
    const { account, id, kind, number: named } = row
    const decision = { act: "credited-receipt", account, subject: `${kind} ${named}`, what: receipt, because } as const
    yield* OperatorRecords.add(transaction, decision, row.seq)
    const held = yield* sql<SubmissionRow>`select * from fiscal_submission
      where original_account = ${account} and original_id = ${id}
        and state = 'Held' and hold_cause = 'credited' order by seq ${dialect.forUpdate}`
    const text = `the portal shows receipt ${receipt} of ${named} as credited`
    for (const note of held) yield* move(transaction, note, "Planned", "released", { text })
    yield* weigh(transaction, row.seq, "again")
  })

export const make = ({ read, write }: Database): DecisionOperations => ({
  decide: write("decide", decide),
  stateCredited: write("state a credited receipt", stateCredited),
  recordDecision: write("record a decision", (transaction, decision, how) =>
    how === "once" ? OperatorRecords.addOnce(transaction, decision) : OperatorRecords.add(transaction, decision)
  ),
  decisions: read("list decisions", OperatorRecords.list),
  reports: read("list reports", OperatorRecords.reports)()
})

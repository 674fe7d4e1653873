import { Effect } from "effect"
import * as Revisit from "../../submission/Revisit.ts"
import type { Hold, State } from "../../submission/Submission.ts"
import type { PlanVerdict } from "../../submission/PlanResult.ts"
import { columnsOf, type Incoming, payloadOf, takeNumbers } from "./Incoming.ts"
import { isForgotten } from "../rows/Forgotten.ts"
import { holdOf, type Integer, type MovableRow, number, type SubmissionRow } from "../rows/Rows.ts"
import { revisitFacts } from "../rows/RevisitFacts.ts"
import { isOpen } from "../rows/SettledSql.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { amend, holdBack, locked, move, note, type Patch } from "../lanes/Transition.ts"
import { freeNumber } from "../lanes/FreeNumber.ts"
import { weigh } from "../evidence/Verdicts.ts"
import * as SourceNotices from "./SourceNotices.ts"

interface Revisited {
  readonly verdict: PlanVerdict
  readonly state: State
  readonly hold: Hold | null
}

const as = (row: SubmissionRow, verdict: PlanVerdict): Revisited => ({ verdict, state: row.state, hold: holdOf(row) })

/** A prepared note is sent again by a decision, whatever the gateway says of a correction. */
const factsOf = (
  { sql }: Transaction,
  row: SubmissionRow,
  { prepared }: Incoming["document"]
): SqlEffect<Revisit.RevisitFacts> => {
  const facts = (open: number): Revisit.RevisitFacts => {
    const found = revisitFacts(row, open)
    return prepared === undefined || found.nature === null ? found : { ...found, nature: "correctable" }
  }
  const settled = facts(0)
  if (!Revisit.asksForAttempts(settled)) return Effect.succeed(settled)
  return Effect.map(
    sql<{
      readonly id: Integer
    }>`select a.id from fiscal_attempt a where a.submission = ${row.seq} and ${isOpen(sql)} limit 1`,
    (open) => facts(open.length)
  )
}

const storedBody = ({ sql }: Transaction, row: SubmissionRow) =>
  Effect.map(
    sql<{
      readonly body: string
      readonly source: string
      readonly meaning: string | null
    }>`select body, source, meaning from fiscal_payload
      where submission = ${row.seq} and revision = ${row.revision}`,
    ([payload]) => payload!
  )

/**
 * The receipt date stays if the source's date is unchanged, and the date is settled or an operator
 * decided to send the late document.
 */
const incomingPatch = (row: SubmissionRow, document: Incoming): Omit<Patch, "hold_cause" | "hold_because"> => {
  const { hold_because: _, hold_cause: __, ...columns } = columnsOf(document)
  const isSettled = row.receipt_at !== null || Revisit.sendsDespite(Revisit.parseOverride(row.word), "late")
  const { lane_order, receipt_at, receipt_text } = row.source_date === columns.source_date && isSettled ? row : columns
  return { ...columns, lane_order, receipt_at, receipt_text }
}

// some values of a patch come from the row itself
const plain = (value: Patch[keyof Patch]) => (typeof value === "bigint" ? number(value) : value)

const differs = (row: SubmissionRow, patch: Patch): boolean =>
  Object.entries(patch).some(([column, value]) => plain(row[column as keyof Patch]) !== plain(value))

const renumber = (transaction: Transaction, row: SubmissionRow, document: Incoming): SqlEffect<PlanVerdict | null> =>
  Effect.gen(function* () {
    if (row.number === document.number && row.taxpayer === document.document.taxpayer) return null
    const by = (yield* takeNumbers(transaction, [document])).get(document)
    if (by !== undefined) return { _tag: "NumberTaken", by }
    yield* freeNumber(transaction, row)
    return null
  })

const nextPayload = (transaction: Transaction, row: SubmissionRow, document: Incoming) => {
  const revision = number(row.revision) + 1
  const { now, sql } = transaction
  return Effect.as(sql`insert into fiscal_payload ${sql.insert(payloadOf(document, row.seq, revision, now))}`, revision)
}

const conflict = (
  transaction: Transaction,
  row: SubmissionRow,
  document: Incoming,
  text: string
): SqlEffect<Revisited> =>
  // a prepared note is not a statement of the source
  document.document.prepared !== undefined
    ? Effect.succeed(as(row, { _tag: "Conflict", text }))
    : Effect.map(
        SourceNotices.changed(
          transaction,
          row,
          text,
          document.document.fingerprint,
          document.document.meaning && { body: document.body, meaning: document.document.meaning }
        ),
        (notice) => as(row, notice === "settled" ? { _tag: "Unchanged" } : { _tag: "Conflict", text })
      )

const replace = (transaction: Transaction, row: SubmissionRow, document: Incoming): SqlEffect<Revisited> =>
  Effect.gen(function* () {
    const payload = yield* storedBody(transaction, row)
    const patch = incomingPatch(row, document)
    const stored = holdOf(row)
    const hold = Revisit.holdAfter({ hold: stored, override: Revisit.parseOverride(row.word) }, document.hold)
    const { meaning } = payloadOf(document, row.seq, 1, 0)
    // a meaning that is not known replaces none
    const sameBody = payload.body === document.body && (meaning === null || meaning === payload.meaning)
    const sameHold = stored?.cause === hold?.cause && stored?.text === hold?.text
    if (sameBody && sameHold && !differs(row, patch)) return as(row, { _tag: "Unchanged" })
    const refused = yield* renumber(transaction, row, document)
    if (refused !== null) return as(row, refused)
    const revision = sameBody ? number(row.revision) : yield* nextPayload(transaction, row, document)
    yield* amend(transaction, row, { ...patch, revision })
    const next: MovableRow = { ...row, ...patch }
    if (!sameBody) note(transaction, next, "replaced", null)
    if (row.state === "Held" && hold === null) yield* move(transaction, next, "Planned", "released")
    else if (row.state === "Planned" && hold !== null) yield* holdBack(transaction, next, hold.cause, hold.text)
    else if (hold !== null && !sameHold)
      yield* amend(transaction, row, { hold_cause: hold.cause, hold_because: hold.text })
    return as((yield* locked(transaction, row.seq))!, { _tag: "Replaced" })
  })

const revise = (transaction: Transaction, row: SubmissionRow, document: Incoming): SqlEffect<Revisited> =>
  Effect.gen(function* () {
    const refused = yield* renumber(transaction, row, document)
    if (refused !== null) return as(row, refused)
    const revision = yield* nextPayload(transaction, row, document)
    yield* move(transaction, row, "Planned", "revised", {
      patch: {
        ...incomingPatch(row, document),
        revision,
        request_id: null,
        rejection: null,
        said: null,
        word: null
      }
    })
    const { hold } = document
    if (hold !== null) yield* holdBack(transaction, (yield* locked(transaction, row.seq))!, hold.cause, hold.text)
    yield* weigh(transaction, row.seq, "again")
    return as((yield* locked(transaction, row.seq))!, { _tag: "Revised" })
  })

const changeOf = (
  transaction: Transaction,
  row: SubmissionRow,
  document: Incoming,
  facts: Revisit.RevisitFacts
): SqlEffect<Revisit.RevisitChange> => {
  // the operator asks for the same note once more
  if (document.document.prepared !== undefined) return Effect.succeed("source")
  const change = Revisit.sourceChange(facts, row, document.document)
  if (change === "source") return Effect.succeed("source")
  if (change === "restated")
    return Effect.as(SourceNotices.restate(transaction, row, document.document.fingerprint), "nothing")
  if (!Revisit.asksForTranslation(facts)) return Effect.succeed("nothing")
  return Effect.map(storedBody(transaction, row), (payload) =>
    // forgotten texts cannot be compared, so only a changed source counts as a change
    isForgotten(payload) || payload.body === document.body ? "nothing" : "translation"
  )
}

export const revisit = (transaction: Transaction, row: SubmissionRow, document: Incoming): SqlEffect<Revisited> =>
  Effect.gen(function* () {
    const stands = yield* factsOf(transaction, row, document.document)
    const decision = Revisit.revisit(stands, yield* changeOf(transaction, row, document, stands))
    switch (decision._tag) {
      case "Replace":
        return yield* replace(transaction, row, document)
      case "Revise":
        return yield* revise(transaction, row, document)
      case "Keep":
        return as(row, { _tag: "Unchanged" })
      case "Conflict":
        return yield* conflict(transaction, row, document, decision.text)
    }
  })

/** A document that is known already and comes again: replaced, revised, unchanged, or a conflict. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreError } from "../StoreError.ts"
import type { Hold, State } from "../Submission.ts"
import type { PlanVerdict } from "../SubmissionStore.ts"
import { columnsOf, type Incoming, payloadOf, takeNumbers } from "./Incoming.ts"
import { number, type MovableRow, rejectionOf, type SubmissionRow } from "./Rows.ts"
import type { Transaction } from "./Transaction.ts"
import { amend, holdBack, locked, move, note, type Patch } from "./Transition.ts"
import { recordConflict, weigh } from "./Verdicts.ts"

type Work<A> = Effect.Effect<A, SqlError | StoreError>

interface Revisited {
  readonly verdict: PlanVerdict
  readonly state: State
  readonly hold: Hold | null
}

const holdOf = (row: SubmissionRow): Hold | null =>
  row.hold_cause === null ? null : { cause: row.hold_cause, because: row.hold_because ?? "" }

const as = (row: SubmissionRow, verdict: PlanVerdict): Revisited => ({ verdict, state: row.state, hold: holdOf(row) })

/** Attempts nobody can rule out and nobody has an answer for. */
const openAttempts = ({ sql }: Transaction, row: SubmissionRow) =>
  sql<{ readonly id: number }>`select id from fiscal_attempt where submission = ${row.seq}
    and possibly_processed = 1 and ruled_out = 0 and request_id is null limit 1`

const storedBody = ({ sql }: Transaction, row: SubmissionRow) =>
  Effect.map(
    sql<{ readonly body: string; readonly source: string }>`select body, source from fiscal_payload
      where submission = ${row.seq} and revision = ${row.revision}`,
    ([payload]) => payload!
  )

/** What came, with the receipt date that is settled already as long as the source's own date is the same. */
const incomingPatch = (row: SubmissionRow, document: Incoming): Patch => {
  const columns = columnsOf(document)
  const keepsDate = row.source_date === columns.source_date && row.receipt_at !== null
  const { lane_order, receipt_at, receipt_text } = keepsDate ? row : columns
  return { ...columns, lane: row.lane, lane_order, receipt_at, receipt_text }
}

const differs = (row: SubmissionRow, patch: Patch): boolean =>
  Object.entries(patch).some(([column, value]) => {
    const stored = row[column as keyof Patch]
    return (typeof stored === "bigint" ? number(stored) : stored) !== value
  })

/** A number that was never near the device is free again. */
const releaseNumber = ({ sql }: Transaction, row: SubmissionRow) =>
  sql`delete from fiscal_number where taxpayer = ${row.taxpayer} and number = ${row.number}
    and account = ${row.account} and kind = ${row.kind} and id = ${row.id}
    and not exists (select 1 from fiscal_attempt where submission = ${row.seq} and possibly_processed = 1)`

const renumber = (transaction: Transaction, row: SubmissionRow, document: Incoming): Work<PlanVerdict | null> =>
  Effect.gen(function* () {
    if (row.number === document.number && row.taxpayer === document.document.taxpayer) return null
    const by = (yield* takeNumbers(transaction, [document])).get(document)
    if (by !== undefined) return { _tag: "NumberTaken", by }
    yield* releaseNumber(transaction, row)
    return null
  })

const nextPayload = (transaction: Transaction, row: SubmissionRow, document: Incoming) => {
  const revision = number(row.revision) + 1
  const { now, sql } = transaction
  return Effect.as(sql`insert into fiscal_payload ${sql.insert(payloadOf(document, row.seq, revision, now))}`, revision)
}

const conflict = (transaction: Transaction, row: SubmissionRow, because: string): Work<Revisited> =>
  Effect.gen(function* () {
    const isNew = yield* recordConflict(transaction, row, "SOURCE_CONFLICT", because)
    if (isNew) note(transaction, row, "conflict", because)
    return as(row, { _tag: "Conflict", because })
  })

/** Planned or Held: becomes what came now. */
const replace = (transaction: Transaction, row: SubmissionRow, document: Incoming): Work<Revisited> =>
  Effect.gen(function* () {
    const payload = yield* storedBody(transaction, row)
    const { hold_because, hold_cause, ...patch } = incomingPatch(row, document)
    const sameBody = payload.body === document.body
    const sameHold = row.hold_cause === hold_cause && row.hold_because === hold_because
    if (sameBody && sameHold && !differs(row, patch)) return as(row, { _tag: "Unchanged" })
    const refused = yield* renumber(transaction, row, document)
    if (refused !== null) return as(row, refused)
    const revision = sameBody ? number(row.revision) : yield* nextPayload(transaction, row, document)
    yield* amend(transaction, row, { ...patch, revision })
    const next: MovableRow = { ...row, ...patch }
    if (!sameBody) note(transaction, next, "replaced", null)
    const hold = document.hold
    if (row.state === "Held" && hold === null) yield* move(transaction, next, "Planned", "released")
    else if (row.state === "Planned" && hold !== null) yield* holdBack(transaction, next, hold.cause, hold.because)
    else if (hold !== null && !sameHold)
      yield* amend(transaction, row, { hold_cause: hold.cause, hold_because: hold.because })
    return as((yield* locked(transaction, row.seq))!, { _tag: "Replaced" })
  })

/** Declined or Rejected: a new revision when the source, or its translation, differs. */
const revise = (transaction: Transaction, row: SubmissionRow, document: Incoming): Work<Revisited> =>
  Effect.gen(function* () {
    const sameSource = row.fingerprint === document.document.fingerprint
    if (sameSource && (yield* storedBody(transaction, row)).body === document.body)
      return as(row, { _tag: "Unchanged" })
    const refused = yield* renumber(transaction, row, document)
    if (refused !== null) return as(row, refused)
    const revision = yield* nextPayload(transaction, row, document)
    const { hold_because: _, hold_cause: __, ...patch } = incomingPatch(row, document)
    yield* move(transaction, row, "Planned", "revised", {
      patch: { ...patch, revision, request_id: null, rejection: null, said: null }
    })
    const { hold } = document
    if (hold !== null) yield* holdBack(transaction, (yield* locked(transaction, row.seq))!, hold.cause, hold.because)
    yield* weigh(transaction, row.seq, "again")
    return as((yield* locked(transaction, row.seq))!, { _tag: "Revised" })
  })

const correctable = (row: SubmissionRow): boolean =>
  row.state === "Declined" ||
  (row.state === "Rejected" &&
    row.rejection !== null &&
    rejectionOf(row.rejection, () => `rejection of ${row.kind} ${row.id}`).nature === "correctable")

const differing = "and the export now states something else"

/** Compares what came with what is stored (DESIGN, Submission: states, "Key"). */
export const revisit = (transaction: Transaction, row: SubmissionRow, document: Incoming): Work<Revisited> =>
  Effect.gen(function* () {
    const sameSource = row.fingerprint === document.document.fingerprint
    const waiting = (row.state === "Planned" || row.state === "Held") && row.hold_cause !== "contradicted"
    if (!waiting && !correctable(row)) {
      if (sameSource) return as(row, { _tag: "Unchanged" })
      return yield* conflict(transaction, row, `it is ${row.state}, ${differing}`)
    }
    const isOpen = (yield* openAttempts(transaction, row)).length > 0
    if (!isOpen) return yield* (waiting ? replace : revise)(transaction, row, document)
    if (sameSource) return as(row, { _tag: "Unchanged" })
    return yield* conflict(transaction, row, `an earlier attempt may have been processed, ${differing}`)
  })

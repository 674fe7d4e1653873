/** The state that the evidence requires. Order and repetition of the evidence do not matter. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { reduce, type Verdict } from "../../submission/Outcome.ts"
import type { Cause, State } from "../../submission/Submission.ts"
import type { StoredConflict } from "../../submission/Explanation.ts"
import { causeOf } from "../../submission/ledger/LaneFailures.ts"
import { seeFiscalDay } from "../lanes/Lanes.ts"
import * as OtherDevice from "../lanes/OtherDevice.ts"
import * as Refutation from "../lanes/Refutation.ts"
import { type AttemptRow, type Integer, number, type OutcomeRow, type SubmissionRow } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { endConflicts, recordConflict } from "./Conflicts.ts"
import * as ProofClashes from "./ProofClashes.ts"
import { evidenceOf } from "./StoredOutcome.ts"
import { endNotice, isSurplusCredited } from "../lanes/CreditFamily.ts"
import { amend, holdBack, moveAlone, note, type Patch, releaseNotes } from "../lanes/Transition.ts"

/** `fresh`: new evidence arrived. Only new evidence moves a Withdrawn submission. */
type Occasion = "fresh" | "again"

interface Target {
  readonly state: State
  readonly verdict: Verdict
}

const stateOf = ({ outcome }: Verdict, attempts: ReadonlyArray<AttemptRow>): State | null => {
  // a failure with a proof of a receipt leaves the document waiting
  if (outcome._tag !== "Pending" && outcome._tag !== "Contradictory") return outcome._tag
  return attempts.some(({ request_id }) => request_id !== null) ? "Accepted" : null
}

const edge = (from: State, to: State, party: Verdict["statedBy"]): Cause | null => {
  const cause: Cause = party === "operator" ? "operator" : "evidence"
  switch (from) {
    case "Accepted":
      return to === "Expired" ? "horizon" : to === "Fiscalised" || to === "Rejected" ? cause : null
    case "Expired":
      return to === "Fiscalised" || to === "Rejected" ? cause : null
    case "Unknown":
      if (to === "Accepted") return "evidence"
      return to === "Fiscalised" || to === "Rejected" ? cause : null
    case "Rejected":
      return to === "Fiscalised" || to === "Accepted" ? "contradicted" : null
    case "Withdrawn":
      return to === "Accepted" || to === "Fiscalised" || to === "Rejected" ? "contradicted" : null
    case "Planned":
    case "Held":
    case "Declined":
      return to === "Accepted" || to === "Fiscalised" || to === "Rejected" ? "older-attempt" : null
    case "Sending":
    case "Fiscalised":
      return null
  }
}

const patchOf = ({ outcome, proofs }: Verdict, attempts: ReadonlyArray<AttemptRow>): Patch => {
  const named = attempts.findLast(({ request_id }) => request_id !== null)
  return {
    ...(named === undefined ? {} : { request_id: named.request_id }),
    ...(outcome._tag === "Rejected"
      ? { rejection: JSON.stringify(outcome.rejection), said: outcome.rejection.error }
      : {}),
    ...(outcome._tag === "Contradictory" ? { rejection: null, said: outcome.rejection.error } : {}),
    ...(proofs[0] === undefined ? {} : { proof: JSON.stringify(proofs[0]) }),
    ...(outcome._tag === "Fiscalised" ? { rejection: null, said: proofs[0]?.said ?? null } : {})
  }
}

const textOf = ({ outcome, statedBy }: Verdict): string | null => {
  const who = statedBy === "operator" ? "an operator states: " : ""
  switch (outcome._tag) {
    case "Fiscalised":
      return [
        `${who}verification code ${outcome.proof.verificationCode ?? "not given"}`,
        ...(outcome.proof.said === undefined ? [] : [`with the text: ${outcome.proof.said}`])
      ].join(", ")
    case "Contradictory":
      return `a failure with the proof of a receipt: ${outcome.rejection.error}`
    case "Rejected":
      return `${who}${outcome.rejection.error}`
    case "Expired":
      return "the gateway no longer answers for it"
    case "Pending":
      return null
  }
}

interface Evident {
  readonly row: SubmissionRow
  readonly attempts: ReadonlyArray<AttemptRow>
  readonly outcomes: ReadonlyArray<ProofClashes.ComparedRow>
}

/** The submission's row is locked first, so that attempts and outcomes are current. */
const read = ({ dialect, sql }: Transaction, seq: Integer): Effect.Effect<SqlEffect<Evident>, SqlError> =>
  Effect.map(
    Effect.all([
      sql.ahead<SubmissionRow>`select * from fiscal_submission where seq = ${seq} ${dialect.forUpdate}`,
      sql.ahead<AttemptRow>`select * from fiscal_attempt where submission = ${seq} order by id`,
      sql.ahead<ProofClashes.ComparedRow>`select o.*, ${sql.literal(ProofClashes.columns)} from fiscal_outcome o
        left join fiscal_attempt a on a.id = o.attempt where o.submission = ${seq} order by o.id`
    ]),
    (sent) => Effect.map(Effect.all(sent), ([[row], attempts, outcomes]) => ({ row: row!, attempts, outcomes }))
  )

export const weigh = (transaction: Transaction, seq: Integer, occasion: Occasion): SqlEffect<State> =>
  Effect.gen(function* () {
    const evident = yield* Effect.flatten(read(transaction, seq))
    const { again, state } = yield* judge(transaction, evident, occasion)
    for (const other of again) yield* weigh(transaction, other, "again")
    if (state === "Fiscalised" && evident.row.state !== state) {
      yield* releaseNotes(transaction, [evident.row])
      yield* weighOriginal(transaction, evident.row)
    }
    return state
  })

/** Weighs each submission once after new evidence. All submissions are read together. */
export const weighEach = (transaction: Transaction, seqs: ReadonlyArray<Integer>): SqlEffect<void> =>
  Effect.gen(function* () {
    const once = new Map(seqs.map((seq) => [number(seq), seq]))
    const sent = yield* Effect.forEach(once.values(), (seq) => read(transaction, seq))
    const all = yield* Effect.forEach(sent, (evident) => evident)
    const fiscalised: Array<SubmissionRow> = []
    const others: Array<Integer> = []
    for (const evident of all) {
      const { again, state } = yield* judge(transaction, evident, "fresh")
      others.push(...again)
      if (state === "Fiscalised" && evident.row.state !== state) fiscalised.push(evident.row)
    }
    // last, so that every row is judged as read
    yield* releaseNotes(transaction, fiscalised)
    for (const other of others) yield* weigh(transaction, other, "again")
    for (const row of fiscalised) yield* weighOriginal(transaction, row)
  })

const invoiceOf = ({ sql }: Transaction, { original_account, original_id }: SubmissionRow) =>
  sql<SubmissionRow>`select * from fiscal_submission
    where account = ${original_account} and kind = 'invoice' and id = ${original_id}`

const weighOriginal = (transaction: Transaction, row: SubmissionRow): SqlEffect<void> =>
  Effect.gen(function* () {
    if (row.receipt === null) return
    const [invoice] = yield* invoiceOf(transaction, row)
    if (invoice === undefined) return
    yield* weigh(transaction, invoice.seq, "again")
    yield* endNotice(transaction, invoice)
  })

const undecided = <Row extends OutcomeRow>(outcomes: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const decided = Math.max(0, ...outcomes.flatMap(({ id, source }) => (source === "operator" ? [number(id)] : [])))
  return outcomes.filter(({ id, outcome }) => outcome !== "Contradictory" || number(id) > decided)
}

/** Conflicts that count for every revision of the document. */
const ofWhole: ReadonlySet<StoredConflict["code"]> = new Set(["DOUBLE_FISCALISED", "SUCCESS_AND_FAILURE"])

interface WeighedState {
  readonly state: State
  readonly again: ReadonlyArray<Integer>
}

/** The caller releases the submission's credit notes. */
const judge = (transaction: Transaction, evident: Evident, occasion: Occasion): SqlEffect<WeighedState> =>
  Effect.gen(function* () {
    const { outcomes, row } = evident
    const again = yield* ProofClashes.report(transaction, row, outcomes)
    const missing = ProofClashes.missing(outcomes)
    for (const detail of missing) yield* recordConflict(transaction, row, "PROOF_MISSING", detail)
    if (outcomes.some((one) => one.missing !== null)) yield* endConflicts(transaction, row, "PROOF_MISSING", missing)
    return { state: yield* moved(transaction, evident, occasion), again }
  })

const moved = (transaction: Transaction, { attempts, outcomes, row }: Evident, occasion: Occasion): SqlEffect<State> =>
  Effect.gen(function* () {
    const repeated = ProofClashes.repeated(outcomes)
    const revisionOf = new Map(attempts.map(({ id, revision }) => [number(id), number(revision)]))
    const weighed = undecided(outcomes)
    const about = (of: (revision: number) => boolean) =>
      weighed.filter(({ attempt }) => attempt !== null && of(revisionOf.get(number(attempt)) ?? 0)).map(evidenceOf)
    const current = number(row.revision)
    const verdict = reduce(
      about((revision) => revision === current),
      repeated
    )
    const older = reduce(
      about((revision) => revision < current),
      repeated
    )
    const whole = reduce(weighed.map(evidenceOf), repeated)

    const conflicts = [
      ...verdict.conflicts.filter(({ code }) => !ofWhole.has(code)),
      ...whole.conflicts.filter(({ code }) => ofWhole.has(code))
    ]
    if (outcomes.some(({ outcome }) => outcome === "Contradictory")) {
      const open = conflicts.flatMap(({ code, detail }) => (code === "SUCCESS_AND_FAILURE" ? [detail] : []))
      yield* endConflicts(transaction, row, "SUCCESS_AND_FAILURE", new Set(open))
    }
    const isDouble = conflicts.some(({ code }) => code === "DOUBLE_FISCALISED")
    const isCredited = isDouble && (yield* isSurplusCredited(transaction.sql, row, whole.proofs))
    if (isCredited) yield* endConflicts(transaction, row, "DOUBLE_FISCALISED", new Set())
    for (const { code, detail } of conflicts)
      if (code !== "DOUBLE_FISCALISED" || !isCredited) yield* recordConflict(transaction, row, code, detail)
    // the account may have moved to another device between two attempts
    const lanes = [...new Set(attempts.map(({ lane }) => lane))]
    for (const proof of whole.proofs) {
      if (proof.fiscalDay !== null) yield* seeFiscalDay(transaction, row.lane, proof.fiscalDay)
      if (proof.said !== undefined) yield* recordConflict(transaction, row, "SUCCESS_WITH_ERROR", proof.said)
      const other = OtherDevice.difference(lanes.length === 0 ? [row.lane] : lanes, proof)
      if (other !== null && (yield* recordConflict(transaction, row, "OTHER_DEVICE", other))) {
        yield* OtherDevice.halt(transaction, row.lane, other)
      }
    }

    const unsent = row.state === "Planned" || row.state === "Held" || row.state === "Declined"
    if (older.outcome._tag === "Contradictory" && (row.state === "Planned" || row.state === "Held")) {
      return yield* holdContradicted(transaction, row, `an earlier revision may be fiscalised (${textOf(older)})`)
    }
    // a document that is Fiscalised by its older revision has no success of the current one
    const isBoth = row.state !== "Fiscalised" || verdict.outcome._tag === "Fiscalised"
    if (older.outcome._tag === "Fiscalised" && isBoth && row.state !== "Withdrawn") {
      const text = `an earlier revision was fiscalised after all (${textOf(older)})`
      yield* recordConflict(transaction, row, "OUTCOME_CONFLICT", text)
      if (unsent) return yield* holdContradicted(transaction, row, text)
    }
    const target = targetOf(row, occasion, verdict, older, attempts)
    if (target === null) return row.state
    const to = target.state
    const ofRevision = attempts.filter(({ revision }) => number(revision) === current)
    const patch = patchOf(
      to === "Fiscalised" ? { ...target.verdict, proofs: whole.proofs } : target.verdict,
      ofRevision
    )
    const cause = edge(row.state, to, target.verdict.statedBy)
    if (cause === null) {
      const news =
        (patch.proof ?? row.proof) !== row.proof ||
        (patch.rejection ?? row.rejection) !== row.rejection ||
        (patch.said ?? row.said) !== row.said
      // the same verdict with more detail
      if (row.state === to && news) yield* amend(transaction, row, patch)
      return row.state
    }
    if (row.state === "Withdrawn") {
      yield* recordConflict(transaction, row, "OUTCOME_CONFLICT", `withdrawn, but the gateway says ${to.toLowerCase()}`)
    }
    if (to === "Rejected" && (yield* Refutation.hold(transaction, row))) return "Held"
    if (to === "Rejected" && row.made === "here") yield* doubtOriginal(transaction, row, patch)
    return yield* moveAlone(transaction, row, to, cause, { patch, text: textOf(target.verdict) })
  })

/** Records that the gateway does not know an invoice whose receipt it has stated (RCPT032). */
const doubtOriginal = (transaction: Transaction, row: SubmissionRow, { request_id, said }: Patch): SqlEffect<void> =>
  Effect.gen(function* () {
    if (causeOf(said ?? "") !== "RCPT032") return
    const text = `the gateway refuses its credit note ${row.number} (request ${request_id}): ${said}`
    for (const invoice of yield* invoiceOf(transaction, row))
      yield* recordConflict(transaction, invoice, "OUTCOME_CONFLICT", text)
  })

/** An earlier revision of the waiting document has a receipt, or may have one. */
const holdContradicted = (transaction: Transaction, row: SubmissionRow, text: string): SqlEffect<State> =>
  Effect.gen(function* () {
    if (row.state === "Planned") return yield* holdBack(transaction, row, "contradicted", text)
    if (row.state === "Held" && row.hold_because !== text) {
      yield* amend(transaction, row, { hold_cause: "contradicted", hold_because: text })
      note(transaction, row, "contradicted", text)
    }
    return row.state
  })

const targetOf = (
  row: SubmissionRow,
  occasion: Occasion,
  verdict: Verdict,
  older: Verdict,
  attempts: ReadonlyArray<AttemptRow>
): Target | null => {
  if (row.state === "Withdrawn") {
    if (occasion === "again") return null
    if (older.outcome._tag === "Fiscalised") return { state: "Fiscalised", verdict: older }
  }
  const isFree = row.state === "Rejected" || row.state === "Declined"
  if (isFree && older.outcome._tag === "Contradictory") return { state: "Accepted", verdict: older }
  const ofRevision = attempts.filter(({ revision }) => revision === row.revision)
  const state = stateOf(verdict, ofRevision)
  return state === null ? null : { state, verdict }
}

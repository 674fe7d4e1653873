/**
 * One verification code for two documents, and receipt numbers that are not unique. Each is a
 * conflict; no document is moved.
 */
import { Effect } from "effect"
import * as ProofConflict from "../rows/ProofConflict.ts"
import type { StoredConflict } from "../../submission/Explanation.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { type Integer, number, type OutcomeRow, type SubmissionRow } from "../rows/Rows.ts"
import { recordConflict } from "./Conflicts.ts"

export interface ComparedRow extends OutcomeRow {
  /** Number of other documents of the lane with the same verification code: 0, 1 or 2. */
  readonly sharing: Integer
  /** 1 if another document of the lane has the same receipt number and another code. */
  readonly renumbered: Integer
}

/**
 * Lane of an outcome. A statement of an operator about a document without a request is of the
 * document's lane.
 */
const laneOf = (outcome: string, attempt: string) =>
  `coalesce(${attempt}.lane, (select s.lane from fiscal_submission s where s.seq = ${outcome}.submission))`

export const columns = `(select count(*) from (select distinct p.submission from fiscal_outcome p
      left join fiscal_attempt b on b.id = p.attempt where p.code = o.code and p.submission <> o.submission
      and ${laneOf("p", "b")} = ${laneOf("o", "a")} limit 2) shared) as sharing,
    case when exists (select 1 from fiscal_outcome p join fiscal_attempt b on b.id = p.attempt
      where p.receipt = o.receipt and p.code <> o.code and p.submission <> o.submission and b.lane = a.lane)
      then 1 else 0 end as renumbered`

/** Returns the codes that three documents of a lane or more have: such a code proves nothing. */
export const repeated = (outcomes: ReadonlyArray<ComparedRow>): ReadonlySet<string> =>
  new Set(outcomes.flatMap(({ code, sharing }) => (code !== null && number(sharing) > 1 ? [code] : [])))

const isKnown = ({ sql }: Transaction, row: SubmissionRow, code: StoredConflict["code"], per: "account" | "lane") =>
  Effect.map(
    sql`select 1 from fiscal_conflict c join fiscal_submission s on s.seq = c.submission
      where c.code = ${code} and ${sql.literal(`s.${per}`)} = ${row[per]} limit 1`,
    (found) => found.length > 0
  )

/**
 * Open for the first code of an account, marked as known for the others. Returns the documents to
 * weigh again: with two requests that succeeded under it.
 */
const proclaim = (transaction: Transaction, row: SubmissionRow, code: string): SqlEffect<ReadonlyArray<Integer>> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const detail = ProofConflict.codeNotUnique + code
    const known = yield* sql`select 1 from fiscal_conflict c join fiscal_submission s on s.seq = c.submission
      where c.code = 'CODE_NOT_UNIQUE' and c.detail = ${detail} and s.lane = ${row.lane} limit 1`
    if (known.length > 0) return []
    const isListed = yield* isKnown(transaction, row, "CODE_NOT_UNIQUE", "account")
    yield* recordConflict(transaction, row, "CODE_NOT_UNIQUE", detail)
    if (isListed)
      yield* sql`update fiscal_conflict set settled_at = ${now} where submission = ${row.seq} and detail = ${detail}`
    const twice = yield* sql<{ readonly submission: Integer }>`select submission from fiscal_outcome
      where code = ${code} and submission <> ${row.seq} group by submission having count(distinct request_id) > 1`
    return twice.map(({ submission }) => submission)
  })

const others = ({ sql }: Transaction, row: SubmissionRow, code: string) =>
  sql<SubmissionRow>`select * from fiscal_submission where seq in (select p.submission from fiscal_outcome o
      left join fiscal_attempt a on a.id = o.attempt join fiscal_outcome p on p.code = o.code
      left join fiscal_attempt b on b.id = p.attempt
      where o.submission = ${row.seq} and o.code = ${code} and p.submission <> o.submission
      and ${sql.literal(`${laneOf("p", "b")} = ${laneOf("o", "a")}`)})
    order by seq limit 2`

const share = (transaction: Transaction, row: SubmissionRow, other: SubmissionRow, code: string) =>
  Effect.andThen(
    recordConflict(transaction, row, "PROOF_SHARED", ProofConflict.shared(code, other.kind, other.number)),
    recordConflict(transaction, other, "PROOF_SHARED", ProofConflict.shared(code, row.kind, row.number))
  )

/**
 * Records the clashes. Returns the documents to weigh again, because their code proves nothing now.
 */
export const report = (
  transaction: Transaction,
  row: SubmissionRow,
  outcomes: ReadonlyArray<ComparedRow>
): SqlEffect<ReadonlyArray<Integer>> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const again: Array<Integer> = []
    const shared = outcomes.filter(({ code, sharing }) => code !== null && number(sharing) > 0)
    for (const { code, sharing } of new Map(shared.map((one) => [one.code, one])).values()) {
      const found = yield* others(transaction, row, code!)
      if (number(sharing) === 1) {
        for (const other of found) yield* share(transaction, row, other, code!)
        continue
      }
      const begins = ProofConflict.shared(code!, "", "").trimEnd()
      yield* sql`update fiscal_conflict set settled_at = ${now}
        where code = 'PROOF_SHARED' and settled_at is null and substr(detail, 1, ${begins.length}) = ${begins}
        and ${sql.in(
          "submission",
          [row, ...found].map(({ seq }) => seq)
        )}`
      again.push(...(yield* proclaim(transaction, row, code!)))
    }
    const isRenumbered = outcomes.some(({ renumbered }) => number(renumbered) === 1)
    if (isRenumbered && !(yield* isKnown(transaction, row, "RECEIPT_NOT_UNIQUE", "lane")))
      yield* recordConflict(transaction, row, "RECEIPT_NOT_UNIQUE", ProofConflict.receiptNotUnique)
    return again
  })

export const missing = (outcomes: ReadonlyArray<OutcomeRow>): ReadonlySet<string> => {
  const byRequest = Map.groupBy(
    outcomes.filter(({ outcome, source }) => outcome === "Fiscalised" && source !== "operator"),
    ({ request_id }) => request_id
  )
  return new Set(
    [...byRequest.values()].flatMap((same) => {
      const cause = same.some((one) => one.missing === null) ? null : same.at(-1)!.missing
      return cause === null ? [] : [ProofConflict.missing[cause]]
    })
  )
}

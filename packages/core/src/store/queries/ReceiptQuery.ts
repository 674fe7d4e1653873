import { Array as Arr, type DateTime, Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as Submission from "../../submission/Submission.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import type {
  ChangedDocument,
  MeantDocument,
  DocumentRequest,
  DocumentRequests,
  ReceiptQueries,
  RevisionKey,
  StatedReceipt
} from "../../submission/SubmissionQuery.ts"
import * as CreditFamily from "../lanes/CreditFamily.ts"
import { otherProgramsOf } from "../lanes/ReceiptGaps.ts"
import type { Queries } from "../database/Statements.ts"
import type { Database, SqlEffect } from "../database/Transaction.ts"
import { evidenceOf } from "../evidence/StoredOutcome.ts"
import * as ProofConflict from "../rows/ProofConflict.ts"
import {
  type AttemptRow,
  type Integer,
  meaningOf,
  number,
  type OutcomeRow,
  proofOf,
  sourceOf,
  type SubmissionRow
} from "../rows/Rows.ts"
import { settled, type SettledText } from "../rows/SettledSql.ts"
import * as StoredValues from "../rows/StoredValues.ts"

type SentReceiptRow = Pick<
  SubmissionRow,
  | "seq"
  | "account"
  | "kind"
  | "id"
  | "number"
  | "state"
  | "lane"
  | "revision"
  | "receipt_text"
  | "proof"
  | "source_date"
  | "made"
>

interface RequestRow extends Pick<
  AttemptRow,
  "id" | "submission" | "lane" | "revision" | "begun_at" | "request_id" | "possibly_processed"
> {
  readonly known: SettledText
}

interface ReceiptConflictRow {
  readonly submission: Integer
  readonly code: string
  readonly detail: string
  readonly settled_at: Integer | null
}

interface SuccessRow extends OutcomeRow {
  readonly submission: Integer
}

const request = (row: RequestRow): DocumentRequest => ({
  attempt: number(row.id),
  lane: row.lane,
  revision: number(row.revision),
  begunAt: Stored.time(row.begun_at, () => `begun_at of attempt ${row.id}`),
  known: row.known,
  requestId: number(row.possibly_processed) === 1 ? row.request_id : null
})

const statedReceipt = (row: SuccessRow): ReadonlyArray<StatedReceipt> => {
  const { outcome, requestId, source } = evidenceOf(row)
  if (!("proof" in outcome)) return []
  const { _tag, proof } = outcome
  return [
    {
      requestId,
      proof,
      by: source === "operator" ? "operator" : "gateway",
      beside: _tag === "Contradictory" ? "failure" : "nothing",
      attempt: row.attempt === null ? null : number(row.attempt)
    }
  ]
}

/** An operator's statement about a document that was never sent is in the document's row alone. */
const unsent = ({ id, proof, state }: SentReceiptRow): ReadonlyArray<StatedReceipt> =>
  state === "Fiscalised" && proof !== null
    ? [
        {
          requestId: null,
          proof: proofOf(proof, () => `proof of document ${id}`),
          by: "operator",
          beside: "nothing",
          attempt: null
        }
      ]
    : []

const together = 500

const before = 50

const seqsOf = (
  sql: SqlClient,
  lane: string,
  which: "sent" | "all",
  since: DateTime.DateTime | null
): SqlEffect<ReadonlyArray<Integer>> =>
  Effect.gen(function* () {
    const from = since?.epochMilliseconds ?? 0
    const [first] =
      since === null
        ? []
        : yield* sql<Pick<AttemptRow, "id">>`select id from fiscal_attempt
          where lane = ${lane} and begun_at < ${from} order by id desc limit 1 offset ${before}`
    // documents that may still get a receipt are read however old they are
    const waiting = which === "all" ? Submission.open : []
    const changed = which === "all" ? Submission.states : (["Fiscalised"] as const)
    const found = yield* sql<Pick<SubmissionRow, "seq">>`
      select seq from fiscal_submission where lane = ${lane} and ${sql.in("state", changed)} and since >= ${from}
      union select seq from fiscal_submission where lane = ${lane} and ${sql.in("state", waiting)}
      union select submission from fiscal_attempt where lane = ${lane} and id >= ${first?.id ?? 0} order by 1`
    return found.map(({ seq }) => seq)
  })

const page = (sql: SqlClient, seqs: ReadonlyArray<Integer>): SqlEffect<ReadonlyArray<DocumentRequests>> =>
  Effect.gen(function* () {
    const rows =
      yield* sql<SentReceiptRow>`select s.seq, s.account, s.kind, s.id, s.number, s.state, s.lane, s.revision,
        s.receipt_text, s.proof, s.source_date, s.made from fiscal_submission s
      where ${sql.in("s.seq", seqs)} order by s.seq`
    return yield* requestsOf(sql, rows)
  })

export const requestsOf = (
  sql: Queries,
  rows: ReadonlyArray<SentReceiptRow>
): SqlEffect<ReadonlyArray<DocumentRequests>> =>
  Effect.gen(function* () {
    if (rows.length === 0) return []
    const seqs = rows.map(({ seq }) => seq)
    const attempts =
      yield* sql<RequestRow>`select a.id, a.submission, a.lane, a.revision, a.begun_at, a.request_id, a.possibly_processed,
      ${settled(sql)} as known from fiscal_attempt a where ${sql.in("a.submission", seqs)} order by a.id`
    const outcomes = yield* sql<SuccessRow>`select * from fiscal_outcome
      where ${sql.in("submission", seqs)} and outcome in ('Fiscalised', 'Contradictory') order by id`
    const conflicts = Map.groupBy(
      yield* sql<ReceiptConflictRow>`select submission, code, detail, settled_at from fiscal_conflict
        where ${sql.in("submission", seqs)} and coalesce(stated, '?') <> '' order by code, detail`,
      ({ submission }) => number(submission)
    )
    const represented = new Set(
      (yield* sql<Pick<SubmissionRow, "seq">>`select s.seq from fiscal_submission s
        where ${sql.in("s.seq", seqs)} and s.kind = 'credit-note' and ${sql.literal(CreditFamily.representing)} > 0`).map(
        ({ seq }) => number(seq)
      )
    )
    const requests = Map.groupBy(attempts, ({ submission }) => number(submission))
    const stated = Map.groupBy(outcomes, ({ submission }) => number(submission))
    return rows.map((row) => {
      const seq = number(row.seq)
      const { column, optional } = Stored.columns(row, `${row.kind} ${row.id} of account ${row.account}`)
      return {
        seq,
        account: row.account,
        kind: column("kind", Stored.among(StoredValues.kinds)),
        id: row.id,
        number: column("number", Stored.name<DocumentNumber>),
        state: column("state", Stored.among(StoredValues.states)),
        lane: row.lane,
        revision: number(row.revision),
        dated: column("source_date", Stored.civilDate),
        made: row.made === "here" ? "here" : "source",
        isRepresented: represented.has(seq),
        conflicts: (conflicts.get(seq) ?? []).map(({ code, detail, settled_at }) => ({
          code: Stored.oneOf(StoredValues.conflicts, code, () => `a conflict of ${row.kind} ${row.id}`),
          detail,
          standing: settled_at === null ? "open" : "settled"
        })),
        receiptDate: optional("receipt_text", Stored.instant),
        requests: (requests.get(seq) ?? []).map(request),
        stated: stated.get(seq)?.flatMap(statedReceipt) ?? unsent(row)
      }
    })
  })

interface ChangedReceiptRow extends SentReceiptRow {
  readonly before: string | null
  readonly currency: string
  readonly total: string
}

const changedAfter = (
  sql: SqlClient,
  lane: string,
  to: string,
  position: number
): SqlEffect<ReadonlyArray<ChangedDocument>> =>
  Effect.gen(function* () {
    const rows =
      yield* sql<ChangedReceiptRow>`select s.seq, s.account, s.kind, s.id, s.number, s.state, s.lane, s.revision,
        s.receipt_text, s.proof, s.source_date, s.made, p.currency, p.total,
        (select e.from_state from fiscal_event e where e.submission = s.seq and e.id > ${position} order by e.id limit 1) as before
      from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.seq in (select submission from fiscal_event where id > ${position})
        and s.lane = ${lane} and s.source_date <= ${to} order by s.seq`
    const pages = yield* Effect.forEach(Arr.chunksOf(rows, together), (some) =>
      Effect.gen(function* () {
        const found = yield* sql<Pick<ReceiptConflictRow, "submission" | "code">>`select c.submission, c.code
          from fiscal_conflict c where ${sql.in(
            "c.submission",
            some.map(({ seq }) => seq)
          )} and c.at >= (select min(e.at) from fiscal_event e where e.submission = c.submission and e.id > ${position})`
        const requests = yield* requestsOf(sql, some)
        return some.map(({ before, currency, seq, total }, n): ChangedDocument => {
          const place = () => `document ${number(seq)}`
          return {
            requests: requests[n]!,
            before: Stored.nullable(before, (state) => Stored.oneOf(StoredValues.states, state, place)),
            found: found.flatMap(({ code, submission }) =>
              number(submission) === number(seq) ? [Stored.oneOf(StoredValues.conflicts, code, place)] : []
            ),
            currency,
            total: Stored.money(total, place)
          }
        })
      })
    )
    return pages.flat()
  })

interface ReceiptPayloadRow extends Pick<SubmissionRow, "kind" | "number" | "revision"> {
  readonly submission: Integer
  readonly body: string
  readonly source: string
  readonly meaning: string | null
}

const revisions = (sql: SqlClient, keys: ReadonlyArray<RevisionKey>): SqlEffect<ReadonlyArray<MeantDocument>> =>
  Effect.gen(function* () {
    const found = new Map<string, MeantDocument>()
    const asked = new Set(keys.map(String))
    for (const chunk of Arr.chunksOf([...new Set(keys.map(([seq]) => seq))], together)) {
      const rows =
        yield* sql<ReceiptPayloadRow>`select p.submission, p.revision, p.body, p.source, p.meaning, s.kind, s.number from fiscal_payload p
        join fiscal_submission s on s.seq = p.submission where ${sql.in("p.submission", chunk)}`
      for (const { body, kind, meaning, number: named, revision, source, submission } of rows) {
        const key = String([submission, revision])
        if (!asked.has(key)) continue
        found.set(key, {
          document: yield* StoredDocument.read(kind, body, named),
          source: sourceOf(source, () => `source of ${kind} ${named}`),
          meaning: Stored.nullable(meaning, (text) => meaningOf(text, () => `meaning of ${kind} ${named}`))
        })
      }
    }
    return keys.map((key) => found.get(String(key))!)
  })

const repeatedCodes = (sql: SqlClient, lane: string): SqlEffect<ReadonlySet<string>> =>
  Effect.map(
    sql<{ readonly detail: string }>`select c.detail from fiscal_conflict c
      join fiscal_submission s on s.seq = c.submission where c.code = 'CODE_NOT_UNIQUE' and s.lane = ${lane}`,
    (rows) => new Set(rows.map(({ detail }) => detail.slice(ProofConflict.codeNotUnique.length)))
  )

export const make = ({ read }: Database): ReceiptQueries => {
  const readSeqs = read("read the documents of a device", seqsOf)
  const readPage = read("read receipts", page)
  return {
    documentsOf: (lane, which, since) =>
      Stream.unwrap(
        Effect.map(readSeqs(lane, which, since), (seqs) =>
          Stream.fromIterable(Arr.chunksOf(seqs, together)).pipe(Stream.mapEffect(readPage), Stream.flattenIterable)
        )
      ),
    changedAfter: read("read changed documents", changedAfter),
    otherPrograms: read("read other programs", otherProgramsOf),
    repeatedCodes: read("read verification codes", repeatedCodes),
    revisions: read("read what was sent", revisions)
  }
}

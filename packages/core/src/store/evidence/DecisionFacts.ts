import { Array as Arr, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import { causeOf } from "../../submission/ledger/LaneFailures.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { DecisionFacts } from "../../submission/PermittedDecision.ts"
import { causeNamed } from "../../submission/PlannedDocument.ts"
import type { ConflictCode } from "../../submission/Submission.ts"
import type { Queries } from "../database/Statements.ts"
import { forgottenSource } from "../rows/Forgotten.ts"
import { holdOf, type Integer, number, rejectionOf, type SubmissionRow } from "../rows/Rows.ts"
import { isContradictory, isOpen, mayBeReceipt } from "../rows/SettledSql.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { awaitsAccount } from "../lanes/Quiet.ts"
import { currentOf } from "./Failures.ts"
import { onTrust } from "./UnconfirmedIds.ts"

interface DecisionFactsRow extends Pick<
  SubmissionRow,
  | "seq"
  | "original_account"
  | "original_id"
  | "source_date"
  | "receipt"
  | "state"
  | "hold_cause"
  | "hold_because"
  | "rejection"
  | "said"
  | "request_id"
> {
  readonly on_trust: Integer
  readonly stated: Integer
  readonly claimed: Integer
  readonly may_be_receipt: Integer
  readonly open: Integer
  readonly forgotten: Integer
  readonly awaits_account: Integer
  readonly other: "known" | "missing" | "not-related"
  readonly withdrawn: string | null
  readonly invoice: string | null
  readonly invoice_date: string | null
}

const others = `fiscal_relation r left join fiscal_submission w on w.account = r.other_account
    and w.kind = r.other_kind and w.id = r.other_id
  left join fiscal_original g on g.account = r.other_account and r.other_kind = 'invoice' and g.invoice_id = r.other_id
  where r.account = s.account and r.kind = s.kind and r.id = s.id and r.relation = 'possible'`

const preparedFor = (row: DecisionFactsRow, at: (column: string) => () => string): DecisionFacts["preparedFor"] =>
  Stored.nullable(row.invoice, (invoice) => ({
    key: { account: row.original_account!, kind: "invoice", id: row.original_id! },
    number: Stored.name<DocumentNumber>(invoice, at("number of its invoice")),
    receipt: row.receipt,
    from: Stored.civilDate(row.invoice_date, at("source_date of its invoice")),
    to: Stored.civilDate(row.source_date, at("source_date"))
  }))

// a statement takes at most 32766 parameters
const together = 500

export const of = (
  sql: Queries,
  documents: ReadonlyArray<{ readonly seq: Integer }>
): Effect.Effect<ReadonlyArray<DecisionFacts>, SqlError> =>
  Effect.gen(function* () {
    const found = new Map<number, DecisionFacts>()
    for (const chunk of Arr.chunksOf([...new Set(documents.map(({ seq }) => seq))], together)) {
      const rows =
        yield* sql<DecisionFactsRow>`select s.seq, s.original_account, s.original_id, s.source_date, s.receipt, s.state, s.hold_cause, s.hold_because, s.rejection, s.said, s.request_id,
          case when s.state in ('Accepted', 'Expired') and exists (select 1 from fiscal_attempt a
            where a.id = (select max(id) from fiscal_attempt where submission = s.seq) and ${onTrust(sql)})
            then 1 else 0 end as on_trust,
          case when exists (select 1 from fiscal_outcome o where o.submission = s.seq
            and (o.outcome = 'Fiscalised' or (${isContradictory(sql)}))) then 1 else 0 end as stated,
          case when s.state = 'Fiscalised' and s.proof like '%"verificationCode":null%' and not exists (
            select 1 from fiscal_outcome o where o.submission = s.seq and o.outcome = 'Fiscalised'
              and (o.source <> 'operator' or o.code is not null)) then 1 else 0 end as claimed,
          case when exists (select 1 from fiscal_attempt a where a.submission = s.seq and ${mayBeReceipt(sql)})
            then 1 else 0 end as may_be_receipt,
          case when exists (select 1 from fiscal_attempt a where a.submission = s.seq and ${isOpen(sql)})
            then 1 else 0 end as open,
          case when exists (select 1 from fiscal_payload p where p.submission = s.seq and p.revision = s.revision
            and p.source = ${forgottenSource}) then 1 else 0 end as forgotten,
          case when ${awaitsAccount({ sql })} then 1 else 0 end as awaits_account,
          ${sql.literal(`case when exists (select 1 from ${others} and (w.seq is not null or g.invoice_id is not null)) then 'known'
            when exists (select 1 from ${others}) then 'missing' else 'not-related' end as other,
          (select min(w.number) from ${others} and w.state = 'Withdrawn' and g.invoice_id is null) as withdrawn`)},
          i.number as invoice, i.source_date as invoice_date
        from fiscal_submission s left join fiscal_submission i on s.made = 'here' and i.account = s.original_account
          and i.kind = 'invoice' and i.id = s.original_id where ${sql.in("s.seq", chunk)}`
      const conflicts = yield* sql<{ readonly submission: Integer; readonly code: string }>`select submission, code
        from fiscal_conflict where ${sql.in("submission", chunk)} and settled_at is null`
      const requests = yield* currentOf(
        sql,
        rows.filter(({ state }) => state === "Accepted").map(({ seq }) => seq)
      )
      for (const row of rows) {
        const seq = number(row.seq)
        const at = (column: string) => () => `${column} of a document (fiscal_submission ${seq})`
        const held = row.state === "Held" ? holdOf(row) : null
        const rejection = Stored.nullable(row.rejection, (text) => rejectionOf(text, at("rejection")))
        found.set(seq, {
          state: Stored.oneOf(StoredValues.states, row.state, at("state")),
          hold: held === null ? null : { ...held, cause: causeNamed(held.cause) },
          nature: row.state === "Rejected" ? (rejection?.nature ?? null) : null,
          cause: causeOf(row.said ?? "", row.request_id),
          requestId: number(row.on_trust) === 1 ? "on-trust" : "answered",
          receipt: number(row.claimed) === 1 ? "claimed" : number(row.stated) === 1 ? "stated" : "not-stated",
          conflicts: conflicts
            .filter(({ submission }) => number(submission) === seq)
            .map(({ code }) => Stored.oneOf(StoredValues.conflicts, code as ConflictCode, at("a conflict"))),
          attempts: number(row.open) === 1 ? "open" : number(row.may_be_receipt) === 1 ? "receipt" : "none",
          requests: requests.get(seq) ?? [],
          account: number(row.awaits_account) === 1 ? "awaited" : "not-awaited",
          other:
            row.withdrawn === null
              ? row.other
              : { withdrawn: Stored.name<DocumentNumber>(row.withdrawn, at("the other document")) },
          texts: number(row.forgotten) === 1 ? "forgotten" : "kept",
          preparedFor: preparedFor(row, at)
        })
      }
    }
    return documents.map(({ seq }) => found.get(number(seq))!)
  })

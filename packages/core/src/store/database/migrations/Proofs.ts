/**
 * Verification codes and receipt numbers in indexed columns, and successes without a proof. A store
 * with clashes is upgraded and reports them as conflicts. Successes without a proof of the last
 * seven days are asked for again.
 */
import { Clock, Duration, Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as ProofConflict from "../../rows/ProofConflict.ts"

const retention = Duration.toMillis("7 days")

export const proofs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const text = (value: string | number) => sql.literal(typeof value === "number" ? String(value) : `'${value}'`)
  yield* sql`alter table fiscal_outcome add column code text`
  yield* sql`alter table fiscal_outcome add column receipt text`
  yield* sql`alter table fiscal_outcome add column missing text`
  // damaged rows of earlier versions are left without a code
  yield* sql.onDialectOrElse({
    pg: () => sql`update fiscal_outcome set
      code = substring(detail from '"verificationCode":"([^"]+)"'),
      receipt = substring(detail from '"fiscalDay":([0-9]+)') || '/' || substring(detail from '"invoiceNumber":([1-9][0-9]*)')
      where outcome = 'Fiscalised'`,
    orElse: () => sql`update fiscal_outcome set
      code = json_extract(detail, '$.verificationCode'),
      receipt = json_extract(detail, '$.fiscalDay') || '/' || nullif(max(json_extract(detail, '$.invoiceNumber'), 0), 0)
      where outcome = 'Fiscalised' and json_valid(detail)`
  })
  const numbered = sql.onDialectOrElse({
    pg: () => sql.literal(`detail ~ '"invoiceNumber":[1-9]' or detail not like '{"verificationCode":%'`),
    orElse: () =>
      sql.literal(`(case when json_valid(detail) then coalesce(json_extract(detail, '$.invoiceNumber'), 0) end) > 0`)
  })
  yield* sql`update fiscal_outcome set missing = 'proof'
    where outcome = 'Fiscalised' and source <> 'operator' and code is null and not (${numbered})`
  yield* sql`create index fiscal_outcome_code on fiscal_outcome (code) where code is not null`
  yield* sql`create index fiscal_outcome_receipt on fiscal_outcome (receipt) where receipt is not null`
  yield* sql`create index fiscal_conflict_code on fiscal_conflict (code, detail)`
  const coded =
    sql.literal(`select a.lane, o.code, min(o.submission) as first, count(distinct o.submission) as documents
    from fiscal_outcome o join fiscal_attempt a on a.id = o.attempt where o.code is not null group by a.lane, o.code`)
  yield* sql`insert into fiscal_conflict (submission, code, detail, at)
    select distinct o.submission, 'PROOF_SHARED',
      ${text(ProofConflict.sharedBegins)} || o.code || ${text(ProofConflict.sharedGoesOn)} || t.kind || ' ' || t.number, ${text(now)}
    from (${coded}) c join fiscal_outcome o on o.code = c.code join fiscal_attempt a on a.id = o.attempt and a.lane = c.lane
      join fiscal_outcome p on p.code = c.code and p.submission <> o.submission
      join fiscal_attempt b on b.id = p.attempt and b.lane = c.lane
      join fiscal_submission t on t.seq = p.submission
    where c.documents = 2`
  // the account has one open item; its other codes are only marked as known
  yield* sql`insert into fiscal_conflict (submission, code, detail, at, settled_at)
    select c.first, 'CODE_NOT_UNIQUE', ${text(ProofConflict.codeNotUnique)} || c.code, ${text(now)},
      case when exists (select 1 from (${coded}) d join fiscal_submission t on t.seq = d.first
        where d.documents > 2 and t.account = s.account and (d.first < c.first or (d.first = c.first and d.code < c.code)))
      then ${text(now)} end
    from (${coded}) c join fiscal_submission s on s.seq = c.first where c.documents > 2`
  yield* sql`insert into fiscal_conflict (submission, code, detail, at)
    select min(c.first), 'RECEIPT_NOT_UNIQUE', ${text(ProofConflict.receiptNotUnique)}, ${text(now)}
    from (select a.lane, o.receipt, min(o.submission) as first from fiscal_outcome o join fiscal_attempt a on a.id = o.attempt
      where o.receipt is not null group by a.lane, o.receipt
      having count(distinct o.code) > 1 and count(distinct o.submission) > 1) c group by c.lane`
  const unproven =
    sql.literal(`select a.id, a.submission from fiscal_attempt a join fiscal_outcome o on o.attempt = a.id
    where o.missing is not null and a.known_at > ${now - retention}
    and not exists (select 1 from fiscal_outcome p where p.attempt = a.id and p.outcome = 'Fiscalised' and p.missing is null)`)
  yield* sql`insert into fiscal_conflict (submission, code, detail, at)
    select distinct u.submission, 'PROOF_MISSING', ${text(ProofConflict.missing.proof)}, ${text(now)}
    from (${unproven}) u join fiscal_submission s on s.seq = u.submission and s.state = 'Fiscalised'`
  yield* sql`update fiscal_attempt set poll_at = ${text(now)} where id in (select u.id from (${unproven}) u)`
})

/** Documents that the source replaces: one must not be sent while the other may have a receipt. */
import { BigDecimal, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Money from "../../document/Money.ts"
import * as NumberFold from "../../document/NumberFold.ts"
import * as SameSale from "../../submission/ledger/SameSale.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { PlannedDocument, SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { State } from "../../submission/Submission.ts"
import type { Queries } from "../database/Statements.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { mayBeReceiptText } from "../rows/SettledSql.ts"
import type { SqlEffect } from "../database/Transaction.ts"

export interface RelatedRow extends SubmissionKey {
  readonly seq: Integer | null
  readonly number: string | null
  readonly state: State | null
  readonly receipts: Integer
  readonly registration: "registered" | "none"
  readonly total: string | null
  readonly credited: string | null
}

const facts = (sql: Queries) =>
  sql.literal(`s.seq, coalesce(s.number, o.number) as number, s.state, coalesce(p.total, o.total) as total, o.credited,
    case when o.invoice_id is null then 'none' else 'registered' end as registration,
    (select count(*) from fiscal_attempt a where a.submission = s.seq and ${mayBeReceiptText}) as receipts`)

const joined = (sql: Queries, side: "" | "other_") =>
  sql.literal(`left join fiscal_submission s on s.account = r.${side}account and s.kind = r.${side}kind and s.id = r.${side}id
    left join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
    left join fiscal_original o on o.account = r.${side}account and r.${side}kind = 'invoice' and o.invoice_id = r.${side}id`)

/** `number`: the id is the stated number, because the store does not know a document with it. */
export interface StatedKey extends SubmissionKey {
  readonly by: SameSale.ReplacedSale["by"]
}

/** Returns the key of the replaced document; its number may have another spelling in the store. */
export const keyOfStated = (
  sql: Queries,
  { account, kind, taxpayer }: Pick<SubmissionKey, "account" | "kind"> & Pick<PlannedDocument, "taxpayer">,
  { by, value }: SameSale.ReplacedSale
): Effect.Effect<StatedKey, SqlError> =>
  by === "id"
    ? Effect.succeed({ account, kind, id: value, by })
    : Effect.map(
        sql<SubmissionKey>`select account, kind, id from fiscal_number
          where taxpayer = ${taxpayer} and kind = ${kind} and (number = ${value} or folded = ${NumberFold.of(value)})
          order by case when number = ${value} then 0 else 1 end limit 1`,
        ([holder]) => (holder === undefined ? { account, kind, id: value, by } : { ...holder, by: "id" })
      )

/** Returns why a document that replaces this one would be held, or null. */
export const holdsReplacement = (sql: Queries, other: SubmissionKey): SqlEffect<string | null> =>
  Effect.gen(function* () {
    const [row] =
      yield* sql<RelatedRow>`select r.other_account as account, r.other_kind as kind, r.other_id as id, ${facts(sql)}
      from (select ${other.account} as other_account, ${other.kind} as other_kind, ${other.id} as other_id) r
      ${joined(sql, "other_")}`
    const replaced = [row!, ...(yield* replacedBy(sql, other))]
    return yield* replacedHolds(
      sql,
      replaced.filter((one) => !canEnd(one))
    )
  })

/** Returns why a document that states this replacement would be held, or null. */
export const holdsStated = (
  sql: Queries,
  of: Parameters<typeof keyOfStated>[1],
  stated: SameSale.ReplacedSale
): SqlEffect<string | null> =>
  Effect.gen(function* () {
    for (let one: SameSale.ReplacedSale | undefined = stated; one !== undefined; one = one.before) {
      const text = yield* holdsReplacement(sql, yield* keyOfStated(sql, of, one))
      if (text !== null) return text
    }
    return null
  })

/** Reads the documents that this one replaces, unless an operator has let both have receipts. */
export const replacedBy = (sql: Queries, { account, id, kind }: SubmissionKey) =>
  sql<RelatedRow>`select r.other_account as account, r.other_kind as kind, r.other_id as id, ${facts(sql)}
    from fiscal_relation r ${joined(sql, "other_")}
    where r.account = ${account} and r.kind = ${kind} and r.id = ${id} and r.relation = 'replaces' and r.who = ''
    order by r.at desc, r.other_id`

const replacementsOf = (sql: Queries, { account, id, kind }: SubmissionKey) =>
  sql<RelatedRow>`select r.account, r.kind, r.id, ${facts(sql)} from fiscal_relation r ${joined(sql, "")}
    where r.other_account = ${account} and r.other_kind = ${kind} and r.other_id = ${id} and r.relation = 'replaces' and r.who = ''
    order by r.at desc, r.id`

export const mayHaveReceipt = ({ receipts, registration, state }: RelatedRow): boolean =>
  registration === "registered" || state === "Fiscalised" || number(receipts) > 0

const isCredited = (sql: Queries, { account, credited, id, total }: RelatedRow): SqlEffect<boolean> =>
  Effect.map(
    sql<{ readonly total: string }>`select p.total from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.original_account = ${account} and s.original_id = ${id} and s.state = 'Fiscalised'`,
    (notes) => {
      const read = (text: string) => Stored.money(text, () => `total of a document that ${id} is related to`)
      const sum = [...notes.map((note) => note.total), ...(credited === null ? [] : [credited])]
        .map(read)
        .reduce(BigDecimal.sum, Money.zero)
      return total !== null && BigDecimal.isGreaterThanOrEqualTo(sum, read(total))
    }
  )

/** Documents that a replacement ends: never sent, unless the operator decides otherwise. */
const ends: ReadonlySet<State> = new Set(["Planned", "Held", "Rejected", "Declined"])

export const canEnd = (row: RelatedRow): boolean => row.state !== null && ends.has(row.state) && !mayHaveReceipt(row)

export const replacedHolds = (sql: Queries, replaced: ReadonlyArray<RelatedRow>): SqlEffect<string | null> =>
  Effect.gen(function* () {
    for (const row of replaced) {
      const name = row.number ?? row.id
      if (mayHaveReceipt(row)) {
        if (yield* isCredited(sql, row)) continue
        const is = row.state === null ? "fiscalised elsewhere" : SameSale.stateThen(row.state)
        return `it replaces ${name}, which ${row.state === null || row.state === "Fiscalised" ? "has" : "may have"} a receipt (${is}) and is not credited in full`
      }
      if (row.state !== null && row.state !== "Withdrawn")
        return `it replaces ${name}, which can still be sent (${SameSale.stateThen(row.state)})`
    }
    return null
  })

/** Returns the reason why the document must not be sent beside its related ones, or null. */
export const holds = (sql: Queries, key: SubmissionKey): SqlEffect<string | null> =>
  Effect.gen(function* () {
    const text = yield* replacedHolds(sql, yield* replacedBy(sql, key))
    if (text !== null) return text
    const by = (yield* replacementsOf(sql, key)).find(mayHaveReceipt)
    return by === undefined
      ? null
      : `it is replaced by ${by.number ?? by.id}, which ${by.state === "Fiscalised" ? "has" : "may have"} a receipt (${SameSale.stateThen(by.state ?? "fiscalised elsewhere")})`
  })

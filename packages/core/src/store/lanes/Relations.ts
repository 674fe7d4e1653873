import { Array as Arr, DateTime, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as CivilDate from "../../document/CivilDate.ts"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import type { Spelling } from "../../submission/ledger/Ledger.ts"
import * as SameSale from "../../submission/ledger/SameSale.ts"
import { Operator } from "../../submission/OperatorRecord.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { Queries } from "../database/Statements.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { type Integer, number } from "../rows/Rows.ts"

// a statement takes at most 32766 parameters
const together = 1000

export const keyText = ({ account, id, kind }: SubmissionKey) => `${account}\n${kind}\n${id}`

const utc = DateTime.zoneMakeOffset(0)

export const dayOf = (at: Integer | null): CivilDate.CivilDate | null =>
  at === null ? null : CivilDate.inZone(DateTime.makeUnsafe(number(at)), utc)

export type DocumentRelation =
  | "possible"
  /** An operator stated it: the document is another spelling of the other one. */
  | "same"
  /** An operator stated it: two documents. Never asked again. */
  | "different"
  | "replaces"
  /** A prepared credit note counts the other note on its invoice. */
  | "counts"

const pairText = (document: SubmissionKey, other: SubmissionKey) => `${keyText(document)}\n\n${keyText(other)}`

export const keyOfOther = ({ other_account, other_id, other_kind }: OtherColumns): SubmissionKey => ({
  account: other_account,
  kind: other_kind,
  id: other_id
})

export interface OtherColumns {
  readonly other_account: string
  readonly other_kind: SubmissionKey["kind"]
  readonly other_id: string
}

export const settledPairs = (
  sql: Queries,
  keys: ReadonlyArray<SubmissionKey>
): Effect.Effect<(document: SubmissionKey, other: SubmissionKey) => boolean, SqlError> =>
  Effect.map(
    Effect.forEach(
      Arr.chunksOf(keys, together),
      (some) => sql<SubmissionKey & OtherColumns>`select account, kind, id, other_account, other_kind, other_id
        from fiscal_relation where relation <> 'possible' and ${sql.in(
          "id",
          some.map(({ id }) => id)
        )}`
    ),
    (rows) => {
      const pairs = new Set(rows.flat().map((row) => pairText(row, keyOfOther(row))))
      return (document, other) => pairs.has(pairText(document, other))
    }
  )

export const alikeInAll = (
  sql: Queries,
  keys: ReadonlyArray<SubmissionKey>
): Effect.Effect<(document: SubmissionKey) => boolean, SqlError> =>
  Effect.map(
    Effect.forEach(
      Arr.chunksOf(keys, together),
      (some) => sql<SubmissionKey>`select account, kind, id from fiscal_relation
        where relation = 'possible' and differs = 'nothing' and ${sql.in(
          "id",
          some.map(({ id }) => id)
        )}`
    ),
    (rows) => {
      const found = new Set(rows.flat().map(keyText))
      return (document) => found.has(keyText(document))
    }
  )

/** Adds a relation that no operator has stated, unless the two documents have one. */
export const relate = (
  { now, sql }: Pick<Transaction, "now" | "sql">,
  { account, id, kind }: SubmissionKey,
  other: SubmissionKey,
  stated: {
    readonly relation: DocumentRelation
    readonly because: string
    readonly differs: SameSale.SameSaleQuestion["differs"] | null
  }
) =>
  sql`insert into fiscal_relation ${sql.insert({
    account,
    kind,
    id,
    other_account: other.account,
    other_kind: other.kind,
    other_id: other.id,
    who: "",
    at: now,
    ...stated
  })} on conflict do nothing`

export const record = (
  transaction: Pick<Transaction, "now" | "sql">,
  document: SubmissionKey,
  { differs, other, text }: SameSale.SameSaleQuestion
) =>
  Effect.andThen(
    transaction.sql`delete from fiscal_relation where account = ${document.account} and kind = ${document.kind}
      and id = ${document.id} and relation = 'possible'`,
    relate(transaction, document, other, { relation: "possible", because: text, differs })
  )

export const settle = (
  { now, sql }: Transaction,
  { account, id, kind }: SubmissionKey,
  relation: "same" | "different",
  because: string
): SqlEffect<SubmissionKey | undefined> =>
  Effect.gen(function* () {
    const { name: who } = yield* Operator
    const [row] = yield* sql<OtherColumns>`update fiscal_relation set ${sql.update({ relation, who, because, at: now })}
      where account = ${account} and kind = ${kind} and id = ${id} and relation = 'possible'
      returning other_account, other_kind, other_id`
    return row === undefined ? undefined : keyOfOther(row)
  })

export const release = ({ now, sql }: Transaction, { account, id, kind }: SubmissionKey, because: string) =>
  Effect.gen(function* () {
    const { name: who } = yield* Operator
    yield* sql`update fiscal_relation set ${sql.update({ who, because, at: now })} where relation = 'replaces'
      and ((account = ${account} and kind = ${kind} and id = ${id})
        or (other_account = ${account} and other_kind = ${kind} and other_id = ${id}))`
  })

/**
 * Reads the other spellings of the account's documents, with the document that each one names. A
 * note of the source that a prepared note represents keeps its own name.
 */
export const spellings = (sql: Queries, account: string): SqlEffect<ReadonlyArray<Spelling>> =>
  Effect.map(
    sql<OtherColumns & Pick<Spelling, "kind" | "id"> & { readonly number: string | null }>`select r.kind, r.id,
        r.other_account, r.other_kind, r.other_id, coalesce(s.number, o.number) as number
      from fiscal_relation r
      left join fiscal_submission s on s.account = r.other_account and s.kind = r.other_kind and s.id = r.other_id
      left join fiscal_original o on o.account = r.other_account and o.invoice_id = r.other_id
      where r.account = ${account} and r.relation = 'same' and s.made is null and not (r.other_account = r.account and r.other_id = r.id)`,
    (rows) =>
      rows.map(({ id, kind, number, ...other }) => ({
        kind,
        id,
        of: { ...keyOfOther(other), number: (number ?? other.other_id) as DocumentNumber }
      }))
  )

/**
 * Returns why a document that is registered as fiscalized elsewhere must not be sent, and records
 * the question. Null if it is not registered, or an operator has stated that both are
 * sales.
 */
export const openRegistration = (transaction: Transaction, key: SubmissionKey): SqlEffect<string | null> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const [row] = yield* sql<{ readonly registered_at: Integer | null }>`select registered_at from fiscal_original
      where account = ${key.account} and invoice_id = ${key.id}`
    if (row === undefined || key.kind !== "invoice" || (yield* settledPairs(sql, [key]))(key, key)) return null
    const text = SameSale.elsewhere({ registeredOn: dayOf(row.registered_at) })
    yield* record(transaction, key, { other: key, differs: "nothing", text })
    return text
  })

/**
 * Sales that may be somebody's receipt already: numbers with the same fold, registered originals,
 * and the decisions about them (submission/SameSale).
 */
import { Array as Arr, DateTime, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as CivilDate from "../../document/CivilDate.ts"
import type { DocumentNumber } from "../../document/Identifiers.ts"
import * as Money from "../../document/Money.ts"
import type { RegisteredSale, Spelling } from "../../ledger/Ledger.ts"
import * as Stored from "../../ledger/Stored.ts"
import type { StoreError } from "../../ledger/StoreError.ts"
import { Operator } from "../../submission/OperatorRecord.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import * as SameSale from "../../submission/SameSale.ts"
import type { Queries } from "../database/Statements.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { isForgotten } from "../rows/Forgotten.ts"
import { type Integer, number, type SubmissionRow } from "../rows/Rows.ts"
import { type Incoming, keyText } from "./Incoming.ts"

type Read<A> = Effect.Effect<A, SqlError | StoreError>

/**
 * Serializes the transactions that plan or register documents of a taxpayer, in a fixed order, so
 * that two accounts which plan one sale at the same time see each other. SQLite has one writer.
 */
export const lock = ({ dialect, sql }: Pick<Transaction, "dialect" | "sql">, taxpayers: Iterable<string>) => {
  const { lock } = dialect
  if (lock === null) return Effect.void
  return Effect.forEach(
    [...new Set(taxpayers)].toSorted(),
    (taxpayer) => sql`select ${lock}(hashtextextended(current_schema() || ' taxpayer ' || ${taxpayer}::text, 0))`,
    { discard: true }
  )
}

interface SaleRow extends Pick<SubmissionRow, "account" | "kind" | "id" | "number" | "hold_cause" | "proof"> {
  readonly folded: string
  /** Null if the number belongs to a registered original only. */
  readonly state: SubmissionRow["state"] | null
  readonly day: string | null
  readonly currency: string | null
  readonly total: string | null
  readonly buyer: string | null
  readonly source: string | null
  readonly registration: "registered" | "none"
  readonly registered_at: Integer | null
}

const utc = DateTime.zoneMakeOffset(0)

const dayOf = (at: Integer | null): CivilDate.CivilDate | null =>
  at === null ? null : CivilDate.inZone(DateTime.makeUnsafe(number(at)), utc)

const receiptOf = (proof: string | null): string | null => {
  if (proof === null) return null
  const code = Stored.record(proof, () => "proof of a document with an equal fold")["verificationCode"]
  return typeof code === "string" ? code : null
}

const saleOf = (row: SaleRow): SameSale.KnownSale => {
  const { account, buyer, currency, day, folded, id, kind, number, registration, source, state, total } = row
  const isUnknown = source === null || isForgotten({ source })
  return {
    account,
    kind,
    id,
    number,
    folded,
    state: state ?? "elsewhere",
    day: Stored.nullable(day, (text) => Stored.civilDate(text, () => `day of ${kind} ${number}`)),
    currency: currency ?? "",
    total: total ?? "",
    buyer: isUnknown ? { _tag: "Unknown" } : buyer === null ? { _tag: "WalkIn" } : { _tag: "Named", name: buyer },
    receipt: receiptOf(row.proof),
    registration,
    registeredOn: dayOf(row.registered_at),
    standing: row.hold_cause === "duplicate" ? "asks" : "own"
  }
}

// a statement takes at most 32766 parameters
const together = 1000

/** Reads the taxpayer's sales whose numbers have these folds. */
export const alike = (
  sql: Queries,
  taxpayer: string,
  folds: ReadonlyArray<string>
): Read<ReadonlyArray<SameSale.KnownSale>> =>
  Effect.map(
    Effect.forEach(
      Arr.chunksOf(folds, together),
      (some) => sql<SaleRow>`select n.folded, n.account, n.kind, n.id, n.number, s.state, s.hold_cause, s.proof,
        p.buyer, p.source, coalesce(s.source_date, substr(o.date, 1, 10)) as day, coalesce(p.currency, o.currency) as currency,
        coalesce(p.total, o.total) as total, o.registered_at,
        case when o.invoice_id is null then 'none' else 'registered' end as registration
      from fiscal_number n
      left join fiscal_submission s on s.account = n.account and s.kind = n.kind and s.id = n.id
      left join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      left join fiscal_original o on o.account = n.account and n.kind = 'invoice' and o.invoice_id = n.id
      where n.taxpayer = ${taxpayer} and ${sql.in("n.folded", some)} and (s.seq is not null or o.invoice_id is not null)
      order by n.number`
    ),
    (rows) => rows.flat().map(saleOf)
  )

/** Reads the registered originals of the account with these ids that it does not have to send. */
export const registered = (
  sql: Queries,
  account: string,
  ids: ReadonlyArray<string>
): Read<ReadonlyArray<RegisteredSale>> =>
  Effect.map(
    sql<
      Pick<RegisteredSale, "id" | "number" | "currency" | "total"> & {
        readonly day: string
        readonly registered_at: Integer | null
      }
    >`select o.invoice_id as id, o.number, substr(o.date, 1, 10) as day, o.currency, o.total, o.registered_at
      from fiscal_original o where o.account = ${account} and ${sql.in("o.invoice_id", ids)}
      and not exists (select 1 from fiscal_submission s
        where s.account = o.account and s.kind = 'invoice' and s.id = o.invoice_id and s.state <> 'Withdrawn')`,
    (rows) =>
      rows.map(({ day, registered_at, ...of }) => ({
        ...of,
        day: Stored.civilDate(day, () => `date of the original ${of.number}`),
        registeredOn: dayOf(registered_at)
      }))
  )

/** Relation of a document to another one, in the table `fiscal_relation`. */
export type Relation =
  /** The question is open, and holds the document. */
  | "possible"
  /** An operator stated it: the document is another spelling of the other one. */
  | "same"
  /** An operator stated it: two documents. Never asked again. */
  | "different"
  /** The source states it: the document replaces the other one. */
  | "replaces"

const pairText = (document: SubmissionKey, other: SubmissionKey) => `${keyText(document)}\n\n${keyText(other)}`

const keyOfOther = ({ other_account, other_id, other_kind }: OtherColumns): SubmissionKey => ({
  account: other_account,
  kind: other_kind,
  id: other_id
})

interface OtherColumns {
  readonly other_account: string
  readonly other_kind: SubmissionKey["kind"]
  readonly other_id: string
}

/** Reads the pairs about which nothing is asked any more. */
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

const saleOfIncoming = ({ document, folded, key, number }: Incoming): SameSale.KnownSale => ({
  ...key,
  number,
  folded,
  state: "Planned",
  day: document.sourceDate,
  currency: document.document.currency,
  total: Money.formatAmount(document.document.total),
  buyer: document.document.buyer === null ? { _tag: "WalkIn" } : { _tag: "Named", name: document.document.buyer },
  receipt: null,
  registration: "none",
  registeredOn: null,
  standing: "own"
})

/** Reads the documents with an open question about a sale that differs in nothing else. */
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

/**
 * Returns the documents with the hold that their question needs, in one query for all of them: a
 * plan made earlier may not have seen the other sale.
 */
export const ask = (
  { sql }: Transaction,
  documents: ReadonlyArray<Incoming>
): SqlEffect<ReadonlyArray<readonly [Incoming, SameSale.Question | null]>> =>
  Effect.gen(function* () {
    const byTaxpayer = Map.groupBy(documents, ({ document }) => document.taxpayer)
    const known = new Map<string, ReadonlyArray<SameSale.KnownSale>>()
    for (const [taxpayer, group] of byTaxpayer) {
      const rows = yield* alike(sql, taxpayer, [...new Set(group.map(({ folded }) => folded))])
      for (const [folded, some] of Map.groupBy(rows, ({ folded }) => folded)) known.set(`${taxpayer}\n${folded}`, some)
    }
    const others = documents.flatMap(({ document, folded, key }) =>
      (known.get(`${document.taxpayer}\n${folded}`) ?? []).some(
        (other) => other.registration === "registered" || keyText(other) !== keyText(key)
      )
        ? [key]
        : []
    )
    const isSettled = others.length === 0 ? () => false : yield* settledPairs(sql, others)
    const asked = (incoming: Incoming) => {
      const { document, folded, hold } = incoming
      const place = `${document.taxpayer}\n${folded}`
      const sale = saleOfIncoming(incoming)
      const before = known.get(place) ?? []
      const question = SameSale.questionAbout(sale, before, isSettled)
      const held = question === null ? hold : { cause: "duplicate" as const, because: question.because }
      if (!before.some((other) => keyText(other) === keyText(sale)))
        known.set(place, [...before, { ...sale, standing: held?.cause === "duplicate" ? "asks" : "own" }])
      return [{ ...incoming, hold: held }, question] as const
    }
    // a document that the plan holds for its question comes after the one that it asks about
    const isAsking = ({ hold }: Incoming) => hold?.cause === "duplicate"
    const results = new Map(
      [...documents.filter((one) => !isAsking(one)), ...documents.filter(isAsking)].map((one) => [one, asked(one)])
    )
    return documents.map((one) => results.get(one)!)
  })

/** Records the question that holds the document, in place of an earlier one. */
export const record = (
  { now, sql }: Pick<Transaction, "now" | "sql">,
  { account, id, kind }: SubmissionKey,
  { because, differs, other }: SameSale.Question
) =>
  Effect.andThen(
    sql`delete from fiscal_relation where account = ${account} and kind = ${kind} and id = ${id}
      and relation = 'possible'`,
    sql`insert into fiscal_relation ${sql.insert({
      account,
      kind,
      id,
      other_account: other.account,
      other_kind: other.kind,
      other_id: other.id,
      relation: "possible",
      differs,
      who: "",
      because,
      at: now
    })} on conflict do nothing`
  )

/** Settles the open question of a document by an operator's statement. Returns the other document. */
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

/** Reads the other spellings of the account's documents, with the document that each one names. */
export const spellings = (sql: Queries, account: string): Read<ReadonlyArray<Spelling>> =>
  Effect.map(
    sql<OtherColumns & Pick<Spelling, "kind" | "id"> & { readonly number: string | null }>`select r.kind, r.id,
        r.other_account, r.other_kind, r.other_id, coalesce(s.number, o.number) as number
      from fiscal_relation r
      left join fiscal_submission s on s.account = r.other_account and s.kind = r.other_kind and s.id = r.other_id
      left join fiscal_original o on o.account = r.other_account and o.invoice_id = r.other_id
      where r.account = ${account} and r.relation = 'same' and not (r.other_account = r.account and r.other_id = r.id)`,
    (rows) =>
      rows.map(({ id, kind, number, ...other }) => ({
        kind,
        id,
        of: { ...keyOfOther(other), number: (number ?? other.other_id) as DocumentNumber }
      }))
  )

/**
 * Returns why a document that is registered as fiscalised elsewhere must not be sent, and records
 * the question. Null if it is not registered, or an operator has said that both are receipts of
 * their own.
 */
export const openRegistration = (transaction: Transaction, key: SubmissionKey): SqlEffect<string | null> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const [row] = yield* sql<{ readonly registered_at: Integer | null }>`select registered_at from fiscal_original
      where account = ${key.account} and invoice_id = ${key.id}`
    if (row === undefined || key.kind !== "invoice" || (yield* settledPairs(sql, [key]))(key, key)) return null
    const because = SameSale.elsewhere({ registeredOn: dayOf(row.registered_at) })
    yield* record(transaction, key, { other: key, differs: "nothing", because })
    return because
  })

/** Sales that may have a receipt already (submission/ledger/SameSale). */
import { Array as Arr, Effect } from "effect"
import * as Money from "../../document/Money.ts"
import type { RegisteredSale } from "../../submission/ledger/Ledger.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as SameSale from "../../submission/ledger/SameSale.ts"
import type { Queries } from "../database/Statements.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import * as Relations from "../lanes/Relations.ts"
import { isForgotten } from "../rows/Forgotten.ts"
import type { Integer, SubmissionRow } from "../rows/Rows.ts"
import type { Incoming } from "./Incoming.ts"

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

interface StoredSaleRow extends Pick<SubmissionRow, "account" | "kind" | "id" | "number" | "hold_cause" | "proof"> {
  readonly folded: string
  readonly state: SubmissionRow["state"] | null
  readonly day: string | null
  readonly currency: string | null
  readonly total: string | null
  readonly buyer: string | null
  readonly source: string | null
  readonly registration: "registered" | "none"
  readonly registered_at: Integer | null
}

const receiptOf = (proof: string | null): string | null => {
  if (proof === null) return null
  const code = Stored.record(proof, () => "proof of a document with an equal fold")["verificationCode"]
  return typeof code === "string" ? code : null
}

const saleOf = (row: StoredSaleRow): SameSale.KnownSale => {
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
    registeredOn: Relations.dayOf(row.registered_at),
    standing: row.hold_cause === "duplicate" ? "asks" : "own"
  }
}

// a statement takes at most 32766 parameters
const together = 1000

/**
 * Reads the taxpayer's sales whose numbers have these folds. The expression keeps SQLite from
 * reading every number of the taxpayer.
 */
export const alike = (
  sql: Queries,
  taxpayer: string,
  folds: ReadonlyArray<string>
): SqlEffect<ReadonlyArray<SameSale.KnownSale>> =>
  Effect.map(
    Effect.forEach(
      Arr.chunksOf(folds, together),
      (some) => sql<StoredSaleRow>`select n.folded, n.account, n.kind, n.id, n.number, s.state, s.hold_cause, s.proof,
        p.buyer, p.source, coalesce(s.source_date, substr(o.date, 1, 10)) as day, coalesce(p.currency, o.currency) as currency,
        coalesce(p.total, o.total) as total, o.registered_at,
        case when o.invoice_id is null then 'none' else 'registered' end as registration
      from fiscal_number n
      left join fiscal_submission s on s.account = n.account and s.kind = n.kind and s.id = n.id
      left join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      left join fiscal_original o on o.account = n.account and n.kind = 'invoice' and o.invoice_id = n.id
      where n.taxpayer || '' = ${taxpayer} and ${sql.in("n.folded", some)} and (s.seq is not null or o.invoice_id is not null)
      order by n.folded, n.number`
    ),
    (rows) => rows.flat().map(saleOf)
  )

export const registered = (
  sql: Queries,
  account: string,
  ids: ReadonlyArray<string>
): SqlEffect<ReadonlyArray<RegisteredSale>> =>
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
        registeredOn: Relations.dayOf(registered_at)
      }))
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

/**
 * Returns the documents with the hold that their question needs, in one query for all of them: a
 * plan made earlier may not have seen the other sale.
 */
export const ask = (
  { sql }: Transaction,
  documents: ReadonlyArray<Incoming>
): SqlEffect<ReadonlyArray<readonly [Incoming, SameSale.SameSaleQuestion | null]>> =>
  Effect.gen(function* () {
    const byTaxpayer = Map.groupBy(documents, ({ document }) => document.taxpayer)
    const known = new Map<string, ReadonlyArray<SameSale.KnownSale>>()
    for (const [taxpayer, group] of byTaxpayer) {
      const rows = yield* alike(sql, taxpayer, [...new Set(group.map(({ folded }) => folded))])
      for (const [folded, some] of Map.groupBy(rows, ({ folded }) => folded)) known.set(`${taxpayer}\n${folded}`, some)
    }
    const others = documents.flatMap(({ document, folded, key }) =>
      (known.get(`${document.taxpayer}\n${folded}`) ?? []).some(
        (other) => other.registration === "registered" || Relations.keyText(other) !== Relations.keyText(key)
      )
        ? [key]
        : []
    )
    const isSettled = others.length === 0 ? () => false : yield* Relations.settledPairs(sql, others)
    const asked = (incoming: Incoming) => {
      const { document, folded, hold } = incoming
      const place = `${document.taxpayer}\n${folded}`
      const sale = saleOfIncoming(incoming)
      const before = known.get(place) ?? []
      const question = SameSale.questionAbout(sale, before, isSettled)
      const held = question === null ? hold : { cause: "duplicate" as const, text: question.text }
      if (!before.some((other) => Relations.keyText(other) === Relations.keyText(sale)))
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

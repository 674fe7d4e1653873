/** Recorded until they are accounted for. */
import { Array as Arr, DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as CivilDate from "../../document/CivilDate.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import {
  nameOf,
  type RefusedCause,
  type StoredRefusal,
  type RefusedNote,
  type RefusedOperations,
  type RefusedSelection
} from "../../submission/ledger/RefusedDocument.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { Queries } from "../database/Statements.ts"
import type { Database, SqlEffect, Transaction } from "../database/Transaction.ts"
import { type Integer, number } from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import * as OperatorRecords from "./OperatorRecords.ts"

interface RefusedDocumentRow {
  readonly account: string
  readonly name: string
  readonly origin: string
  readonly kind: string | null
  readonly number: string
  readonly day: string | null
  readonly original: string | null
  readonly content: string
  readonly codes: string
  readonly first_at: Integer
  readonly last_at: Integer
  readonly late_at: Integer | null
  readonly dismissed_at: Integer | null
}

const isOf = "s.account = r.account and s.kind = r.kind and s.id = substr(r.name, length(r.kind) + 2)"

/** A withdrawn document is never sent, whatever the source states. */
const notWithdrawn = `not exists (select 1 from fiscal_submission s where ${isOf} and s.state = 'Withdrawn')`

const documentOf = (row: RefusedDocumentRow): StoredRefusal => {
  const { codes, day, dismissed_at, first_at, kind, last_at, late_at, ...same } = row
  const place = () => `refused document ${same.name} of account ${same.account}`
  const time = (value: Integer) => Stored.time(value, place)
  return {
    ...same,
    kind: Stored.nullable(kind, (kind) => Stored.oneOf(StoredValues.kinds, kind, place)),
    day: Stored.nullable(day, (day) => Stored.civilDate(day, place)),
    codes: codes.split(" "),
    firstAt: time(first_at),
    lastAt: time(last_at),
    lateAt: Stored.nullable(late_at, time),
    standing: dismissed_at === null ? "open" : "dismissed"
  }
}

export const of = (sql: Queries, account: string): Effect.Effect<ReadonlyArray<StoredRefusal>, SqlError> =>
  Effect.map(
    sql<RefusedDocumentRow>`select r.* from fiscal_refused r where r.account = ${account} and ${sql.literal(notWithdrawn)}
      order by r.first_at, r.name`,
    (rows) => rows.map(documentOf)
  )

/** The first code of the document. */
const causeOf = ({ codes: [first = ""] }: Pick<StoredRefusal, "codes">): string => first

const examples = 3

export const causes = (sql: Queries): Effect.Effect<ReadonlyArray<RefusedCause>, SqlError> =>
  Effect.gen(function* () {
    const groups = new Map<string, RefusedCause>()
    const rows = yield* sql<RefusedDocumentRow & { readonly is_fiscalised: Integer }>`select r.*, case when exists (
        select 1 from fiscal_submission s where ${sql.literal(isOf)} and s.state = 'Fiscalised') then 1 else 0 end as is_fiscalised
      from fiscal_refused r where r.dismissed_at is null and ${sql.literal(notWithdrawn)} order by r.account, r.first_at, r.name`
    for (const row of rows) {
      const refused = documentOf(row)
      const { account, firstAt, number: shown } = refused
      const cause = causeOf(refused)
      const key = `${account}\n${cause}`
      const known = groups.get(key) ?? { account, cause, count: 0, since: firstAt, fiscalised: 0, first: [] }
      groups.set(key, {
        ...known,
        count: known.count + 1,
        fiscalised: known.fiscalised + number(row.is_fiscalised),
        first: known.first.length < examples ? [...known.first, shown] : known.first
      })
    }
    return [...groups.values()]
  })

// fourteen parameters a row; a statement takes at most 32766
const together = 500

const end = ({ sql }: Pick<Transaction, "sql">, account: string, names: ReadonlyArray<string>) =>
  Effect.forEach(
    Arr.chunksOf(names, together),
    (some) => sql`delete from fiscal_refused where account = ${account} and ${sql.in("name", some)}`,
    { discard: true }
  )

export const taken = (transaction: Transaction, keys: ReadonlyArray<SubmissionKey>): SqlEffect<void> =>
  Effect.gen(function* () {
    const any = yield* transaction.sql`select 1 from fiscal_refused limit 1`
    if (any.length === 0) return
    for (const [account, some] of Map.groupBy(keys, ({ account }) => account))
      yield* end(
        transaction,
        account,
        some.map((key) => nameOf({ ...key, number: "" }))
      )
  })

export const note = (transaction: Transaction, { account, ended, origin, refused }: RefusedNote): SqlEffect<void> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const still = new Set(refused.map(({ name }) => name))
    yield* end(
      transaction,
      account,
      ended.filter((name) => !still.has(name))
    )
    const unique = [...new Map(refused.map((one) => [one.name, one])).values()]
    for (const page of Arr.chunksOf(unique, together)) {
      const rows = Arr.map(page, ({ codes, dated, ...same }) => ({
        ...same,
        account,
        origin,
        codes: codes.join(" "),
        first_at: now,
        last_at: now,
        late_at: dated === "now-late" ? now : null
      }))
      yield* sql`insert into fiscal_refused ${sql.insert([...rows])}
        on conflict (account, name) do update set origin = excluded.origin, kind = excluded.kind, number = excluded.number,
          day = excluded.day, original = excluded.original, last_at = excluded.last_at, late_at = coalesce(fiscal_refused.late_at, excluded.late_at),
          dismissed_at = case when fiscal_refused.content = excluded.content and fiscal_refused.codes = excluded.codes
            then fiscal_refused.dismissed_at end,
          content = excluded.content, codes = excluded.codes`
    }
  })

export const dismiss = (
  transaction: Transaction,
  { account, cause, numbers }: RefusedSelection,
  because: string
): SqlEffect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const open = (yield* of(sql, account)).filter(
      (one) =>
        one.standing === "open" &&
        (cause === undefined || causeOf(one) === cause) &&
        (numbers.length === 0 || numbers.includes(one.number))
    )
    for (const some of Arr.chunksOf(open, together)) {
      const names = some.map(({ name }) => name)
      yield* sql`update fiscal_refused set dismissed_at = ${now} where account = ${account} and ${sql.in("name", names)}`
    }
    for (const { codes, kind, number } of open)
      yield* OperatorRecords.add(transaction, {
        act: "dismiss",
        account,
        subject: `${kind ?? "record"} ${number}`,
        what: `refused (${codes.join(" ")}), and not asked about again while it is unchanged`,
        because
      })
    return open.map(({ number }) => number)
  })

export const forget = (sql: SqlClient, before: CivilDate.CivilDate): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`delete from fiscal_refused
    where day < ${before} or (day is null and last_at < ${CivilDate.at(before, 0, DateTime.zoneMakeOffset(0)).epochMilliseconds})`)

export const make = ({ read, write }: Database): RefusedOperations => ({
  note: write("note refused documents", note),
  of: read("read refused documents", of),
  dismiss: write("dismiss refused documents", dismiss)
})

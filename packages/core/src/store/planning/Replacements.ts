/**
 * Held while the replaced document may have a receipt; a replaced document that has none is
 * withdrawn in the same transaction.
 */
import { Effect } from "effect"
import type { PlanResult } from "../../submission/PlanResult.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type * as SameSale from "../../submission/ledger/SameSale.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { freeNumber } from "../lanes/FreeNumber.ts"
import * as Relations from "../lanes/Relations.ts"
import * as Replaced from "../lanes/Replaced.ts"
import { locked, move } from "../lanes/Transition.ts"
import type { Incoming } from "./Incoming.ts"

const statedBy = "the source states it"

/** Relates the document, and what replaces it, to the other one and to what that one replaces. */
const relate = ({ now, sql }: Transaction, { account, id, kind }: SubmissionKey, other: Replaced.StatedKey) =>
  sql`insert into fiscal_relation
      (account, kind, id, other_account, other_kind, other_id, relation, differs, who, because, at)
    select f.account, f.kind, f.id, t.account, t.kind, t.id, 'replaces', t.differs, '', ${statedBy}, ${now}
    from (select ${account} as account, ${kind} as kind, ${id} as id
      union select r.account, r.kind, r.id from fiscal_relation r where r.other_account = ${account}
      and r.other_kind = ${kind} and r.other_id = ${id} and r.relation = 'replaces' and r.who = '') f
    cross join (select ${other.account} as account, ${other.kind} as kind, ${other.id} as id,
      cast(${other.by === "number" ? "number" : null} as text) as differs
      union select r.other_account, r.other_kind, r.other_id, r.differs from fiscal_relation r
      where r.account = ${other.account} and r.kind = ${other.kind} and r.id = ${other.id} and r.relation = 'replaces') t
    where not (f.account = t.account and f.kind = t.kind and f.id = t.id) on conflict do nothing`

/** Gives what replaces these documents by their numbers their keys, which were not known before. */
export const name = (transaction: Transaction, documents: ReadonlyArray<Incoming>): SqlEffect<void> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const numbered = documents.filter(({ key, number }) => key.id !== number)
    if (numbered.length === 0) return
    const keys = new Map(numbered.map(({ key, number }) => [Relations.keyText({ ...key, id: number }), key]))
    const accounts = [...new Set(numbered.map(({ key }) => key.account))]
    const numbers = numbered.map(({ number }) => number)
    const rows = yield* sql<SubmissionKey & Relations.OtherColumns>`select account, kind, id, other_account, other_kind,
      other_id from fiscal_relation where ${sql.in("other_account", accounts)} and ${sql.in("other_id", numbers)}
      and other_kind in ('invoice', 'credit-note') and relation = 'replaces' and differs = 'number' and who = ''`
    for (const row of rows) {
      const other = Relations.keyOfOther(row)
      const key = keys.get(Relations.keyText(other))
      if (key === undefined) continue
      yield* sql`delete from fiscal_relation where account = ${row.account} and kind = ${row.kind} and id = ${row.id}
        and other_account = ${other.account} and other_kind = ${other.kind} and other_id = ${other.id}`
      yield* relate(transaction, row, { ...key, by: "id" })
    }
  })

/** Relates the document to the stated one, and that one to what it replaced, the oldest first. */
const relateAll = (
  transaction: Transaction,
  document: SubmissionKey,
  stated: SameSale.ReplacedSale,
  of: Parameters<typeof Replaced.keyOfStated>[1],
  arriving: ReadonlyArray<Incoming>
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { before, by, value } = stated
    const beside =
      by === "id"
        ? undefined
        : arriving.find(({ key, number }) => number === value && key.kind === document.kind && key.id !== document.id)
    const other =
      beside === undefined
        ? yield* Replaced.keyOfStated(transaction.sql, of, stated)
        : { ...beside.key, by: "id" as const }
    if (before !== undefined) yield* relateAll(transaction, other, before, of, arriving)
    if (other.account !== document.account || other.id !== document.id) yield* relate(transaction, document, other)
  })

/**
 * Returns the document with the hold that the replaced documents need. The relation is stored even
 * if the store does not have the other document yet.
 */
export const hold = (
  transaction: Transaction,
  incoming: Incoming,
  arriving: ReadonlyArray<Incoming>
): SqlEffect<Incoming> =>
  Effect.gen(function* () {
    const { document, key } = incoming
    if (document.replaces === undefined) return incoming
    yield* relateAll(transaction, key, document.replaces, { ...key, taxpayer: document.taxpayer }, arriving)
    const replaced = yield* Replaced.replacedBy(transaction.sql, key)
    const text = yield* Replaced.replacedHolds(
      transaction.sql,
      replaced.filter((row) => !Replaced.canEnd(row))
    )
    return text === null || incoming.hold?.cause === "duplicate"
      ? incoming
      : { ...incoming, hold: { cause: "replaces", text } }
  })

export const end = (transaction: Transaction, { document, key, number }: Incoming, { state }: PlanResult) =>
  Effect.gen(function* () {
    if (document.replaces === undefined || (state !== "Planned" && state !== "Held")) return
    for (const one of yield* Replaced.replacedBy(transaction.sql, key)) {
      const row = one.seq !== null && Replaced.canEnd(one) ? yield* locked(transaction, one.seq) : undefined
      if (row === undefined) continue
      const text = `the source states that ${number} replaces it`
      yield* move(transaction, row, "Withdrawn", "withdrawn", { text, patch: { said: text } })
      yield* freeNumber(transaction, row)
    }
  })

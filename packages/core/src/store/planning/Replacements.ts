/**
 * Documents that replace others, as their source states it: held while the replaced document may
 * have a receipt; a replaced document that has none is withdrawn in the same transaction.
 */
import { Effect } from "effect"
import type { PlanResult } from "../../submission/PlanResult.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { freeNumber } from "../lanes/FreeNumber.ts"
import * as Relations from "../lanes/Relations.ts"
import * as Replaced from "../lanes/Replaced.ts"
import { locked, move } from "../lanes/Transition.ts"
import type { Incoming } from "./Incoming.ts"

const statedBy = "the source states it"

/** Records that the document replaces the other, and each document that the other replaces. */
const relate = (transaction: Transaction, document: SubmissionKey, other: SubmissionKey) => {
  const { now, sql } = transaction
  const { account, id, kind } = document
  return Effect.andThen(
    sql`insert into fiscal_relation (account, kind, id, other_account, other_kind, other_id, relation, who, because, at)
      select ${account}, ${kind}, ${id}, r.other_account, r.other_kind, r.other_id, 'replaces', '', ${statedBy}, ${now}
      from fiscal_relation r where r.account = ${other.account} and r.kind = ${other.kind} and r.id = ${other.id}
      and r.relation = 'replaces' and not (r.other_account = ${account} and r.other_kind = ${kind} and r.other_id = ${id})
      on conflict do nothing`,
    Relations.relate(transaction, document, other, { relation: "replaces", because: statedBy, differs: null })
  )
}

/**
 * Returns the document with the hold that the replaced documents need. The relation is stored even
 * if the store does not have the other document yet.
 */
export const hold = (transaction: Transaction, incoming: Incoming): SqlEffect<Incoming> =>
  Effect.gen(function* () {
    const { document, key } = incoming
    if (document.replaces === undefined) return incoming
    const other = yield* Replaced.keyOfStated(
      transaction.sql,
      { ...key, taxpayer: document.taxpayer },
      document.replaces
    )
    if (other.account === key.account && other.id === key.id) return incoming
    yield* relate(transaction, key, other)
    const replaced = yield* Replaced.replacedBy(transaction.sql, key)
    const because = yield* Replaced.replacedHolds(
      transaction.sql,
      replaced.filter((row) => !Replaced.canEnd(row))
    )
    return because === null || incoming.hold?.cause === "duplicate"
      ? incoming
      : { ...incoming, hold: { cause: "replaces", because } }
  })

/** Withdraws the documents that a stored document replaces, if nothing of them may be a receipt. */
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

/** How the staged documents stand with the store: known already, planned before, or with a number that is another's. */
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Instant from "../document/Instant.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { NumberHolder } from "../preflight/Ledger.ts"
import { RCPT013 } from "../preflight/ReceiptRule.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import type { State, Submission } from "../submission/Submission.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { civilDateOf } from "../translate/translate.ts"
import { ImportFinding } from "./ImportFinding.ts"
import { addFinding, type Outcome, pages, perPage, type Row, update } from "./StagingArea.ts"

export type PlanningStore = Pick<SubmissionStoreOperations, "getMany" | "ledger" | "stream">

type Staged = Pick<Row, "seq" | "kind" | "id" | "number" | "key" | "fingerprint" | "day">

/** The submissions of staged documents, by `kind id`. */
export const submissionsOf = (
  rows: ReadonlyArray<Pick<Row, "kind" | "id" | "number">>,
  account: string,
  store: Pick<PlanningStore, "getMany">
) =>
  Effect.map(
    store.getMany(rows.map(({ id, kind, number }) => ({ account, kind, id: id || number }))),
    (stored): ReadonlyMap<string, Submission> =>
      new Map(stored.map((submission) => [`${submission.kind} ${submission.id}`, submission]))
  )

/** In these a submission is replaced or revised by what comes now; in all others the same statement means nothing to do. */
const revisable: ReadonlySet<State> = new Set(["Planned", "Held", "Declined", "Rejected"])

/** Settles, page by page, what the store says of every document. */
export const settle = (
  sql: SqlClient,
  book: MappingBook,
  { account, taxpayer }: { readonly account: string; readonly taxpayer: string },
  store: PlanningStore
) =>
  pages(
    (last: Staged | undefined) =>
      sql<Staged>`select seq, kind, id, number, key, fingerprint, day from document
      where seq > ${last?.seq ?? 0} order by seq limit ${perPage}`
  ).pipe(
    Stream.grouped(perPage),
    Stream.runForEach((rows) =>
      Effect.gen(function* () {
        const submissions = yield* submissionsOf(rows, account, store)
        const past = yield* settlePast(sql, rows, submissions)
        const open = rows.filter(({ seq }) => !past.has(seq))
        yield* keepDates(sql, open, submissions, book)
        const numbers = open.map(({ number }) => number)
        yield* refuseTaken(sql, open, account, yield* store.ledger.holders(taxpayer, numbers))
      })
    )
  )

/** What is on its way or done is not planned again: known, or different from what was sent. Answers with its rows. */
const settlePast = Effect.fnUntraced(function* (
  sql: SqlClient,
  rows: ReadonlyArray<Staged>,
  submissions: ReadonlyMap<string, Submission>
) {
  const past = rows.flatMap(({ fingerprint, key, seq }) => {
    const submission = submissions.get(key)
    if (submission === undefined || revisable.has(submission.state)) return []
    const outcome: Outcome = submission.fingerprint === fingerprint ? "Known" : "Differs"
    return [{ seq, outcome, state: submission.state }]
  })
  if (past.length > 0) {
    yield* update(
      sql,
      ["outcome"],
      past.map(({ outcome, seq }) => ({ seq, outcome }))
    )
  }
  for (const { outcome, seq, state } of past) {
    if (outcome === "Known") continue
    const detail = `it is ${state}, and the export now states something else`
    yield* addFinding(sql, seq, Finding.make(ImportFinding.DIFFERS_FROM_SENT, { detail }))
  }
  return new Set(past.map(({ seq }) => seq))
})

/** A document that was planned before keeps its receipt date, unless its own date is another now. */
const keepDates = Effect.fnUntraced(function* (
  sql: SqlClient,
  rows: ReadonlyArray<Staged>,
  submissions: ReadonlyMap<string, Submission>,
  { zone }: MappingBook
) {
  const kept = rows.flatMap(({ day, key, seq }) => {
    const { receiptDate = null, sourceDate } = submissions.get(key) ?? {}
    return receiptDate === null || sourceDate !== day
      ? []
      : [{ seq, kept: Instant.seconds(receiptDate), dating_day: civilDateOf(receiptDate, zone) }]
  })
  if (kept.length > 0) yield* update(sql, ["kept", "dating_day"], kept)
})

/** A number that another document of the taxpayer has refuses (RCPT013). */
const refuseTaken = Effect.fnUntraced(function* (
  sql: SqlClient,
  rows: ReadonlyArray<Staged>,
  account: string,
  holders: ReadonlyArray<NumberHolder>
) {
  for (const holder of holders) {
    const message = `the number ${holder.number} belongs to another document of the taxpayer`
    const detail = `${holder.kind} ${holder.id}, account ${holder.account}`
    const fix =
      "If it is the same document under another identifier (from another tool or another export), it has gone already: leave it out. If not, numbers are unique for a taxpayer for ever: give it another in the source."
    for (const { key, number, seq } of rows) {
      if (number !== holder.number || (holder.account === account && key === `${holder.kind} ${holder.id}`)) continue
      yield* addFinding(sql, seq, Finding.make(RCPT013, { message, detail, fix, path: ["number"] }))
    }
  }
})

/** The seconds that documents planned before already have, those of this batch left out: they are dated with it. */
export const reserve = Effect.fnUntraced(function* (
  sql: SqlClient,
  lane: string,
  store: Pick<PlanningStore, "stream">
) {
  yield* store.stream({ lane, states: ["Planned"] }).pipe(
    Stream.grouped(perPage),
    Stream.runForEach((page) => {
      const seconds = page.flatMap(({ id, kind, receiptDate }) =>
        receiptDate === null ? [] : [[Instant.seconds(receiptDate), `${kind} ${id}`]]
      )
      return sql`insert into reserved
        select value ->> 0, value ->> 1 from json_each(${JSON.stringify(seconds)})`
    })
  )
  yield* sql`delete from reserved where key in (select key from document where kept is not null)`
  yield* sql`create index by_second on reserved (second)`
})

const unsent: ReadonlySet<State> = new Set(["Planned", "Held"])
const over: ReadonlySet<State> = new Set(["Declined", "Rejected", "Withdrawn"])

/** A document of ours that the source has voided or deleted since: it needs a credit note, or must not be sent any more. */
export const cancelled = (sql: SqlClient, account: string, store: Pick<PlanningStore, "getMany">) =>
  pages(
    (last: { readonly seq: number; readonly reading: string } | undefined) =>
      sql<{ readonly seq: number; readonly reading: string }>`select seq, reading from skipped
      where key is not null and seq > ${last?.seq ?? 0} order by seq limit ${perPage}`
  ).pipe(
    Stream.grouped(perPage),
    Stream.mapEffect((page) =>
      Effect.gen(function* () {
        const skipped = page.flatMap(({ reading }) => {
          const { at, cancelled, key }: Skipped = JSON.parse(reading)
          return cancelled === undefined ? [] : [{ ...cancelled, at, name: key }]
        })
        const submissions = yield* submissionsOf(skipped, account, store)
        return skipped.flatMap(({ at, id, kind, name, number }) => {
          const state = submissions.get(`${kind} ${id || number}`)?.state
          if (state === undefined || over.has(state)) return []
          const code = unsent.has(state) ? ImportFinding.CANCELLED_WHILE_PLANNED : ImportFinding.CANCELLED_AFTER_SENDING
          return [Finding.make(code, { detail: `${name} is ${state} here`, at })]
        })
      })
    ),
    Stream.runCollect,
    Effect.map((found) => found.flat())
  )

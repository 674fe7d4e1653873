/** Planning: inserts new documents and compares known ones (docs/architecture.md#key). */
import { Array as Arr, Effect } from "effect"
import { DocumentNumber } from "../../document/Identifiers.ts"
import { basisOf } from "../../submission/ledger/CreditFamily.ts"
import type { SameSaleQuestion } from "../../submission/ledger/SameSale.ts"
import { StoreError } from "../../submission/ledger/StoreError.ts"
import type { PlannedDocument, SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { Hold, State } from "../../submission/Submission.ts"
import type { PlanOperations, PlanResult } from "../../submission/PlanResult.ts"
import { columnsOf, type Incoming, make as incoming, payloadOf, takeNumbers } from "./Incoming.ts"
import * as CreditFamily from "../lanes/CreditFamily.ts"
import { keyText, record, relate } from "../lanes/Relations.ts"
import * as Registering from "./Registering.ts"
import * as Replacements from "./Replacements.ts"
import { revisit } from "./Revision.ts"
import * as SameSales from "./SameSales.ts"
import { type Integer, keyOf, type SubmissionRow } from "../rows/Rows.ts"
import * as OperatorRecords from "../evidence/OperatorRecords.ts"
import * as RefusedDocuments from "../evidence/RefusedDocuments.ts"
import { count } from "../database/Journal.ts"
import * as Lanes from "../lanes/Lanes.ts"
import { type Database, type SqlEffect, type Transaction, utc } from "../database/Transaction.ts"
import * as Originals from "../lanes/Originals.ts"
import { amend, holdBack, lockedByKey, note } from "../lanes/Transition.ts"
import { formatOverride } from "../../submission/Revisit.ts"
import * as SourceNotices from "./SourceNotices.ts"

const pinned = (transaction: Transaction, documents: ReadonlyArray<PlannedDocument>) =>
  Effect.gen(function* () {
    const { dialect, sql } = transaction
    // in a fixed order, so that concurrent plans never deadlock
    const accounts = documents.toSorted((a, b) => (a.account < b.account ? -1 : 1))
    const byAccount = new Map(accounts.map((document) => [document.account, document]))
    for (const { account, environment, lane, taxpayer } of byAccount.values()) {
      yield* Lanes.ensure(transaction, lane)
      yield* sql`insert into fiscal_account ${sql.insert({ account, lane, taxpayer, environment })} on conflict (account) do nothing`
    }
    const rows = yield* sql<{ readonly account: string; readonly lane: string }>`
      select account, lane from fiscal_account where ${sql.in("account", [...byAccount.keys()])}
      order by account ${dialect.forUpdate}`
    return new Map(rows.map(({ account, lane }) => [account, lane]))
  })

const existing = ({ dialect, sql }: Transaction, documents: ReadonlyArray<Incoming>) =>
  Effect.gen(function* () {
    const groups = Map.groupBy(documents, ({ key }) => `${key.account}\n${key.kind}`)
    const found = new Map<string, SubmissionRow>()
    for (const group of groups.values()) {
      const { account, kind } = group[0]!.key
      const ids = group.map(({ key }) => key.id)
      const rows = yield* sql<SubmissionRow>`select * from fiscal_submission
        where account = ${account} and kind = ${kind} and ${sql.in("id", ids)} ${dialect.forUpdate}`
      for (const row of rows) found.set(keyText(keyOf(row)), row)
    }
    return found
  })

const stateOf = ({ hold }: Incoming): State => (hold === null ? "Planned" : "Held")

const insert = (transaction: Transaction, documents: Arr.NonEmptyReadonlyArray<Incoming>): SqlEffect<void> =>
  Effect.gen(function* () {
    const { changes, events, now, sql } = transaction
    const rows = yield* sql<SubmissionKey & { readonly seq: Integer }>`insert into fiscal_submission ${sql.insert(
      Arr.map(documents, (document) => ({
        ...document.key,
        state: stateOf(document),
        since: now,
        revision: 1,
        ...columnsOf(document)
      }))
    )} returning seq, account, kind, id`
    const seqs = new Map(rows.map((row) => [keyText(row), row.seq]))
    const seqOf = ({ key }: Incoming) => seqs.get(keyText(key))!
    yield* sql`insert into fiscal_payload ${sql.insert(
      Arr.map(documents, (document) => payloadOf(document, seqOf(document), 1, now))
    )}`
    for (const document of documents) {
      const to = stateOf(document)
      const text = document.hold?.text ?? null
      count(transaction, document.document.lane, to, 1)
      events.push({
        submission: seqOf(document),
        at: now,
        from_state: null,
        to_state: to,
        cause: "planned",
        text,
        attempt: null
      })
      changes.push({
        key: document.key,
        number: DocumentNumber.make(document.number),
        lane: document.document.lane,
        from: null,
        to,
        cause: "planned",
        at: utc(now)
      })
    }
  })

const planNew = (
  transaction: Transaction,
  documents: ReadonlyArray<Incoming>
): SqlEffect<ReadonlyArray<readonly [Incoming, PlanResult]>> =>
  Effect.gen(function* () {
    if (!Arr.isReadonlyArrayNonEmpty(documents)) return []
    const taken = yield* takeNumbers(transaction, documents)
    const accepted = documents.filter((document) => !taken.has(document))
    if (Arr.isReadonlyArrayNonEmpty(accepted)) yield* insert(transaction, accepted)
    return documents.map((document) => {
      const { hold, key } = document
      const by = taken.get(document)
      return by === undefined
        ? [document, { key, verdict: { _tag: "Planned" }, state: stateOf(document), hold }]
        : [document, { key, verdict: { _tag: "NumberTaken", by }, state: null, hold: null }]
    })
  })

/** Held until an operator says if both notes are one credit. */
const askBesidePrepared = (
  { sql }: Transaction,
  asked: ReadonlyArray<readonly [Incoming, SameSaleQuestion | null]>
): SqlEffect<ReadonlyArray<readonly [Incoming, SameSaleQuestion | null]>> =>
  Effect.gen(function* () {
    const originals = asked.flatMap(([{ document }]) => document.original?.id ?? [])
    if (originals.length === 0) return asked
    const rows = yield* sql<{ readonly id: string }>`select distinct original_id as id from fiscal_submission
      where made = 'here' and ${sql.in("original_id", originals)}`
    const prepared = new Set(rows.map(({ id }) => id))
    return yield* Effect.forEach(asked, ([incoming, question]) => {
      const { document, key } = incoming
      const { original } = document
      if (original === null || !prepared.has(original.id) || document.prepared !== undefined || question !== null)
        return Effect.succeed([incoming, question] as const)
      return Effect.map(CreditFamily.question(sql, { key, original, made: null }), (question) =>
        question === null
          ? ([incoming, null] as const)
          : ([{ ...incoming, hold: { cause: "duplicate" as const, text: question.text } }, question] as const)
      )
    })
  })

const changedMeanwhile = "the invoice, its notes or the source's statement changed meanwhile: look at it again"

const keepPrepared = (transaction: Transaction, incoming: Incoming, { state, verdict }: PlanResult): SqlEffect<void> =>
  Effect.gen(function* () {
    const { prepared } = incoming.document
    if (prepared === undefined || state === null) return
    for (const other of prepared.beside)
      yield* relate(transaction, incoming.key, other, { relation: "counts", because: "", differs: null })
    if (verdict._tag !== "Planned" && verdict._tag !== "Replaced" && verdict._tag !== "Revised") return
    // an import may state something else, or another note be planned, since the note was prepared
    const original = incoming.document.original!
    yield* lockedByKey(transaction, original)
    const family = yield* CreditFamily.of(transaction.sql, original)
    if (family === undefined || basisOf(family, incoming.key.id) !== prepared.basis)
      return yield* new StoreError({ operation: "plan", reason: "conflict", text: changedMeanwhile })
    const row = yield* lockedByKey(transaction, incoming.key)
    yield* OperatorRecords.add(transaction, prepared.decision, row!.seq)
  })

const planSome = (
  transaction: Transaction,
  documents: ReadonlyArray<PlannedDocument>
): SqlEffect<ReadonlyArray<PlanResult>> =>
  Effect.gen(function* () {
    const arriving = documents.map(incoming)
    yield* Replacements.name(transaction, arriving)
    const asked = yield* Effect.forEach(
      yield* askBesidePrepared(transaction, yield* SameSales.ask(transaction, arriving)),
      ([document, question]) =>
        Effect.map(Replacements.hold(transaction, document, arriving), (document) => [document, question] as const)
    )
    const all = asked.map(([document]) => document)
    const lanes = yield* pinned(transaction, documents)
    const known = yield* existing(transaction, all)
    const seen = new Set<string>()
    const results = new Map<Incoming, PlanResult>()
    const fresh: Array<Incoming> = []
    const later: Array<Incoming> = []
    for (const document of all) {
      const key = keyText(document.key)
      const lane = lanes.get(document.key.account)!
      if (lane !== document.document.lane) {
        results.set(document, {
          key: document.key,
          verdict: { _tag: "OtherLane", pinned: lane },
          state: null,
          hold: null
        })
      } else {
        ;(known.has(key) || seen.has(key) ? later : fresh).push(document)
        seen.add(key)
      }
    }
    for (const [document, result] of yield* planNew(transaction, fresh)) results.set(document, result)
    for (const document of later) {
      const row = (yield* existing(transaction, [document])).get(keyText(document.key))
      if (row === undefined)
        for (const [, result] of yield* planNew(transaction, [document])) results.set(document, result)
      else results.set(document, { key: document.key, ...(yield* revisit(transaction, row, document)) })
    }
    for (const [document, question] of asked) {
      const isHeld = results.get(document)!.hold?.cause === "duplicate"
      if (question !== null && isHeld) yield* record(transaction, document.key, question)
      yield* Replacements.end(transaction, document, results.get(document)!)
      yield* keepPrepared(transaction, document, results.get(document)!)
    }
    yield* RefusedDocuments.taken(
      transaction,
      all.flatMap((document) => (results.get(document)!.state === null ? [] : [document.key]))
    )
    return all.map((document) => results.get(document)!)
  })

// a statement takes at most 32766 parameters, a row has about thirty
const together = 500

/**
 * Plans the documents in their order. A repeated key or number is compared with its first
 * occurrence.
 */
export const plan = (
  transaction: Transaction,
  documents: ReadonlyArray<PlannedDocument>
): SqlEffect<ReadonlyArray<PlanResult>> =>
  Effect.andThen(
    SameSales.lock(
      transaction,
      documents.map(({ taxpayer }) => taxpayer)
    ),
    Effect.map(
      Effect.forEach(Arr.chunksOf(documents, together), (chunk) => planSome(transaction, chunk)),
      (results) => results.flat()
    )
  )

const hold = (transaction: Transaction, keys: ReadonlyArray<SubmissionKey>, { cause, text }: Hold): SqlEffect<void> =>
  Effect.gen(function* () {
    for (const key of keys) {
      const row = yield* lockedByKey(transaction, key)
      // an earlier revision was fiscalized: this reason takes precedence over any other
      if (row === undefined || row.hold_cause === "contradicted") continue
      if (row.state === "Planned") yield* holdBack(transaction, row, cause, text)
      else if (row.state === "Held") {
        yield* amend(transaction, row, { hold_cause: cause, hold_because: text })
        note(transaction, row, "noted", text)
      } else continue
      if (cause === "operator" || cause === "older-copy")
        yield* amend(transaction, row, { word: formatOverride({ _tag: "Hold" }) })
    }
  })

export const make = ({ planning, read, write }: Database): PlanOperations => {
  const planned = planning("plan", plan)
  const noteSource = write("note what the source states", SourceNotices.noteAll)
  return {
    plan: (documents) =>
      Effect.withSpan(planned(documents), "FiscalConnector.plan", {
        attributes: { documents: documents.length },
        captureStackTrace: false
      }),
    hold: write("hold", hold),
    noteSource: (notices) => (notices.length === 0 ? Effect.void : noteSource(notices)),
    registerOriginals: planning("register originals", Registering.register),
    registeredOriginals: read("list registered originals", Originals.registered)()
  }
}

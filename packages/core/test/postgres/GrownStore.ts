/**
 * A store with many finished documents and little open work, as after a year. Real operations make
 * one document, import, decision of each kind; the server copies their rows.
 */
import { strictEqual } from "node:assert/strict"
import type { PgClient } from "@effect/sql-pg"
import { BigDecimal, DateTime, Duration, Effect, Option } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import { CurrencyCode, DocumentNumber, InvoiceId, RequestId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import type { AttemptOptions, FinishedAttempt } from "../../src/submission/Attempt.ts"
import type { AttemptResult } from "../../src/submission/AttemptResult.ts"
import type { ImportMade, KeptDocument } from "../../src/submission/KeptImport.ts"
import type { LaneLease } from "../../src/submission/Lane.ts"
import type { PulledRun } from "../../src/submission/LiveSourceState.ts"
import type { SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import { fiscalised, rejected } from "../sending/ScriptedGateway.ts"
import { creditDecision, creditNote, invoice } from "../submission/PlannedDocuments.ts"

export const lane = "test/1001"
export const source = { source: "books", tenant: "company" }

/** Copies of each finished document. */
export const copies = 3000

export const options: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.minutes(30),
  skew: Duration.zero
}

const day = Option.getOrThrow(CivilDate.parse("2026-01-10"))
const amount = BigDecimal.fromStringUnsafe("115.00")

const made: ImportMade = {
  at: DateTime.makeZonedUnsafe("2026-03-01T10:00:00Z", { timeZone: DateTime.zoneMakeOffset(7_200_000) }),
  destination: { account: "shop", taxpayer: "2000000001", lane, environment: "test" },
  adapter: "csv",
  files: [{ name: "export.csv", bytes: 12, sha256: "ab".repeat(32) }],
  book: null,
  settings: {}
}

const kept = (id: string): KeptDocument => ({
  is: "Stored",
  kind: "invoice",
  id,
  number: `N-${id}`,
  news: "new",
  day,
  source: { file: "export.csv", line: 1 },
  buyer: null,
  currency: null,
  total: null,
  shares: null,
  said: null,
  findings: []
})

const run: PulledRun = {
  ...source,
  account: "shop",
  goLive: day,
  quietAfter: 1000,
  stage: "taken",
  sweep: "not-due",
  marks: [{ endpoint: "Invoices", modified: 1000 }],
  documents: [
    { endpoint: "Invoices", id: "i1", kind: "invoice", number: "N-i1", modified: 1000, standing: "taken", codes: [] }
  ],
  notices: [],
  follows: null,
  counts: { read: 1, new: 1, changed: 0, unchanged: 0, refused: 0, skipped: {} },
  conditions: "c1",
  loginEnds: null
}

const claimed = Effect.fnUntraced(function* (store: SubmissionStoreOperations, of: string) {
  const claim = yield* store.claim(of, "somebody", options.lease, () => false)
  return claim._tag === "Claimed" ? claim.lease : yield* Effect.die("the lane is taken")
})

/** Sends the documents that are planned, each with its result. */
export const sent = Effect.fnUntraced(function* (
  store: SubmissionStoreOperations,
  lease: LaneLease,
  results: ReadonlyArray<AttemptResult>,
  given = options
) {
  let finished: FinishedAttempt | undefined
  for (const result of results) {
    const next = yield* store.beginAttempt(lease, given, finished)
    strictEqual(next._tag, "Begun")
    if (next._tag === "Begun") finished = { attempt: next.attempt, result, firstLook: Duration.zero }
  }
  if (finished !== undefined) yield* store.finishAttempt(finished)
})

export const accepted = (id: string): AttemptResult => ({ _tag: "Accepted", requestId: RequestId.make(id) })

/** One of everything that is finished. */
const finished = Effect.fnUntraced(function* (store: SubmissionStoreOperations) {
  yield* store.plan([invoice("i1"), creditNote("c2", { credits: "i1" })])
  const lease = yield* claimed(store, lane)
  yield* sent(store, lease, [accepted("r1")])
  yield* store.recordOutcomes("shop", [fiscalised("r1")], "poll")
  yield* sent(store, lease, [accepted("r2")])
  yield* store.recordOutcomes("shop", [fiscalised("r2")], "poll")
  yield* store.recordDecision(creditDecision, "each")
  const id = yield* store.beginImport(made, "kept")
  yield* store.keepPage({ import: id, documents: [kept("i1")] })
  yield* store.acceptImport(id, { documents: 0, refused: 0, skipped: 0 })
  yield* store.liveSources.record(run)
  yield* store.refused.note({
    account: "shop",
    origin: "export.csv",
    refused: [
      {
        name: "invoice x1",
        kind: "invoice",
        number: "x1",
        day,
        original: null,
        content: "c",
        codes: ["A"],
        dated: "as-before"
      }
    ],
    ended: []
  })
  yield* store.refused.dismiss({ account: "shop", numbers: ["x1"] }, "not a sale")
  yield* store.registerOriginals([
    {
      account: "shop",
      taxpayer: "2000000001",
      invoiceId: InvoiceId.make("o1"),
      number: DocumentNumber.make("O-1"),
      date: Option.getOrThrow(Instant.parse("2026-01-01T12:00:00+02:00")),
      currency: CurrencyCode.make("USD"),
      total: amount,
      taxCodes: [TaxCode.make("EXEMPT")],
      credited: BigDecimal.fromStringUnsafe("0.00")
    }
  ])
  return lease
})

/** Copies the rows of a table that meet the condition; `changed`: columns with other values. */
const copied = (sql: PgClient.PgClient, table: string, where: string, changed: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const columns = yield* sql<{ readonly name: string }>`select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = ${table} order by ordinal_position`
    const names = columns.map(({ name }) => name)
    yield* sql.unsafe(
      `insert into ${table} (${names.join(", ")})
       select ${names.map((name) => changed[name] ?? `t.${name}`).join(", ")}
       from ${table} t, generate_series(1, ${copies}) n where ${where}`
    )
    // else each check of a reference to this table reads all of it, by the plan for an empty table
    yield* sql.unsafe(`analyze ${table}`)
  })

const named = (column: string) => `t.${column} || '-' || n`
/** A minute apart, up to now. */
const at = `(extract(epoch from now()) * 1000)::bigint - (${copies} - n) * 60000`

/** Copies the finished document with the key number `of`. */
const copiedDocument = Effect.fnUntraced(function* (sql: PgClient.PgClient, of: number) {
  const seq = `${of} * 1000000 + n`
  const copy = (table: string, changed: Readonly<Record<string, string>>, key = "submission") =>
    copied(sql, table, `t.${key} = ${of}`, { [key]: seq, ...changed })
  const original = { original_id: named("original_id"), request_id: named("request_id"), receipt: named("receipt") }
  const order = { receipt_at: "t.receipt_at + n" }
  const names = { id: named("id"), number: named("number") }
  yield* copy(
    "fiscal_submission",
    { ...names, ...original, since: at, ...order, lane_order: "t.lane_order + n" },
    "seq"
  )
  yield* copied(sql, "fiscal_number", `t.id = (select id from fiscal_submission where seq = ${of})`, {
    ...names,
    folded: named("folded")
  })
  yield* copy("fiscal_payload", {})
  const times = { begun_at: at, finished_at: at, known_at: at, ...order }
  yield* copy("fiscal_attempt", {
    id: seq,
    number: seq,
    request_id: named("request_id"),
    token: named("token"),
    ...times
  })
  yield* copy("fiscal_outcome", {
    id: seq,
    attempt: seq,
    request_id: named("request_id"),
    code: named("code"),
    receipt: named("receipt"),
    arrived_at: at
  })
  yield* copy("fiscal_event", { id: `${of} * 1000000 + n * 100 + t.id`, at })
})

const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fiscal_decision: { id: "1000000 + n * 100 + t.id", at, subject: named("subject"), digest: named("digest") },
  fiscal_import: { id: "1000000 + n" },
  fiscal_import_page: { import: "1000000 + n" },
  fiscal_source_document: { id: named("id"), number: named("number"), modified: at, since: at },
  fiscal_refused: { name: named("name"), number: named("number"), first_at: at, last_at: at, dismissed_at: at },
  fiscal_original: { invoice_id: named("invoice_id"), number: named("number") }
}

const numbered = ["fiscal_attempt", "fiscal_outcome", "fiscal_event", "fiscal_import"]

/** Fills the store, and returns the lease of its lane. */
export const grow = Effect.fnUntraced(function* (
  store: SubmissionStoreOperations,
  beside: <A>(use: (sql: PgClient.PgClient) => Effect.Effect<A, unknown>) => Effect.Effect<A>
) {
  const lease = yield* finished(store)
  yield* beside((sql) =>
    Effect.gen(function* () {
      yield* copiedDocument(sql, 1)
      yield* copiedDocument(sql, 2)
      for (const [table, changed] of Object.entries(others)) yield* copied(sql, table, "true", changed)
      // later rows follow the copies
      for (const table of numbered) yield* sql.unsafe(`alter table ${table} alter column id restart with 9000000`)
      yield* sql.unsafe("alter table fiscal_submission alter column seq restart with 9000000")
      yield* sql.unsafe(`update fiscal_tally set n = ${2 * copies + 2} where state = 'Fiscalised'`)
    })
  )
  const open = Array.from({ length: 12 }, (_, n) =>
    invoice(`open${n + 10}`, { receiptDate: `2026-01-11T12:00:${n + 10}+02:00` })
  )
  yield* store.plan([
    ...open,
    creditNote("c90", { credits: "i1-9", receiptDate: "2026-01-11T12:30:00+02:00" }),
    creditNote("c91", { receiptDate: "2026-01-11T13:00:00+02:00" })
  ])
  yield* sent(store, lease, [accepted("a1"), accepted("a2"), { _tag: "Declined", text: "a field is missing" }])
  const elsewhere = { account: "till", lane: "test/2002", taxpayer: "3000000000" }
  yield* store.plan([invoice("unknown1", elsewhere)])
  const till = { ...options, accounts: [{ ...options.accounts[0]!, account: "till" }] }
  yield* sent(store, yield* claimed(store, elsewhere.lane), [{ _tag: "Unknown", text: "no answer" }], till)
  yield* store.recordOutcomes("shop", [rejected("a2"), fiscalised("inbox1")], "poll")
  yield* store.hold([{ account: "shop", kind: "invoice", id: "open20" }], { cause: "operator", text: "wait" })
  yield* beside((sql) => sql.unsafe("analyze"))
  return lease
})

/** Upgrade of a store of schema 25 whose documents share proofs, on either database. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrateUntil } from "./SchemaDump.ts"

const detail = (code: string | null, number: number | null) =>
  JSON.stringify({ verificationCode: code, qrCodeUrl: null, fiscalDay: 7, deviceId: 1001, invoiceNumber: number })

/** Lane, age and outcome of each document; the number of the document is its place, from 1. */
const documents: ReadonlyArray<readonly [lane: string, age: "new" | "old", detail: string]> = [
  ["test/1", "new", detail("A", 1)],
  ["test/1", "new", detail("A", 1)],
  ["test/1", "new", detail("B", 3)],
  ["test/1", "new", detail("B", 4)],
  ["test/1", "new", detail("B", 5)],
  ["test/1", "new", detail("C", 6)],
  ["test/1", "new", detail("C", 7)],
  ["test/1", "new", detail("C", 8)],
  ["test/1", "new", detail("D", 41)],
  ["test/1", "new", detail("E", 41)],
  ["test/1", "new", detail(null, 0)],
  ["test/1", "old", detail(null, null)],
  ["test/1", "new", "{"],
  ["test/2", "new", detail("A", 14)],
  ["test/1", "new", detail(null, 15)]
]

/** Upgrades the store, and asserts what it reports and asks for. */
export const reportsClashes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateUntil(25)
  for (const lane of ["test/1", "test/2"]) yield* sql`insert into fiscal_lane (lane) values (${lane})`
  const now = Date.now()
  for (const [n, [lane, age, stated]] of documents.entries()) {
    const id = n + 1
    const known = age === "new" ? now : 0
    yield* sql`insert into fiscal_submission (seq, account, kind, id, state, since, lane, taxpayer, environment, number,
        revision, fingerprint, source_date, lane_order, zone, late, passage)
      values (${id}, 'shop', 'invoice', ${`i${id}`}, 'Fiscalised', 0, ${lane}, '1', 'test', ${`N-${id}`},
        1, 'f', '2026-01-10', 0, 'UTC', 'hold', 'ordinary')`
    yield* sql`insert into fiscal_attempt (id, submission, revision, account, lane, fence, receipt_at, receipt_text,
        repeats, begun_at, result, request_id, known_at)
      values (${id}, ${id}, 1, 'shop', ${lane}, 1, 0, '2026-01-10T10:00:00Z', 'first', 0, 'Accepted', ${`r${id}`}, ${known})`
    yield* sql`insert into fiscal_outcome (account, request_id, digest, submission, attempt, source, outcome, detail, arrived_at)
      values ('shop', ${`r${id}`}, 'd', ${id}, ${id}, 'poll', 'Fiscalised', ${stated}, 0)`
  }
  yield* migrateUntil(26)
  const conflicts = yield* sql<{ readonly submission: number; readonly code: string; readonly detail: string }>`
    select submission, code, detail from fiscal_conflict where settled_at is null order by submission`
  assert.deepStrictEqual(
    conflicts.map(({ code, detail, submission }) => [Number(submission), code, detail]),
    [
      [1, "PROOF_SHARED", "the verification code A is also stated for invoice N-2"],
      [2, "PROOF_SHARED", "the verification code A is also stated for invoice N-1"],
      [3, "CODE_NOT_UNIQUE", "three documents of the device or more have the verification code B"],
      [9, "RECEIPT_NOT_UNIQUE", "receipts of one day have the same number and different verification codes"],
      [11, "PROOF_MISSING", "the success has no verification code and no receipt number"]
    ]
  )
  const marked = yield* sql`select detail from fiscal_conflict where settled_at is not null`
  assert.deepStrictEqual(marked, [{ detail: "three documents of the device or more have the verification code C" }])
  const asked = yield* sql<{ readonly id: number }>`select id from fiscal_attempt where poll_at is not null`
  assert.deepStrictEqual(
    asked.map(({ id }) => Number(id)),
    [11]
  )
  const columns =
    yield* sql`select code, receipt, missing from fiscal_outcome where submission in (9, 11, 13, 15) order by id`
  assert.deepStrictEqual(columns, [
    { code: "D", receipt: "7/41", missing: null },
    { code: null, receipt: null, missing: "proof" },
    { code: null, receipt: null, missing: null },
    { code: null, receipt: "7/15", missing: null }
  ])
})

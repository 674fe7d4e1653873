import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Staging } from "../../src/import/Staging.ts"
import * as SqliteStaging from "../../src/node/SqliteStaging.ts"
import type { Reading } from "../../src/source/Adapter.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { creditNote, invoice, memory, plan, planned } from "./SampleSources.ts"

const start = TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))

/** Returns a document that states the place of every path. */
const placed = (document: SourceDocument, line: number): SourceDocument => ({
  ...document,
  where: (path) => ({ file: "export.csv", line, pointer: `/${path.join("/")}` })
})

const pointers = (findings: ReadonlyArray<{ readonly at: { readonly pointer?: string } | undefined }>) =>
  findings.map(({ at }) => at?.pointer)

describe("an import larger than memory", () => {
  it.effect("reports exact places even for problems found after the document left memory", () =>
    Effect.gen(function* () {
      yield* start
      const { entries } = yield* planned([
        placed(creditNote("CN-1", "2026-01-10", "INV-404"), 2),
        placed(invoice("INV-1", "2026-01-05", { id: "a" }), 3),
        placed(invoice("INV-1", "2026-01-05", { id: "b" }), 4),
        placed(invoice("INV-2", "2026-03-02"), 5)
      ])
      assert.deepStrictEqual(
        entries.map((entry) => (entry._tag === "Refused" ? pointers(entry.findings) : [])),
        [["/originals"], ["/number"], ["/number"], ["/date"]]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("returns refused readings to the adapter unchanged", () =>
    Effect.gen(function* () {
      yield* start
      const readings: ReadonlyArray<Reading> = [
        invoice("INV-1", "2026-01-05"),
        invoice("INV-2", "2026-01-05", { currency: "XXX" }),
        invoice("INV-3", "2026-03-02")
      ]
      const { refused } = yield* plan(readings)
      const found = yield* Stream.runCollect(refused)
      assert.deepStrictEqual(
        found.map(({ reading }) => reading),
        [readings[1], readings[2]]
      )
      assert.deepStrictEqual(
        found.map(({ findings }) => findings.map(({ code }) => code)),
        [["CURRENCY_UNMAPPED"], ["RCPT031"]]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("keeps the order of the export over many pages, and plans every document once", () =>
    Effect.gen(function* () {
      yield* start
      const documents = Array.from({ length: 1001 }, (_, i) => invoice(`INV-${i}`, `2026-01-0${1 + (i % 9)}`))
      const made = yield* plan(documents)
      assert.strictEqual((yield* acceptPlan(made)).planned, 1001)
      const stored = yield* Stream.runCollect(Stream.unwrap(SubmissionStore.use((s) => Effect.succeed(s.stream({})))))
      assert.strictEqual(new Set(stored.map(({ id }) => id)).size, 1001)
      assert.deepStrictEqual(
        yield* Stream.runCollect(Stream.map(made.entries, ({ source }) => source.number)),
        documents.map(({ number }) => number)
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("is stored in the order of the export even if documents are read in another order", () =>
    Effect.gen(function* () {
      yield* start
      const documents = Array.from({ length: 120 }, (_, i) => invoice(`INV-${i}`, "2026-01-05", { order: 119 - i }))
      const { entries } = yield* planned(documents)
      assert.deepStrictEqual(
        entries.map(({ source }) => source.number),
        documents.toReversed().map(({ number }) => number)
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("is in a file without a name, so that nothing remains even after a kill", () =>
    Effect.gen(function* () {
      const sql = yield* (yield* Staging).open
      const [main] = yield* sql<{ readonly file: string }>`pragma database_list`
      assert.isTrue(main!.file.startsWith(tmpdir()))
      assert.isFalse(existsSync(dirname(main!.file)))
      // More data than the memory limit, so that data is written to disk and read back.
      yield* sql`create table document (body text)`
      yield* sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000)
        insert into document select printf('%08192d', i) from n`
      yield* sql`create index by_body on document (body)`
      const [sum] = yield* sql<{ readonly total: number }>`select sum(body) as total from document`
      assert.strictEqual(sum!.total, (4000 * 4001) / 2)
      assert.isFalse(existsSync(dirname(main!.file)))
    }).pipe(Effect.provide(Layer.fresh(SqliteStaging.layer)))
  )
})

import { assert, describe, it } from "../It.ts"
import { Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { copyFileSync, mkdtempSync, rmSync, truncateSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { CurrencyCode, DocumentNumber, InvoiceId } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"

const inFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "fiscal-damaged-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const fixture = join(import.meta.dirname, "../../../../fixtures/upgrade/4ab5620/store.sqlite")
const withStore = <A, E>(filename: string, use: (store: SubmissionStoreOperations) => Effect.Effect<A, E>) =>
  SubmissionStore.use(use).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename }))))

const key = { account: "states", kind: "invoice", id: "i-fiscalised" } as const

describe("an unreadable row", () => {
  for (const [column, damage, place] of [
    ["total", "junk", "total of invoice i-fiscalised of account states"],
    ["source", "{}", "source of invoice i-fiscalised of account states"],
    ["body", '{"invoiceId":"i"}', "what is to be sent of invoice STATES-I-FISCALISED"]
  ] as const) {
    it.live(`is reported with its column: ${column}`, function* () {
      const file = join(yield* inFolder, "store.db")
      copyFileSync(fixture, file)
      const db = new DatabaseSync(file)
      db.prepare(
        `update fiscal_payload set ${column} = ? where submission in (select seq from fiscal_submission where id = 'i-fiscalised')`
      ).run(damage)
      db.close()
      const error = yield* Effect.flip(withStore(file, (store) => store.explain(key)))
      assert.strictEqual(error.reason, "corrupt")
      assert.include(error.message, place)
      assert.include(error.message, "STORE_CORRUPT")
    })
  }

  it.effect(
    "is missing: a document is not called the same as another that is neither stored nor registered",
    function* () {
      const file = join(yield* inFolder, "store.db")
      yield* TestClock.setTime(Date.parse("2026-01-10T15:00:00+02:00"))
      const registered = {
        account: "shop",
        taxpayer: "2000000001",
        invoiceId: InvoiceId.make("e5"),
        number: DocumentNumber.make("e5"),
        date: Option.getOrThrow(Instant.parse("2026-01-10T00:00:00+02:00")),
        currency: CurrencyCode.make("USD"),
        total: Option.getOrThrow(Money.parse("115.00")),
        taxCodes: [],
        credited: Money.zero
      }
      yield* withStore(file, (store) =>
        Effect.andThen(
          store.registerOriginals([registered]),
          store.plan([invoice("E-5", { number: "E-5", receiptDate: "2026-01-10T12:00:30+02:00" })])
        )
      )
      const db = new DatabaseSync(file)
      db.exec("delete from fiscal_original")
      db.close()
      const other = { account: "shop", kind: "invoice", id: "E-5" } as const
      const decided = yield* withStore(file, (store) => store.decide(other, { _tag: "Same" }, "looked up"))
      assert.include(JSON.stringify(decided), "the other document is not known any more: import it again")
    }
  )

  for (const column of ["late", "passage"] as const) {
    it.effect(`blocks its lane if ${column} is damaged: an unknown value sends nothing`, function* () {
      const file = join(yield* inFolder, "store.db")
      yield* TestClock.setTime(Date.parse("2026-01-10T15:00:00+02:00"))
      const attempt = withStore(file, (store) =>
        Effect.gen(function* () {
          const claim = yield* store.claim("test/1001", "me", Duration.minutes(1), () => true)
          if (claim._tag === "Busy") return assert.fail("nobody else has the lane")
          return yield* store.beginAttempt(claim.lease, {
            accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
            lease: Duration.minutes(1),
            skew: Duration.minutes(1)
          })
        })
      )
      yield* withStore(file, (store) =>
        Effect.gen(function* () {
          yield* store.plan([invoice("i1", { late: "restamp", timing: "ordinary" })])
          yield* store.closeDay("test/1001", Option.getOrThrow(Instant.parse("2026-01-10T12:00:05+02:00")))
        })
      )
      const db = new DatabaseSync(file)
      db.exec(`update fiscal_submission set ${column} = 'junk'`)
      db.close()
      const error = yield* Effect.flip(attempt)
      assert.strictEqual(error.reason, "corrupt")
      assert.include(error.message, `${column} of invoice N-i1 cannot be read`)
    })
  }

  it.live("is reported with the next step if the file itself is damaged", function* () {
    const file = join(yield* inFolder, "store.db")
    copyFileSync(fixture, file)
    truncateSync(file, 100_000)
    const error = yield* Effect.flip(withStore(file, (store) => store.list({ limit: 1000 })))
    assert.strictEqual(error.reason, "corrupt")
    assert.include(error.message, "put the last backup of it back")
  })
})

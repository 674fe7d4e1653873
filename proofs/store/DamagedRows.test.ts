import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Cause, Duration, Effect, Exit, Layer, Option } from "effect"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { InvoiceId } from "../../packages/core/src/document/Identifiers.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import { states } from "../../packages/core/src/submission/Submission.ts"
import { given } from "../Given.ts"
import { make } from "../Random.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../packages/core/src/submission/SubmissionStore.ts"

const inFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "fiscal-damaged-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const fixture = join(import.meta.dirname, "../../fixtures/upgrade/4ab5620/store.sqlite")
const withStore = <A, E>(filename: string, use: (store: SubmissionStoreOperations) => Effect.Effect<A, E>) =>
  SubmissionStore.use(use).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename }))))

const key = { account: "states", kind: "invoice", id: "i-fiscalised" } as const

/**
 * Returns all operations that read rows, including the claim and the beginning of an attempt, which
 * read the rows they change.
 */
const reads = (store: SubmissionStoreOperations): ReadonlyArray<Effect.Effect<unknown, unknown>> => [
  store.list({ limit: 1000 }),
  store.list({ states, accounts: ["states"] }),
  ...["states", "branch", "depot", "kiosk"].flatMap((account) => [
    store.inbox(account),
    store.nextPoll(account),
    store.joinByElimination(account)
  ]),
  Effect.flatMap(store.list({ limit: 1000 }), (rows) =>
    Effect.forEach(rows.slice(-29), ({ account, id, kind }) => Effect.ignore(store.explain({ account, id, kind })))
  ),
  store.explain(key),
  store.find("STATES-I-UNKNOWN"),
  store.health(Duration.days(7)),
  store.lanes(),
  store.ledger.original("states", { by: "id", value: InvoiceId.make("elsewhere-1") }),
  store.ledger.original("states", { by: "id", value: InvoiceId.make("i-fiscalised") }),
  store.ledger.mark("test/1002"),
  Effect.flatMap(
    store.claim("live/1003", "me", Duration.minutes(1), () => true),
    (claim) =>
      claim._tag === "Busy"
        ? Effect.void
        : store.beginAttempt(claim.lease, {
            accounts: [{ account: "branch", environment: "live", afterRejection: "retry", continueAfter: "accepted" }],
            lease: Duration.minutes(1),
            skew: Duration.minutes(1)
          })
  )
]

const identities = new Set(["account", "kind", "id", "number", "lane", "invoice_id"])

const damages = ["junk", "{}", "-1e300"]

const { count, extent, seed } = given("damaged-rows")

/**
 * Damages a column. Returns true if the column accepted the value: a row number accepts nothing
 * else.
 */
const damage = (file: string, table: string, column: string, value: string): boolean => {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  try {
    db.prepare(
      `update ${table} set ${column} = ?
       where rowid in (select rowid from ${table} where ${column} is not null order by rowid desc limit 1)`
    ).run(value)
    return true
  } catch {
    return false
  } finally {
    db.close()
  }
}

describe("an unreadable row", () => {
  it.live(
    "is an error that reports the damaged store and the row's owner, for every column, and never a defect",
    function* () {
      const folder = yield* inFolder
      const sound = join(folder, "sound.db")
      copyFileSync(fixture, sound)
      yield* withStore(sound, (store) => store.list({}))
      const looking = new DatabaseSync(sound)
      const columns = looking
        .prepare(
          `select m.name as t, c.name as c, c.pk as pk from sqlite_schema m join pragma_table_info(m.name) c
           where m.type = 'table' and m.name like 'fiscal_%' and m.name <> 'fiscal_migrations'`
        )
        .all() as unknown as ReadonlyArray<{ t: string; c: string; pk: number }>
      looking.close()
      assert.isAbove(columns.length, 60)
      let corrupt = 0
      const all = columns.flatMap(({ c, t }) => damages.map((value) => ({ c, t, value })))
      for (const { c, t, value } of make(seed).shuffled(all).slice(0, count)) {
        const file = join(folder, "damaged.db")
        copyFileSync(sound, file)
        if (!damage(file, t, c, value)) continue
        const exits = yield* withStore(file, (store) => Effect.forEach(reads(store), Effect.exit))
        for (const exit of exits) {
          if (Exit.isSuccess(exit)) continue
          assert.isFalse(Cause.hasDies(exit.cause), `${t}.${c} = ${value}: ${Cause.pretty(exit.cause)}`)
          const error = Option.getOrThrow(Cause.findErrorOption(exit.cause)) as { reason: string; message: string }
          if (error.reason !== "corrupt") continue
          corrupt++
          assert.match(error.message, /cannot be read\. Send nothing more from it/)
          // The value may belong to a buyer, so the message contains only the row's identity.
          if (!identities.has(c)) assert.notInclude(error.message, "junk")
        }
        for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true })
      }
      assert.isAbove(corrupt, { part: -1, sample: 15, full: 100 }[extent])
    }
  )
})

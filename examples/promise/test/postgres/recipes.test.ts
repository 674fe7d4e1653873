/** Tests of the recipes on PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import { connect, type ConnectOptions, type Result } from "@fiscal-connector/promise"
import { Effect, Redacted } from "effect"
import { PgBoss } from "pg-boss"
import { fresh } from "../../../../packages/core/test/postgres/Database.ts"
import { book, gateway, invoice } from "../../../../packages/promise/test/Gateway.ts"
import { prepare, send, work } from "../../pg-boss/worker.ts"
import { handlerFor } from "../../serverless/handler.ts"

const onPostgres = Effect.map(gateway, ({ config, sandbox }) => {
  const { schema, url } = fresh()
  const address = new URL(Redacted.value(url))
  const password = decodeURIComponent(address.password)
  address.password = ""
  const store = { postgres: address.href, schema, password, encryption: "insecure" } as const
  const options: ConnectOptions = { account: "shop", config, book, store }
  return { options, database: Redacted.value(url), schema, sandbox }
})

type Given = Effect.Success<typeof onPostgres>

const numbers = async ({ sandbox }: Given) =>
  (await Effect.runPromise(sandbox.control.receipts)).map(({ documentNumber }) => documentNumber)

describe("documents as jobs of pg-boss", () => {
  it.live("are sent once, however often their jobs run, and each document has its code", () =>
    Effect.gen(function* () {
      const given = yield* onPostgres
      yield* Effect.promise(async () => {
        const boss = new PgBoss({ connectionString: given.database, schema: `boss_${given.schema}` })
        boss.on("error", () => undefined)
        await boss.start()
        await prepare(boss)
        const saved = new Map<string, Result>()
        let failing = true
        await using fiscal = await connect(given.options)
        for (const id of ["S-1", "S-2", "S-1", "S-3"]) await send(boss, invoice(id))
        const done = new Promise<void>((resolve) => {
          void work(boss, fiscal, async (result) => {
            // the database for the codes is unavailable for the first result: the jobs are repeated
            if (failing) {
              failing = false
              throw new Error("away")
            }
            saved.set(result.number, result)
            if (saved.size === 3) resolve()
          })
        })
        await done
        await boss.stop({ graceful: true, timeout: 10_000 })
        assert.deepStrictEqual((await numbers(given)).toSorted(), ["S-1", "S-2", "S-3"])
        for (const { status, verificationCode } of saved.values())
          assert.deepStrictEqual([status, verificationCode !== null], ["fiscalised", true])
      })
    })
  )
})

describe("a serverless function", () => {
  it.live("leaves sending to the next call if its time is up, and two calls at once do not send twice", () =>
    Effect.gen(function* () {
      const given = yield* onPostgres
      yield* Effect.promise(async () => {
        const handler = handlerFor(given.options)
        const within = (milliseconds: number) => ({ getRemainingTimeInMillis: () => milliseconds })
        const documents = ["S-1", "S-2", "S-3"].map((id) => invoice(id))
        const hurried = await handler({ documents }, within(5_001))
        assert.notStrictEqual(hurried.open, 0)
        assert.notInclude(
          hurried.results.map(({ status }) => status),
          "refused"
        )
        const calls = await Promise.all([
          handler({ documents }, within(60_000)),
          handler({ documents: [] }, within(60_000))
        ])
        assert.include(
          calls.map(({ open }) => open),
          0
        )
        const { results } = await handler({ documents }, within(60_000))
        assert.deepStrictEqual(
          results.map(({ status }) => status),
          ["fiscalised", "fiscalised", "fiscalised"]
        )
        assert.deepStrictEqual((await numbers(given)).toSorted(), ["S-1", "S-2", "S-3"])
      })
    })
  )
})

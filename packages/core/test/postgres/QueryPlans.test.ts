/**
 * No question of a host may read the whole of a table that grows. Counted are the rows that the
 * server read with its own choice of a plan, so that neither a small table nor a forced setting
 * decides. SQLite has the same check in test/store/QueryPlans.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll } from "vitest"
import * as PgStore from "../../src/node/PgStore.ts"
import type { LaneLease } from "../../src/submission/Lane.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import { beside, fresh } from "./Database.ts"
import * as ExecutedPlans from "./ExecutedPlans.ts"
import * as GrownStore from "./GrownStore.ts"
import { type Asked, questions } from "./StoreQuestions.ts"

const { config, taken } = ExecutedPlans.watched({ ...fresh(), connections: 2 })
const runtime = ManagedRuntime.make(Layer.fresh(PgStore.layer(config)))

let store: SubmissionStoreOperations
let lease: LaneLease

beforeAll(async () => {
  store = await runtime.runPromise(SubmissionStore)
  lease = await runtime.runPromise(GrownStore.grow(store, (use) => beside(config.schema, use)))
}, 120_000)

afterAll(() => runtime.dispose())

/** A page and its order: a tenth of the documents. */
const most = GrownStore.copies / 5

/** Rows read for each returned row: a page of documents may need all of a small table. */
const mostForEach = 20

/** A server chooses a plan for all values after five executions. */
const executions = 6

/** Questions that read a table as a whole, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  "documentsOf, of the last hour":
    "the server hashes the outcomes of a store of this size, and looks up in a larger one",
  "changed, since an hour ago": "each change of state would pay for an index of times"
}

const told = ({ by, rows, statement, table }: ExecutedPlans.Reading) =>
  `${rows} rows of ${table} by ${by}\n  in: ${statement}`

const excessive = async (asked: Asked): Promise<ReadonlyArray<string>> => {
  taken()
  await runtime.runPromise(
    Effect.repeat(
      Effect.suspend(() => asked(store, lease)),
      { times: executions - 1 }
    )
  )
  const read = taken()
  assert.notStrictEqual(read.length, 0, "the server has told no plan")
  return [...new Set(read.filter(({ returned, rows }) => rows > Math.max(most, returned * mostForEach)).map(told))]
}

describe("with many finished documents in PostgreSQL", () => {
  for (const [name, asked] of questions) {
    const reason = allowed[name]
    if (reason === undefined) {
      it(`${name}: reads no table as a whole`, async () => {
        assert.deepStrictEqual(await excessive(asked), [])
      }, 60_000)
    } else {
      it(`${name}: reads a table as a whole: ${reason}`, async () => {
        assert.notStrictEqual((await excessive(asked)).length, 0)
      }, 60_000)
    }
  }
})

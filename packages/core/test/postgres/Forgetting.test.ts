import { assert, describe, it } from "../It.ts"
import { Effect, Layer, Option } from "effect"
import { CivilDate } from "../../src/document/CivilDate.ts"
import * as StoreOpening from "../../src/node/StoreOpening.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { beside, fresh } from "./Database.ts"

const key = { account: "shop", kind: "invoice", id: "i1" } as const

describe("forgetting in PostgreSQL", () => {
  it.live(
    "removes buyers and texts from settled documents, is refused for open ones, and then has nothing to do",
    function* () {
      const config = fresh()
      const place = { _tag: "Postgres", ...config } as const
      const before = CivilDate.make("2026-01-11")
      const inStore = <A, E>(effect: Effect.Effect<A, E, SubmissionStore>) =>
        Effect.provide(effect, Layer.fresh(StoreOpening.layer(place)))
      yield* inStore(SubmissionStore.use((store) => store.plan([invoice("i1")])))
      assert.deepStrictEqual(
        (yield* StoreOpening.forget(place, before)).open.map(({ number }) => number),
        ["N-i1"]
      )
      yield* inStore(SubmissionStore.use((store) => store.decide(key, { _tag: "Withdrawn" }, "a planted reason")))
      assert.deepStrictEqual(yield* StoreOpening.lookToForget(place, before), { documents: 1, imports: 0, open: [] })
      assert.deepStrictEqual(yield* StoreOpening.forget(place, before), { documents: 1, imports: 0, open: [] })
      assert.deepStrictEqual(yield* StoreOpening.forget(place, before), { documents: 0, imports: 0, open: [] })
      const explained = Option.getOrThrow(yield* inStore(SubmissionStore.use((store) => store.explain(key))))
      assert.isNull(explained.document.payload.buyerContact)
      const rows = yield* beside(
        config.schema,
        (sql) => sql`select p.*, s.*, e.text from fiscal_payload p join fiscal_submission s on s.seq = p.submission
          join fiscal_event e on e.submission = s.seq`
      )
      assert.notMatch(
        JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value)),
        /Ada|a thing|planted/
      )
    }
  )
})

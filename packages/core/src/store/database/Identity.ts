/**
 * Identity of the store and number of its attempts, for first-use codes and for detecting an older
 * copy.
 */
import { Effect, Random } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreIdentity } from "../../submission/SubmissionStore.ts"
import { type Integer, number } from "../rows/Rows.ts"
import type { Queries } from "./Statements.ts"
import type { Transaction } from "./Transaction.ts"

/** Assigns a random id to a store without one. If two processes try at once, the first id stays. */
export const ensure = ({ now, sql }: Transaction) =>
  Effect.gen(function* () {
    const id = (yield* Effect.replicateEffect(Random.nextIntBetween(0, 15), 16)).map((n) => n.toString(16)).join("")
    yield* sql`insert into fiscal_store ${sql.insert({ one: 1, id, made_at: now })} on conflict (one) do nothing`
  })

export const read = (sql: Queries): Effect.Effect<StoreIdentity, SqlError> =>
  Effect.gen(function* () {
    const [store] = yield* sql<{ readonly id: string }>`select id from fiscal_store`
    const [attempts] = yield* sql<{ readonly n: Integer | null }>`select max(id) as n from fiscal_attempt`
    return { id: store?.id ?? "", attempts: number(attempts?.n ?? 0) }
  })

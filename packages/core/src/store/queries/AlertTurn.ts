/** Whose turn it is to tell of a change of health: of all processes on a store one, and after a failure not at once again. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { AlertTurn } from "../../submission/SubmissionStore.ts"
import type { Transaction } from "../database/Transaction.ts"
import { type Integer, number } from "../rows/Rows.ts"

interface AlertRow {
  readonly told: string
  readonly not_before: Integer
  readonly failures: Integer
}

const row = ({ dialect, sql }: Transaction) =>
  Effect.gen(function* () {
    yield* sql`insert into fiscal_alert ${sql.insert({ one: 1, told: "[]", not_before: 0, failures: 0 })}
      on conflict (one) do nothing`
    const [found] = yield* sql<AlertRow>`select told, not_before, failures from fiscal_alert ${dialect.forUpdate}`
    return found!
  })

/** Names in one order, so that the same ones are the same text. */
const textOf = (names: ReadonlyArray<string>): string => JSON.stringify([...names].toSorted())

/** `lease`: how long telling may take; then another one may. */
export const take = (
  transaction: Transaction,
  names: ReadonlyArray<string>,
  lease: Duration.Duration
): Effect.Effect<AlertTurn, SqlError> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const { not_before, told } = yield* row(transaction)
    if (told === textOf(names)) return { _tag: "Told" }
    if (number(not_before) > now) return { _tag: "NotYet" }
    yield* sql`update fiscal_alert set not_before = ${now + Duration.toMillis(lease)}`
    return { _tag: "Tell", before: JSON.parse(told) as ReadonlyArray<string> }
  })

/** After telling: what was told, or when it is tried again, each time later up to an hour. */
export const end = (
  transaction: Transaction,
  names: ReadonlyArray<string>,
  how: "told" | "failed"
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const failures = how === "told" ? 0 : number((yield* row(transaction)).failures) + 1
    const pause = how === "told" ? 10_000 : Math.min(10_000 * 2 ** (failures - 1), 3_600_000)
    const patch = { not_before: now + pause, failures }
    yield* sql`update fiscal_alert set ${sql.update(how === "told" ? { ...patch, told: textOf(names) } : patch)}`
  })

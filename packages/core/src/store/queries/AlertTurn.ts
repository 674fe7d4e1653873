/** Elects one process to send each health alert, with back-off. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { AlertTurn } from "../../submission/Health.ts"
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

/** Returns the names as one text, sorted, so that equal sets give equal texts. */
const textOf = (names: ReadonlyArray<string>): string => JSON.stringify([...names].toSorted())

/**
 * Takes the turn unless the alert was sent or must wait. `lease`: time for sending, after which
 * another process may send.
 */
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

/**
 * Ends the turn. After success, records the alert. After a failure, the next try is later each
 * time, up to one hour.
 */
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

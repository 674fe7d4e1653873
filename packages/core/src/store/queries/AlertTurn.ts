/** Elects one process to send each health alert, with back-off. */
import { Duration, Effect } from "effect"
import type { HealthOperations } from "../../submission/Health.ts"
import type { Database, Transaction } from "../database/Transaction.ts"
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

/** Equal sets give equal texts. */
const textOf = (names: ReadonlyArray<string>): string => JSON.stringify([...names].toSorted())

export const make = ({ write }: Database) =>
  ({
    // for the time of the lease no other process sends
    takeAlert: write("look whether to tell of health", (transaction, names, lease) =>
      Effect.gen(function* () {
        const { now, sql } = transaction
        const { not_before, told } = yield* row(transaction)
        if (told === textOf(names)) return { _tag: "Told" as const }
        if (number(not_before) > now) return { _tag: "NotYet" as const }
        yield* sql`update fiscal_alert set not_before = ${now + Duration.toMillis(lease)}`
        return { _tag: "Tell" as const, before: JSON.parse(told) as ReadonlyArray<string> }
      })
    ),
    // after a failure, the next try is later each time, up to one hour
    endAlert: write("tell of health", (transaction, names, how) =>
      Effect.gen(function* () {
        const { now, sql } = transaction
        const failures = how === "told" ? 0 : number((yield* row(transaction)).failures) + 1
        const pause = how === "told" ? 10_000 : Math.min(10_000 * 2 ** (failures - 1), 3_600_000)
        const patch = { not_before: now + pause, failures }
        yield* sql`update fiscal_alert set ${sql.update(how === "told" ? { ...patch, told: textOf(names) } : patch)}`
      })
    )
  }) satisfies Partial<HealthOperations>

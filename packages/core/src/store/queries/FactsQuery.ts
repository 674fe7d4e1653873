/**
 * Reads figures without documents: the course of requests, and the number of held documents by
 * cause.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stored from "../../submission/ledger/Stored.ts"
import { causeNamed, type HoldCause } from "../../submission/PlannedDocument.ts"
import type { AttemptFacts } from "../../submission/Attempt.ts"
import { type AttemptRow, type Integer, number } from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { exchangedOf } from "./Queries.ts"

type FactsRow = Pick<
  AttemptRow,
  "id" | "lane" | "repeats" | "begun_at" | "result" | "stage" | "status" | "code" | "millis"
>

export const lastAttempts = (sql: SqlClient, limit: number): Effect.Effect<ReadonlyArray<AttemptFacts>, SqlError> =>
  Effect.map(
    sql<FactsRow>`select id, lane, repeats, begun_at, result, stage, status, code, millis
      from fiscal_attempt order by id desc limit ${limit}`,
    (rows) =>
      rows.map((row) => {
        const at = (column: string) => () => `${column} of attempt ${row.id}`
        return {
          lane: row.lane,
          repeats: Stored.oneOf(StoredValues.repeats, row.repeats, at("repeats")),
          begunAt: Stored.time(row.begun_at, at("begun_at")),
          result: Stored.nullable(row.result, (result) => Stored.oneOf(StoredValues.results, result, at("result"))),
          exchanged: exchangedOf(row, at)
        }
      })
  )

export const holdCauses = (sql: SqlClient): Effect.Effect<Readonly<Partial<Record<HoldCause, number>>>, SqlError> =>
  Effect.map(
    sql<{ readonly cause: string | null; readonly n: Integer }>`select hold_cause as cause, count(*) as n
      from fiscal_submission where state = 'Held' group by hold_cause order by hold_cause`,
    (rows) =>
      Object.fromEntries(
        rows.map(({ cause, n }) => [
          causeNamed(Stored.oneOf(StoredValues.holdCauses, cause ?? "", () => "hold_cause of a held document")),
          number(n)
        ])
      )
  )

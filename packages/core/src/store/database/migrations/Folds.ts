/**
 * Folds of the used numbers (document/NumberFold), relations between documents, registration times
 * of originals.
 */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as NumberFold from "../../../document/NumberFold.ts"

const together = 500

export const folds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_number add column folded text`
  yield* sql`create index fiscal_number_folded on fiscal_number (taxpayer, folded)`
  yield* sql`alter table fiscal_original add column registered_at bigint`
  yield* sql`create table fiscal_relation (
    account text not null,
    kind text not null,
    id text not null,
    other_account text not null,
    other_kind text not null,
    other_id text not null,
    relation text not null,
    differs text,
    who text not null,
    because text not null,
    at bigint not null,
    primary key (account, kind, id, other_account, other_kind, other_id))`
  yield* sql`create index fiscal_relation_other on fiscal_relation (other_account, other_kind, other_id)`
  while (true) {
    const rows = yield* sql<{ readonly taxpayer: string; readonly number: string }>`select taxpayer, number
      from fiscal_number where folded is null limit ${sql.literal(String(together))}`
    if (rows.length === 0) return
    const values = rows.map(({ number, taxpayer }) => sql`(${taxpayer}, ${number}, ${NumberFold.of(number)})`)
    yield* sql`update fiscal_number set folded = v.column3 from (values ${sql.csv(values)}) as v
      where taxpayer = v.column1 and number = v.column2`
  }
})

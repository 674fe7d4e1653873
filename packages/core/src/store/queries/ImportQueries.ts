/** Reads stored imports and their documents. */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { ImportQuery, KeptDocument, KeptImport } from "../../submission/KeptImport.ts"
import * as ImportMadeText from "../rows/ImportMadeText.ts"
import * as ImportPages from "../rows/ImportPages.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { standings as known } from "../rows/StoredValues.ts"

interface ImportRow {
  readonly id: Integer
  readonly at: string
  readonly made: string
  readonly standing: string
  readonly documents: Integer
  readonly refused: Integer
  readonly skipped: Integer
  readonly rest: Integer
}

const kept = ({ at, documents, id, made, refused, rest, skipped, standing }: ImportRow): KeptImport => {
  const place = (what: string) => () => `${what} of import ${number(id)}`
  return {
    ...ImportMadeText.read(made, place("what was made")),
    id: number(id),
    at: Stored.instant(at, place("time")),
    standing: Stored.oneOf(known, standing, place("standing")),
    rest: number(rest),
    documents: number(documents),
    refused: number(refused),
    skipped: number(skipped)
  }
}

export const imports = (
  sql: SqlClient,
  { accounts, before, limit = 50, standings }: ImportQuery
): Effect.Effect<ReadonlyArray<KeptImport>, SqlError> =>
  Effect.map(
    sql<ImportRow>`select * from fiscal_import where ${sql.and([
      ...(before === undefined ? [sql`id > 0`] : [sql`id < ${before}`]),
      ...(accounts === undefined ? [] : [sql.in("account", accounts)]),
      standings === undefined ? sql`coalesce(memory, 'kept') <> 'until-handed-over'` : sql.in("standing", standings)
    ])} order by id desc limit ${limit}`,
    (rows) => rows.map(kept)
  )

export const one = (sql: SqlClient, id: number): Effect.Effect<Option.Option<KeptImport>, SqlError> =>
  Effect.map(sql<ImportRow>`select * from fiscal_import where id = ${id}`, ([row]) =>
    Option.map(Option.fromNullishOr(row), kept)
  )

/** Reads the page with this number. Undefined if there is none. */
export const page = (
  sql: SqlClient,
  id: number,
  place: number
): Effect.Effect<ReadonlyArray<KeptDocument> | undefined, SqlError> =>
  Effect.map(
    sql<{ readonly body: string }>`select body from fiscal_import_page where import = ${id} and page = ${place}`,
    ([row]) => row && ImportPages.read(row.body, () => `page ${place} of import ${id}`)
  )

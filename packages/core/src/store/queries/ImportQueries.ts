import { Effect, Option, Stream } from "effect"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { ImportOperations, KeptImport } from "../../submission/KeptImport.ts"
import type { Database } from "../database/Transaction.ts"
import * as ImportMadeText from "../rows/ImportMadeText.ts"
import * as ImportPages from "../rows/ImportPages.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { standings as known } from "../rows/StoredValues.ts"

interface StoredImportRow {
  readonly id: Integer
  readonly at: string
  readonly made: string
  readonly standing: string
  readonly documents: Integer
  readonly refused: Integer
  readonly skipped: Integer
  readonly rest: Integer
}

const kept = ({ at, documents, id, made, refused, rest, skipped, standing }: StoredImportRow): KeptImport => {
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

export const make = ({ read }: Database) => {
  const page = read("read an import", (sql, id: number, place: number) =>
    Effect.map(
      sql<{ readonly body: string }>`select body from fiscal_import_page where import = ${id} and page = ${place}`,
      ([row]) => row && ImportPages.read(row.body, () => `page ${place} of import ${id}`)
    )
  )
  return {
    imports: read("list imports", (sql, { accounts, before, limit = 50, standings }) =>
      Effect.map(
        sql<StoredImportRow>`select * from fiscal_import where ${sql.and([
          ...(before === undefined ? [sql`id > 0`] : [sql`id < ${before}`]),
          ...(accounts === undefined ? [] : [sql.in("account", accounts)]),
          standings === undefined ? sql`coalesce(memory, 'kept') <> 'until-handed-over'` : sql.in("standing", standings)
        ])} order by id desc limit ${limit}`,
        (rows) => rows.map(kept)
      )
    ),
    importOf: read("read an import", (sql, id) =>
      Effect.map(sql<StoredImportRow>`select * from fiscal_import where id = ${id}`, ([row]) =>
        Option.map(Option.fromNullishOr(row), kept)
      )
    ),
    importDocuments: (id) =>
      Stream.paginate(0, (place) =>
        Effect.map(page(id, place), (documents) =>
          documents === undefined
            ? ([[], Option.none<number>()] as const)
            : ([[documents], Option.some(place + 1)] as const)
        )
      )
  } satisfies Partial<ImportOperations>
}

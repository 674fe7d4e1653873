/** Imports as they are remembered: begun, and page by page, before their documents are planned. */
import { Effect } from "effect"
import type * as CivilDate from "../../document/CivilDate.ts"
import * as Instant from "../../document/Instant.ts"
import type { ImportCounts, ImportMade, KeptPage } from "../../submission/KeptImport.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import * as ImportMadeText from "../rows/ImportMadeText.ts"
import * as ImportPages from "../rows/ImportPages.ts"
import { type Integer, number } from "../rows/Rows.ts"

export const begin = ({ sql }: Transaction, { at, ...made }: ImportMade): SqlEffect<number> =>
  Effect.map(
    sql<{ readonly id: Integer }>`insert into fiscal_import ${sql.insert({
      account: made.destination.account,
      at: Instant.format(at),
      made: ImportMadeText.write(made),
      standing: "unfinished",
      documents: 0,
      refused: 0,
      skipped: 0
    })} returning id`,
    ([row]) => number(row!.id)
  )

/** The next page of the import. */
export const add = ({ sql }: Transaction, { documents, import: id }: KeptPage): SqlEffect<void> =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ readonly at: string; readonly pages: Integer }>`select at,
      (select coalesce(max(page) + 1, 0) from fiscal_import_page where import = ${id}) as pages from fiscal_import where id = ${id}`
    if (row === undefined || documents.length === 0) return
    yield* sql`insert into fiscal_import_page ${sql.insert({
      import: id,
      page: number(row.pages),
      oldest: ImportPages.oldestOf(documents, dayOf(row.at)),
      body: ImportPages.write(documents)
    })}`
  })

export const end = ({ sql }: Transaction, id: number, { documents, refused, skipped }: ImportCounts): SqlEffect<void> =>
  Effect.asVoid(sql`update fiscal_import set standing = 'whole', documents = ${documents}, refused = ${refused}, skipped = ${skipped}
    where id = ${id}`)

/** The day of an import as its row says it. */
export const dayOf = (at: string): CivilDate.CivilDate => at.slice(0, "YYYY-MM-DD".length) as CivilDate.CivilDate

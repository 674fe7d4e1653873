/**
 * Gives the number to another document of the same taxpayer, as an import of another account on the
 * same store would.
 */
import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"

export const takeNumber = (store: string, number: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const database = new DatabaseSync(store)
    try {
      database
        .prepare(
          `insert into fiscal_number (taxpayer, number, account, kind, id)
           select distinct taxpayer, ?, 'other', 'invoice', 'elsewhere' from fiscal_account`
        )
        .run(number)
    } finally {
      database.close()
    }
  })

import { DatabaseSync } from "node:sqlite"
import type { SqliteDatabase } from "../../src/node/SqliteClient.ts"

/**
 * Returns a function that opens a database and calls `beforeCommit` before every COMMIT;
 * `beforeCommit` may refuse the commit.
 */
export const watched =
  (beforeCommit: () => void) =>
  (filename: string): SqliteDatabase => {
    const db = new DatabaseSync(filename)
    return {
      exec: (sql) => db.exec(sql),
      close: () => db.close(),
      get isTransaction() {
        return db.isTransaction
      },
      prepare: (sql) => {
        const statement = db.prepare(sql)
        if (sql !== "COMMIT") return statement
        return Object.assign(Object.create(statement) as typeof statement, {
          columns: () => [],
          setReadBigInts: () => {},
          setReturnArrays: () => {},
          all: () => {
            beforeCommit()
            return statement.all()
          }
        })
      }
    }
  }

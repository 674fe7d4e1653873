/** Searches SQLite tables: databases in memory before closing, and database files. */
import { DatabaseSync } from "node:sqlite"
import { saw } from "./Leaks.ts"

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const look = (db: DatabaseSync): void => {
  const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all()
  for (const { name } of tables) {
    const rows = db.prepare(`select * from ${quoted(String(name))}`)
    const columns = rows.columns().map((column) => String(column.name))
    rows.setReturnArrays(true)
    rows.setReadBigInts(true)
    for (const row of rows.iterate() as unknown as Iterable<ReadonlyArray<unknown>>)
      for (const [i, value] of row.entries())
        if (typeof value === "string" || value instanceof Uint8Array)
          saw("table", value, `${String(name)}.${columns[i]}`)
  }
}

const unreadable = (error: unknown): boolean => error instanceof Error && "errcode" in error

/**
 * Runs a search; unreadable databases (locked, or deliberately damaged) are skipped, because their
 * files are searched as bytes.
 */
const attempt = (use: () => void): void => {
  try {
    use()
  } catch (error) {
    if (!unreadable(error)) throw error
  }
}

export const lookAtTables = (file: string): void =>
  attempt(() => {
    const db = new DatabaseSync(file, { readOnly: true })
    try {
      look(db)
    } finally {
      close.call(db)
    }
  })

const { close } = DatabaseSync.prototype

/**
 * Searches a database in memory when it is closed. A database file is searched with its folder,
 * once, after its last use.
 */
export const watchDatabases = (): void => {
  DatabaseSync.prototype.close = function () {
    if (this.isOpen && !this.isTransaction && !this.location()) attempt(() => look(this))
    close.call(this)
  }
}

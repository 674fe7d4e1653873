/** Tables of SQLite, searched: those of a database in memory that this process closes, and those of a file. */
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

/** What cannot be read (locked, damaged on purpose) is searched as bytes, where it is a file. */
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

/** A database in memory is searched as it is closed. One in a file is searched with its folder, once, after all who opened it. */
export const watchDatabases = (): void => {
  DatabaseSync.prototype.close = function () {
    if (this.isOpen && !this.isTransaction && !this.location()) attempt(() => look(this))
    close.call(this)
  }
}

/**
 * Opens node:sqlite databases, durable for writing, or for reading. Without Effect, so that a
 * worker thread loads quickly.
 */
import { closeSync, existsSync, openSync } from "node:fs"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { pathToFileURL } from "node:url"

export type SqliteDatabase = Pick<DatabaseSync, "exec" | "close" | "isTransaction"> & {
  readonly prepare: (sql: string) => SqliteStatement
}

export type SqliteStatement = Pick<
  StatementSync,
  "all" | "get" | "run" | "iterate" | "columns" | "setReadBigInts" | "setReturnArrays"
>

export interface SqliteConfig {
  /** Path, or `:memory:`. A missing file is created with mode 0600. */
  readonly filename: string
  /**
   * Time in milliseconds that a statement blocks this process for another transaction before
   * failing, to be retried. Default 20.
   */
  readonly busyTimeoutMillis?: number
  /**
   * `full` (default): a committed transaction survives a power cut, at one fsync per commit (7 k
   * instead of 12 k single-row commits per second; no cost from 100 rows per commit). `normal`:
   * survives only a crash of the process. `off`: for disposable data.
   */
  readonly synchronous?: "full" | "normal" | "off"
  /**
   * Opens a database, or creates it if missing. A proof passes a wrapper that observes and breaks
   * commits. Default: node:sqlite's own.
   */
  readonly open?: (filename: string) => SqliteDatabase
  /**
   * `read`: the file must exist, nothing can be changed, and no other file is left next to it.
   * Default `write`.
   */
  readonly access?: "read" | "write"
}

export const toInput = (value: unknown): SQLInputValue => {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
      return value
    case "boolean":
      return value ? 1 : 0
    case "undefined":
      return null
    default:
      return value === null || value instanceof Uint8Array ? value : String(value)
  }
}

/** Opens an existing database for reading. Throws node:sqlite's errors. */
export const openToRead = ({
  busyTimeoutMillis = 1000,
  filename
}: Pick<SqliteConfig, "busyTimeoutMillis" | "filename">): DatabaseSync => {
  const at = (how: string) => {
    const url = pathToFileURL(filename)
    url.search = how
    return url
  }
  const reading = (db: DatabaseSync) => {
    // the first statement opens the file
    db.exec(`pragma busy_timeout = ${busyTimeoutMillis}; pragma query_only = on; select count(*) from sqlite_schema`)
    return db
  }
  // a write-ahead log exists: another process has the database open, or ended without closing. The
  // log is read and left in place
  if (existsSync(`${filename}-wal`)) return reading(new DatabaseSync(filename, { readOnly: true }))
  try {
    // a connection with write access cleans up on close; a read-only connection would leave the
    // index of its log behind
    return reading(new DatabaseSync(at("?mode=rw")))
  } catch (error) {
    if (!isDenied(error)) throw error
    // no process has the file open, and this user can write neither the file nor its folder
    return reading(new DatabaseSync(at("?immutable=1"), { readOnly: true }))
  }
}

// SQLITE_READONLY, SQLITE_CANTOPEN, with their extended codes
const isDenied = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && [8, 14].includes(Number(error.errcode) & 0xff)

const synchronousOf = ({ synchronous = "full" }: SqliteConfig) => synchronous

const levels = { off: 0, normal: 1, full: 2 } as const

/**
 * SQLite silently ignores a pragma that it does not accept: sent requests must not be forgotten.
 */
const assertDurable = (db: SqliteDatabase, config: SqliteConfig): SqliteDatabase => {
  const wanted = synchronousOf(config)
  const found = db.prepare("pragma synchronous").get()?.["synchronous"]
  if (found === levels[wanted]) return db
  db.close()
  throw new Error(`synchronous is ${found} and not ${wanted}: committed data could be lost in a power failure`)
}

/** Opens the database, or creates it if missing. Throws node:sqlite's errors. */
export const open = (config: SqliteConfig): SqliteDatabase => {
  if (config.access === "read") return openToRead(config)
  if (config.filename !== ":memory:") closeSync(openSync(config.filename, "a", 0o600))
  const db = config.open === undefined ? new DatabaseSync(config.filename) : config.open(config.filename)
  // two processes that open the file at once wait for each other here, once
  db.exec(
    `pragma busy_timeout = 5000;
     pragma journal_mode = wal;
     pragma synchronous = ${synchronousOf(config)};
     pragma foreign_keys = on;
     pragma busy_timeout = ${config.busyTimeoutMillis ?? 20}`
  )
  return assertDurable(db, config)
}

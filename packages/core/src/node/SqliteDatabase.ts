/** A database of node:sqlite as we want it: opened durable, or to read it. Without Effect, so that it costs a thread nothing to load. */
import { closeSync, existsSync, openSync } from "node:fs"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { pathToFileURL } from "node:url"

/** What is used of node:sqlite's DatabaseSync. */
export type SqliteDatabase = Pick<DatabaseSync, "exec" | "close" | "isTransaction"> & {
  readonly prepare: (sql: string) => SqliteStatement
}

/** What is used of node:sqlite's StatementSync. */
export type SqliteStatement = Pick<
  StatementSync,
  "all" | "get" | "run" | "iterate" | "columns" | "setReadBigInts" | "setReturnArrays"
>

export interface SqliteConfig {
  /** A path, or `:memory:`. A file that is not there yet is created with mode 0600. */
  readonly filename: string
  /** How long a statement blocks this process for another's transaction before it fails, to be tried again. Default 20. */
  readonly busyTimeoutMillis?: number
  /**
   * `full` (default): a committed transaction survives a power cut, at one fsync per commit (7 k against 12 k single-row commits a second;
   * from 100 rows a commit it costs nothing). `normal`: it survives a crash of the process only. `off`: for what may be lost.
   */
  readonly synchronous?: "full" | "normal" | "off"
  /** Opens a database, created where there is none; a proof opens it so that it sees and breaks commits. Default node:sqlite's own. */
  readonly open?: (filename: string) => SqliteDatabase
  /** `read`: the file must be there, nothing in it can be changed, and no other file is left beside it. Default `write`. */
  readonly access?: "read" | "write"
}

/** A value as node:sqlite takes it. */
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

/** Opens a database that is there, to read it. Throws what node:sqlite throws. */
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
    // the first statement is what opens the file
    db.exec(`pragma busy_timeout = ${busyTimeoutMillis}; pragma query_only = on; select count(*) from sqlite_schema`)
    return db
  }
  // a log is there: another process has it open, or ended without closing it. It is read along and left where it is
  if (existsSync(`${filename}-wal`)) return reading(new DatabaseSync(filename, { readOnly: true }))
  try {
    // whoever may write tidies up behind itself; a reader that may not leaves its index of the log behind
    return reading(new DatabaseSync(at("?mode=rw")))
  } catch (error) {
    if (!isDenied(error)) throw error
    // nobody has it open, and this user may write neither the file nor beside it
    return reading(new DatabaseSync(at("?immutable=1"), { readOnly: true }))
  }
}

// SQLITE_READONLY, SQLITE_CANTOPEN, with their extended codes
const isDenied = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && [8, 14].includes(Number(error.errcode) & 0xff)

const synchronousOf = ({ synchronous = "full" }: SqliteConfig) => synchronous

const levels = { off: 0, normal: 1, full: 2 } as const

/** SQLite passes over a pragma it does not take; what was sent must not be forgotten because of that. */
const assertDurable = (db: SqliteDatabase, config: SqliteConfig): SqliteDatabase => {
  const wanted = synchronousOf(config)
  const found = db.prepare("pragma synchronous").get()?.["synchronous"]
  if (found === levels[wanted]) return db
  db.close()
  throw new Error(`synchronous is ${found} and not ${wanted}: committed data could be lost in a power failure`)
}

/** Opens the database, created where there is none. Throws what node:sqlite throws. */
export const open = (config: SqliteConfig): SqliteDatabase => {
  if (config.access === "read") return openToRead(config)
  if (config.filename !== ":memory:") closeSync(openSync(config.filename, "a", 0o600))
  const db = config.open === undefined ? new DatabaseSync(config.filename) : config.open(config.filename)
  // two processes that open it at once wait for each other here, once
  db.exec(
    `pragma busy_timeout = 5000;
     pragma journal_mode = wal;
     pragma synchronous = ${synchronousOf(config)};
     pragma foreign_keys = on;
     pragma busy_timeout = ${config.busyTimeoutMillis ?? 20}`
  )
  return assertDurable(db, config)
}

/**
 * Database connections of a simulated process: reports each commit, and can kill the process before
 * or after a commit.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { SqliteDatabase, SqliteStatement } from "../../packages/core/src/node/SqliteClient.ts"
import type { SimulatedConnection, SimulatedProcess } from "./SimulatedProcess.ts"
import type { Simulation } from "./Simulation.ts"

export interface Watch {
  /** Called after every commit, with the written tables. */
  readonly committed: (process: SimulatedProcess, tables: ReadonlySet<string>) => void
  /** Called when another connection blocks a transaction. */
  readonly contended: () => void
  /** Called with the text of a statement that contains a time: no two of them are the same. */
  readonly timed: (sql: string) => void
  /** Returns true if the disk is full. */
  readonly isFull: () => boolean
}

/** Error of a full disk, as SQLite reports it. */
class DiskFull extends Error {
  readonly errcode = 13
  constructor() {
    super("database or disk is full")
  }
}

/** Error of a statement on a connection whose server was stopped. */
class ConnectionSevered extends Error {
  constructor() {
    super("the connection was ended by the server")
  }
}

/**
 * SQL expression with which SQLite numbers attempts. A server's sequence may jump ahead when the
 * server crashes, so that an older copy continues from a higher number. The replacement therefore
 * includes the last lost number.
 */
const counted = "coalesce(max(id), 0) + 1 from fiscal_attempt"
const jumping = "max(coalesce(max(id), 0), simulated_jump()) + 1 from fiscal_attempt"

/** SQL expression of the database's clock: that of the machine. A server has a separate clock. */
const machineClock = "cast(unixepoch('subsec') * 1000 as integer)"

class Died extends Error {}

/** Database with its prepared statements. */
interface Prepared {
  readonly db: DatabaseSync
  readonly filename: string
  readonly statements: Map<string, StatementSync>
}

/**
 * Pool of open databases, ready for reuse: opening and preparing costs more than the work of most
 * processes.
 */
export class IdleDatabases {
  /** Minimum for the last attempt number; new attempts get higher numbers. */
  jumpedTo = 0
  /** Returns the time of the store's server, in milliseconds since 1970. */
  readonly #clock: () => number
  #idle: Array<Prepared> = []

  constructor(clock: () => number) {
    this.#clock = clock
  }

  take(filename: string): Prepared {
    const at = this.#idle.findIndex((one) => one.filename === filename)
    const [found] = at < 0 ? [] : this.#idle.splice(at, 1)
    return found ?? this.#open(filename)
  }

  #open(filename: string): Prepared {
    const db = new DatabaseSync(filename)
    db.function("simulated_jump", () => this.jumpedTo)
    db.function("simulated_clock", () => Math.floor(this.#clock()))
    return { db, filename, statements: new Map() }
  }

  give(database: Prepared): void {
    this.#idle.push(database)
  }

  close(): void {
    for (const { db } of this.#idle) db.close()
    this.#idle = []
  }
}

const written = new Map<string, ReadonlyArray<string>>()

/** Returns the tables that a statement writes. */
const writtenBy = (sql: string): ReadonlyArray<string> => {
  const known = written.get(sql)
  if (known !== undefined) return known
  const found = Array.from(
    sql.matchAll(/\b(?:insert(?:\s+or\s+\w+)?\s+into|update|delete\s+from)\s+"?(\w+)/gi),
    ([, table]) => table!
  )
  written.set(sql, found)
  return found
}

/** Returns a function that opens databases for a process. */
export const opening =
  (simulation: Simulation, process: SimulatedProcess, watch: Watch, idle: IdleDatabases) =>
  (filename: string): SqliteDatabase => {
    const database = idle.take(filename)
    const { db, statements } = database
    const lent = new Set<string>()
    let isReadStepwise = false
    let touched = new Set<string>()
    let severed: "no" | "next statement" | "transaction" = "no"
    const reach = () => {
      if (severed === "no") return
      if (severed === "next statement") severed = "no"
      throw new ConnectionSevered()
    }
    const standingAround = (statement: SqliteStatement, all: SqliteStatement["all"]): SqliteStatement => ({
      all,
      get: statement.get.bind(statement),
      run: statement.run.bind(statement),
      iterate: ((...parameters: Parameters<StatementSync["iterate"]>) => {
        isReadStepwise = true
        return statement.iterate(...parameters)
      }) as SqliteStatement["iterate"],
      columns: () => statement.columns(),
      setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
      setReturnArrays: (enabled) => statement.setReturnArrays(enabled)
    })
    const noting = (statement: StatementSync, tables: ReadonlyArray<string>): SqliteStatement => {
      const all = (...parameters: Parameters<StatementSync["all"]>) => {
        reach()
        for (const table of tables) touched.add(table)
        if (tables.length > 0 && touched.size % 2 === 0 && watch.isFull()) throw new DiskFull()
        return statement.all(...parameters)
      }
      return standingAround(statement, all as SqliteStatement["all"])
    }
    const commit = (statement: SqliteStatement) =>
      standingAround(statement, () => {
        reach()
        const n = ++process.commits
        const { crash } = process
        const dies = (side: "before" | "after") => {
          if (crash?.at !== "commit" || crash.n !== n || crash.side !== side) return
          simulation.kill(process, `${side} its commit ${n}`)
          throw new Died()
        }
        dies("before")
        if (touched.size > 0 && watch.isFull()) {
          db.exec("rollback")
          throw new DiskFull()
        }
        const rows = statement.all()
        const tables = touched
        touched = new Set()
        if (tables.size > 0) watch.committed(process, tables)
        dies("after")
        return rows
      })
    const begin = (statement: SqliteStatement) =>
      standingAround(statement, () => {
        touched = new Set()
        reach()
        try {
          return statement.all()
        } catch (busy) {
          watch.contended()
          throw busy
        }
      })
    const prepared = (sql: string): StatementSync => {
      const known = statements.get(sql)
      if (known !== undefined && !lent.has(sql)) {
        lent.add(sql)
        return known
      }
      if (/\d{12}/.test(sql)) watch.timed(sql)
      const statement = db.prepare(sql.replace(counted, jumping).replaceAll(machineClock, "simulated_clock()"))
      if (known === undefined) {
        statements.set(sql, statement)
        lent.add(sql)
      }
      return statement
    }
    const connection: SimulatedConnection = {
      sever: (how) => {
        if (db.isTransaction) {
          severed = "transaction"
          db.exec("rollback")
        } else if (how === "noticed") severed = "next statement"
      },
      exec: (sql) => db.exec(sql),
      close: () => {
        if (!process.connections.delete(connection)) return
        // A row-by-row read may be unfinished.
        if (isReadStepwise) return db.close()
        if (db.isTransaction) db.exec("rollback")
        idle.give(database)
      },
      get isTransaction() {
        // Asked after a failed transaction: the next transaction is a new one.
        if (severed === "transaction") severed = "no"
        return db.isOpen && db.isTransaction
      },
      prepare: (sql) => {
        const statement = prepared(sql)
        return sql === "COMMIT"
          ? commit(statement)
          : sql === "BEGIN IMMEDIATE"
            ? begin(statement)
            : noting(statement, writtenBy(sql))
      }
    }
    process.connections.add(connection)
    return connection
  }

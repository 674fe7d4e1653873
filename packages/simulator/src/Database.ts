/** The connections of a process: its commits are seen, and it may die before or after any of them. */
import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { SqliteDatabase, SqliteStatement } from "@fiscal-connector/core/unstable/node/SqliteClient"
import type { SimulatedProcess } from "./SimulatedProcess.ts"
import type { Simulation } from "./Simulation.ts"

export interface Watch {
  /** After every commit that was made, with the tables that were written. */
  readonly committed: (process: SimulatedProcess, tables: ReadonlySet<string>) => void
  /** When another connection was in the way of a transaction. */
  readonly contended: () => void
  /** Whether nothing can be written to the disk. */
  readonly isFull: () => boolean
}

/** As SQLite says it. */
class DiskFull extends Error {
  readonly errcode = 13
  constructor() {
    super("database or disk is full")
  }
}

class Died extends Error {}

/** A database with the statements that were prepared on it. */
interface Prepared {
  readonly db: DatabaseSync
  readonly filename: string
  readonly statements: Map<string, StatementSync>
}

/** Databases that nobody has open at the moment, for whoever is next: opening and preparing costs more than most processes do with it. */
export class IdleDatabases {
  #idle: Array<Prepared> = []

  take(filename: string): Prepared {
    const at = this.#idle.findIndex((one) => one.filename === filename)
    const [found] = at < 0 ? [] : this.#idle.splice(at, 1)
    return found ?? { db: new DatabaseSync(filename), filename, statements: new Map() }
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

/** The tables that a statement writes. */
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

/** Opens databases for a process. */
export const opening =
  (simulation: Simulation, process: SimulatedProcess, watch: Watch, idle: IdleDatabases) =>
  (filename: string): SqliteDatabase => {
    const database = idle.take(filename)
    const { db, statements } = database
    const lent = new Set<string>()
    let isReadStepwise = false
    let touched = new Set<string>()
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
        for (const table of tables) touched.add(table)
        if (tables.length > 0 && touched.size % 2 === 0 && watch.isFull()) throw new DiskFull()
        return statement.all(...parameters)
      }
      return standingAround(statement, all as SqliteStatement["all"])
    }
    const commit = (statement: SqliteStatement) =>
      standingAround(statement, () => {
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
      const statement = db.prepare(sql)
      if (known === undefined) {
        statements.set(sql, statement)
        lent.add(sql)
      }
      return statement
    }
    const connection: SqliteDatabase = {
      exec: (sql) => db.exec(sql),
      close: () => {
        if (!process.connections.delete(connection)) return
        // what is read row by row may be half-way
        if (isReadStepwise) return db.close()
        if (db.isTransaction) db.exec("rollback")
        idle.give(database)
      },
      get isTransaction() {
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

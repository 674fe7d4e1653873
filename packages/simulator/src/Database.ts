/** The connections of a process: its commits are seen, and it may die before or after any of them. */
import { DatabaseSync } from "node:sqlite"
import type { SqliteDatabase, SqliteStatement } from "@fiscal-connector/core/unstable/node/SqliteClient"
import type { SimulatedProcess } from "./SimulatedProcess.ts"
import type { Simulation } from "./Simulation.ts"

export interface Watch {
  /** After every commit that was made. */
  readonly committed: (process: SimulatedProcess) => void
  /** When another connection was in the way of a transaction. */
  readonly contended: () => void
}

class Died extends Error {}

/** Opens databases for a process. */
export const opening =
  (simulation: Simulation, process: SimulatedProcess, watch: Watch) =>
  (filename: string): SqliteDatabase => {
    const db = new DatabaseSync(filename)
    const standingAround = (statement: SqliteStatement, all: SqliteStatement["all"]): SqliteStatement => ({
      all,
      get: statement.get.bind(statement),
      run: statement.run.bind(statement),
      iterate: statement.iterate.bind(statement),
      columns: () => statement.columns(),
      setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
      setReturnArrays: (enabled) => statement.setReturnArrays(enabled)
    })
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
        const rows = statement.all()
        watch.committed(process)
        dies("after")
        return rows
      })
    const begin = (statement: SqliteStatement) =>
      standingAround(statement, () => {
        try {
          return statement.all()
        } catch (busy) {
          watch.contended()
          throw busy
        }
      })
    const connection: SqliteDatabase = {
      exec: (sql) => db.exec(sql),
      close: () => {
        process.connections.delete(connection)
        if (db.isOpen) db.close()
      },
      get isTransaction() {
        return db.isOpen && db.isTransaction
      },
      prepare: (sql) => {
        const statement = db.prepare(sql)
        return sql === "COMMIT" ? commit(statement) : sql === "BEGIN IMMEDIATE" ? begin(statement) : statement
      }
    }
    process.connections.add(connection)
    return connection
  }

/** A crash in the middle of a command that runs in the test's own process: from one commit on, every statement on the store fails, as for a dead process. */
import { Effect } from "effect"
import { DatabaseSync, type StatementSync } from "node:sqlite"

/** `before`: the n-th commit does not happen. `after`: it happens, and nothing after it. */
export interface CrashAt {
  readonly commit: number
  readonly when: "before" | "after"
  /** The folder of the store; commits of other stores are not counted. Default any. */
  readonly folder?: string
}

interface Crash extends Required<CrashAt> {
  commits: number
  crashed: boolean
}

const own = DatabaseSync.prototype.prepare

/** Crashes of the commands that run now: tests of one file may run at the same time, each on a store of its own. */
const crashes = new Set<Crash>()

/** Makes the statement fail where its process is dead, and counts commits until that happens. */
const failing = (statement: StatementSync, sql: string, crash: Crash): StatementSync => {
  const isCommit = /^\s*commit/i.test(sql)
  // rollback: what SQLite does by itself with the transaction of a process that is gone
  const isRollback = /^\s*rollback/i.test(sql)
  for (const method of ["all", "run", "get"] as const) {
    const original = statement[method].bind(statement) as (...parameters: ReadonlyArray<never>) => never
    statement[method] = ((...parameters: ReadonlyArray<never>) => {
      if (crash.crashed && !isRollback) throw new Error("the process is gone")
      const isIt = isCommit && ++crash.commits === crash.commit
      if (isIt) crash.crashed = true
      if (isIt && crash.when === "before") throw new Error("the process is gone")
      const answer = original(...parameters)
      if (isIt) throw new Error("the process is gone")
      return answer
    }) as never
  }
  return statement
}

const prepare: typeof own = function (this: DatabaseSync, sql) {
  const statement = own.call(this, sql)
  // the staging of an import has no name
  const file = this.location()
  const crash = file === null ? undefined : [...crashes].find(({ folder }) => file.startsWith(folder))
  return crash === undefined ? statement : failing(statement, sql, crash)
}

/** Runs the work with the crash; answers with its value, and whether the work got that far. */
export const crashing = <A, E, R>(
  { commit, folder = "", when }: CrashAt,
  work: Effect.Effect<A, E, R>
): Effect.Effect<{ readonly value: A; readonly crashed: boolean }, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const crash: Crash = { commit, folder, when, commits: 0, crashed: false }
      crashes.add(crash)
      DatabaseSync.prototype.prepare = prepare
      return crash
    }),
    (crash) => Effect.map(work, (value) => ({ value, crashed: crash.crashed })),
    (crash) =>
      Effect.sync(() => {
        crashes.delete(crash)
        if (crashes.size === 0) DatabaseSync.prototype.prepare = own
      })
  )

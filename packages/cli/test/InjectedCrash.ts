/**
 * Injects a crash into a command in the test's process: from one commit on, every statement on the
 * store fails, as in a dead process.
 */
import { Effect } from "effect"
import { DatabaseSync, type StatementSync } from "node:sqlite"

/**
 * Place of the crash. `before`: the n-th commit does not happen. `after`: the commit happens, and
 * nothing after it.
 */
export interface CrashAt {
  readonly commit: number
  readonly when: "before" | "after"
  /** Folder of the store; commits of other stores are not counted. Default: any. */
  readonly folder?: string
}

interface Crash extends Required<CrashAt> {
  commits: number
  crashed: boolean
}

const own = DatabaseSync.prototype.prepare

/**
 * Crashes of the commands that run now: tests of one file may run concurrently, each on a separate
 * store.
 */
const crashes = new Set<Crash>()

/** Makes a statement fail after the crash, and counts the commits until then. */
const failing = (statement: StatementSync, sql: string, crash: Crash): StatementSync => {
  const isCommit = /^\s*commit/i.test(sql)
  // Rollback is allowed: SQLite rolls back the transaction of a dead process as well.
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
  // The staging database of an import has no name.
  const file = this.location()
  const crash = file === null ? undefined : [...crashes].find(({ folder }) => file.startsWith(folder))
  return crash === undefined ? statement : failing(statement, sql, crash)
}

/** Runs the work with the crash; returns its value, and whether the crash was reached. */
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

/** A crash in the middle of a command that runs in the test's own process: from one commit on, every statement on the store fails, as for a dead process. */
import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"

/** `before`: the n-th commit does not happen. `after`: it happens, and nothing after it. */
export interface CrashAt {
  readonly commit: number
  readonly when: "before" | "after"
  /** The folder of the store; commits of other stores are not counted. Default any. */
  readonly folder?: string
}

/** Runs the work with the crash; answers with its value, and whether the work got that far. */
export const crashing = <A, E, R>(
  { commit, folder = "", when }: CrashAt,
  work: Effect.Effect<A, E, R>
): Effect.Effect<{ readonly value: A; readonly crashed: boolean }, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const own = DatabaseSync.prototype.prepare
      const seen = { commits: 0, crashed: false }
      // rollback: what SQLite does by itself with the transaction of a process that is gone
      const fails = (sql: string) => seen.crashed && !/^\s*rollback/i.test(sql)
      DatabaseSync.prototype.prepare = function (sql) {
        const statement = own.call(this, sql)
        // the staging of an import has no name
        const file = this.location()
        if (file === null || !file.startsWith(folder)) return statement
        for (const method of ["all", "run", "get"] as const) {
          const original = statement[method].bind(statement) as (...parameters: ReadonlyArray<never>) => never
          statement[method] = ((...parameters: ReadonlyArray<never>) => {
            if (fails(sql)) throw new Error("the process is gone")
            const isIt = /^\s*commit/i.test(sql) && ++seen.commits === commit
            if (isIt) seen.crashed = true
            if (isIt && when === "before") throw new Error("the process is gone")
            const answer = original(...parameters)
            if (isIt) throw new Error("the process is gone")
            return answer
          }) as never
        }
        return statement
      }
      return { own, seen }
    }),
    ({ seen }) => Effect.map(work, (value) => ({ value, crashed: seen.crashed })),
    ({ own }) => Effect.sync(() => void (DatabaseSync.prototype.prepare = own))
  )

/**
 * Module loaded before a command (`node --import`): kills its process at the n-th SQLite statement
 * that begins with a word, `KILLED_AT="COMMIT 2 after"`.
 */
import { DatabaseSync } from "node:sqlite"

const [word = "", nth = "1", when = "before"] = (process.env["KILLED_AT"] ?? "").split(" ")
let seen = 0

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  if (!sql.toUpperCase().startsWith(word)) return statement
  for (const method of ["all", "run", "get"] as const) {
    const own = statement[method].bind(statement) as (...parameters: ReadonlyArray<never>) => never
    statement[method] = ((...parameters: ReadonlyArray<never>) => {
      const isIt = ++seen === Number(nth)
      if (isIt && when === "before") process.kill(process.pid, "SIGKILL")
      const answer = own(...parameters)
      if (isIt) process.kill(process.pid, "SIGKILL")
      return answer
    }) as never
  }
  return statement
}

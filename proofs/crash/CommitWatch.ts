/**
 * Reads the victim's orders, and counts its commits to a file across all threads. Loaded on every
 * thread of the victim.
 */
import { DatabaseSync } from "node:sqlite"
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads"
import type { Orders, Site } from "./CrashPoint.ts"

export const orders = JSON.parse(process.env["CRASH_ORDERS"] ?? "{}") as Orders

const shared = isMainThread ? new SharedArrayBuffer(4) : (getEnvironmentData("commits") as SharedArrayBuffer)
setEnvironmentData("commits", shared)
const counter = new Int32Array(shared)

export const commits = (): number => Atomics.load(counter, 0)

/** Counts another commit; returns its number. */
export const countCommit = (): number => Atomics.add(counter, 0, 1) + 1

export const dieAt = (of: Site["of"], n: number, when: Site["when"]) => {
  const { site } = orders
  if (site !== null && site.of === of && site.n === n && site.when === when) process.kill(process.pid, "SIGKILL")
}

const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  if (sql !== "COMMIT") return statement
  const all = statement.all.bind(statement)
  statement.all = () => {
    const n = countCommit()
    dieAt("commit", n, "before")
    const rows = all()
    dieAt("commit", n, "after")
    return rows
  }
  return statement
}

/**
 * The system releases the lock when the process ends, for any reason: safe across containers and
 * against reused process ids.
 */
import { Data, Effect } from "effect"
import { closeSync, openSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { located } from "./HostProcess.ts"

/**
 * Locks the file until the connection is closed. Throws SQLite's error if another connection has
 * the lock.
 */
export const lock = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file)
  try {
    // SQLite's locks are operating system locks, and Node has no other interface to file locks
    db.exec("pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive")
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Another holder did not release the lock in time, or the file cannot exist. No work was done. */
export class NotLocked extends Data.TaggedError("NotLocked")<{ readonly file: string }> {}

/**
 * Default time to wait for another holder, in milliseconds: work under a lock takes some
 * milliseconds.
 */
const patience = 5000

const pause = 10

/** Waits by the machine's real clock: the holder of the lock may be another process. */
const moment = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), pause)
  return Effect.sync(() => clearTimeout(timer))
})

const acquire = (file: string, longest: number): Effect.Effect<DatabaseSync, NotLocked> =>
  Effect.gen(function* () {
    const path = yield* located(file)
    for (let waited = 0; waited <= longest; waited += pause) {
      const held = attempt(path)
      if (held === "elsewhere") yield* moment
      else if (held === "impossible") break
      else return held
    }
    return yield* new NotLocked({ file })
  })

const busy = 5

const attempt = (file: string): DatabaseSync | "elsewhere" | "impossible" => {
  try {
    // creates the file, readable by its owner only; closing an existing, locked file would release
    // its lock
    closeSync(openSync(file, "wx", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return "impossible"
  }
  try {
    return lock(file)
  } catch (error) {
    return (error as { readonly errcode?: number }).errcode === busy ? "elsewhere" : "impossible"
  }
}

/**
 * One holder at a time across all processes. The empty file stays: removing it would let two
 * holders in. `longest`: milliseconds to wait for another holder.
 */
export const holding = <A, E, R>(
  file: string,
  work: Effect.Effect<A, E, R>,
  longest: number = patience
): Effect.Effect<A, E | NotLocked, R> =>
  Effect.acquireUseRelease(
    acquire(file, longest),
    () => work,
    (held) => Effect.sync(() => held.close())
  )

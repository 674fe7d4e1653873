/**
 * A lock of the system on a small file: it lets go however the process ends, in another container too, and a process that has another's number is not
 * taken for it.
 */
import { Data, Effect } from "effect"
import { closeSync, openSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { located } from "./HostProcess.ts"

/** Locks the file until the connection is closed; throws what SQLite throws where another has it. */
export const lock = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file)
  try {
    // SQLite's own locks are the system's, and the only ones that Node gives
    db.exec("pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive")
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Nobody let go of it in time, or there can be no such file. Nothing was done. */
export class NotLocked extends Data.TaggedError("NotLocked")<{ readonly file: string }> {}

/** How long others are waited for: what is done under a lock takes some milliseconds. */
const patience = 5000

const pause = 10

/** By the machine's own time: whoever holds the lock may be another process. */
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

/** SQLite's code for a lock that another connection has. */
const busy = 5

const attempt = (file: string): DatabaseSync | "elsewhere" | "impossible" => {
  try {
    // for its owner alone; closing a file that is locked already would let go of the lock
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
 * One after the other, in whichever process. The file stays, empty: whoever removed it would let two in. `longest`: milliseconds that another holder
 * is waited for.
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

/**
 * Each worker locks a separate small file next to the store. The system releases the lock when the
 * process ends, for any reason: safe across containers and against reused process ids.
 */
import { Effect, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { closeSync, existsSync, openSync, rmSync } from "node:fs"
import { hostname } from "node:os"
import type { DatabaseSync } from "node:sqlite"
import { HostProcess, pathIn } from "../file/HostProcess.ts"
import { lock } from "../file/SystemLock.ts"
import type { Holder } from "../submission/Holder.ts"
import { StoreError } from "../submission/ledger/StoreError.ts"
import { problemOf } from "../submission/ledger/StoreProblem.ts"

const fileOf = (store: string, mark: string) => `${store}.worker-${mark}`

const isLeft = (file: string): boolean => {
  // missing file: the worker ended normally and released its lanes, or another process removed the
  // file of the dead worker
  if (!existsSync(file)) return true
  try {
    lock(file).close()
    rmSync(file, { force: true })
    return true
  } catch {
    return false
  }
}

const named = /^lock\/.*\/([0-9a-f]{8})$/

/**
 * Returns this process's holder, valid while the scope is open. `store`: the file, or `:memory:`,
 * which no other process can use.
 */
export const make = (store: string): Effect.Effect<Holder, StoreError, Scope.Scope> =>
  Effect.gen(function* () {
    const mark = randomUUID().slice(0, 8)
    const name = `lock/${hostname()}/${process.pid}/${mark}`
    if (store === ":memory:") return { name, presumedDead: () => Effect.succeed(false) }
    const { cwd } = yield* HostProcess
    const path = pathIn(cwd, store)
    const own = fileOf(path, mark)
    const acquire = Effect.try({
      try: () => {
        closeSync(openSync(own, "wx", 0o600))
        return lock(own)
      },
      catch: (cause) =>
        new StoreError({
          operation: "open",
          reason: "unavailable",
          text: `${fileOf(store, mark)} cannot be locked: ${problemOf(cause)}`
        })
    })
    const release = (db: DatabaseSync) =>
      Effect.sync(() => {
        db.close()
        rmSync(own, { force: true })
      })
    yield* Effect.acquireRelease(acquire, release)
    return {
      name,
      presumedDead: (other: string) =>
        Effect.sync(() => {
          const its = named.exec(other)?.[1]
          return its !== undefined && its !== mark && isLeft(fileOf(path, its))
        })
    }
  })

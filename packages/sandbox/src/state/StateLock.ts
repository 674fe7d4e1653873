/**
 * A lock file beside the state file names the process. A lock of an ended process is taken over.
 */
import * as Effect from "effect/Effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { SandboxError, StateUnusable } from "../SandboxError.ts"

/** A PID is reused, a PID with its start time is not. */
const begun = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The process name before the fields may contain anything, including a closing bracket.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** Any other lock with this PID belongs to an ended process. */
const own = new Set<string>()

const identity = () => `${process.pid} ${begun(process.pid)}`

const holderOf = (lock: string): number | undefined => {
  try {
    const [pid = "", since = ""] = readFileSync(lock, "utf8").trim().split(" ")
    const holder = Number(pid)
    if (!Number.isSafeInteger(holder) || holder <= 0 || holder === process.pid || !isAlive(holder)) return undefined
    return since === "" || begun(holder) === "" || begun(holder) === since ? holder : undefined
  } catch {
    return undefined
  }
}

const take = (lock: string): "taken" | "exists" => {
  try {
    writeFileSync(lock, identity(), { flag: "wx", mode: 0o600 })
    return "taken"
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return "exists"
    throw error
  }
}

/**
 * Holds the lock of the state file while the scope is open. Fails with `StateUnusable` while
 * another sandbox holds the lock.
 */
export const hold = (file: string) => {
  const unusable = (problem: string) => new SandboxError({ reason: new StateUnusable({ file, problem }) })
  const path = resolve(file)
  const lock = `${path}.lock`
  const acquire = Effect.suspend(() => {
    if (own.has(path)) return Effect.fail(unusable("another sandbox of this process has it"))
    try {
      if (take(lock) === "exists") {
        const holder = holderOf(lock)
        if (holder !== undefined) {
          return Effect.fail(unusable(`another sandbox has it (process ${holder}); stop that one, or use another file`))
        }
        rmSync(lock, { force: true })
        if (take(lock) === "exists") return Effect.fail(unusable("another sandbox has just taken it"))
      }
    } catch (error) {
      return Effect.fail(unusable(error instanceof Error ? error.message : String(error)))
    }
    own.add(path)
    return Effect.void
  })
  return Effect.acquireRelease(acquire, () =>
    Effect.sync(() => {
      own.delete(path)
      rmSync(lock, { force: true })
    })
  )
}

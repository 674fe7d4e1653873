/**
 * One sandbox per state file: a lock beside it names the process that has it. A lock whose process is gone is taken over.
 */
import * as Effect from "effect/Effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { SandboxError, StateUnusable } from "../SandboxError.ts"

/** When a process began, where the system tells; a number is used again, the two together are not. */
const begun = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // the name before it may hold anything, a closing bracket too
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

/** The files of this process: a lock that names this process and is none of them is of an earlier one with the same number. */
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

/** Has the state file for as long as the scope is open. Fails with `StateUnusable` while another sandbox has it. */
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

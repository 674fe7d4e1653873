/** Settles how Node works for a command line, before anything is loaded. */
import { writeSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { isMainThread } from "node:worker_threads"
import { folder } from "./CompileCache.ts"
import * as Lasting from "./Lasting.ts"
import * as OldGarbage from "./import/OldGarbage.ts"
import { version } from "./Version.ts"
import * as YoungGarbage from "./YoungGarbage.ts"

/** Whether the version is all that is asked, and was told: for that, nothing need be loaded. What cannot be written is said where everything is. */
const toldVersion = (args: ReadonlyArray<string>): boolean => {
  if (args.length !== 1 || !["--version", "version"].includes(args[0]!)) return false
  try {
    writeSync(1, `connector v${version}\n`)
    return true
  } catch {
    return false
  }
}

if (!isMainThread) {
  // the command's one file is the program of its threads, too
  await import("@fiscal-connector/core/unstable/node/SqliteThread")
} else if (!toldVersion(process.argv.slice(2))) {
  OldGarbage.otherwise()
  YoungGarbage.limit()

  // Compiling is half of a start. (Where NODE_COMPILE_CACHE says a folder, Node keeps to that.)
  const compiled = folder()
  if (compiled !== undefined) enableCompileCache(compiled)

  // SIGTERM during loading; afterwards the command handles the signal
  const early = () => process.exit(0)
  if (Lasting.isLasting(process.argv.slice(2))) process.once("SIGTERM", early)
  // a configuration that is read later is the new one; without a listener the signal ends the process
  const isDetached = !process.stdin.isTTY && !process.stdout.isTTY
  if (Lasting.isReloading(process.argv.slice(2)) && isDetached) process.on("SIGHUP", () => undefined)
  await import("./Run.ts")
  process.off("SIGTERM", early)
}

/** Sets Node's options for the command line before the application is loaded. */
import { writeSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { isMainThread } from "node:worker_threads"
import { folder } from "./CompileCache.ts"
import * as Lasting from "./Lasting.ts"
import * as OldGarbage from "./import/OldGarbage.ts"
import { version } from "./Version.ts"
import * as YoungGeneration from "./YoungGeneration.ts"

/** Without loading the application. If writing fails, the normal path reports the failure. */
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
  // the bundled file is also the entry point of the command's worker threads
  await import("@fiscal-connector/core/host/thread")
} else if (!toldVersion(process.argv.slice(2))) {
  OldGarbage.otherwise()
  YoungGeneration.limit()

  // Compiling takes half of the start. Node ignores this folder if NODE_COMPILE_CACHE names one.
  const compiled = folder()
  if (compiled !== undefined) enableCompileCache(compiled)

  // SIGTERM during loading; afterwards the command handles the signal
  const early = () => process.exit(0)
  if (Lasting.isLasting(process.argv.slice(2))) process.once("SIGTERM", early)
  // Without a listener, SIGHUP would end the process. The configuration is read later anyway, so an
  // early SIGHUP can be ignored.
  const isDetached = !process.stdin.isTTY && !process.stdout.isTTY
  if (Lasting.isReloading(process.argv.slice(2)) && isDetached) process.on("SIGHUP", () => undefined)
  await import("./Run.ts")
  process.off("SIGTERM", early)
}

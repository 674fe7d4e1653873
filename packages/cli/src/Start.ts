/** Settles how Node works for a command line, before anything is loaded. */
import { writeSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { folder } from "./CompileCache.ts"
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

// an empty variable counts as not set
if (process.env["FISCAL_CONNECTOR_CONFIG"] === "") delete process.env["FISCAL_CONNECTOR_CONFIG"]

if (!toldVersion(process.argv.slice(2))) {
  OldGarbage.otherwise()
  YoungGarbage.limit()

  // Compiling is half of a start. (Where NODE_COMPILE_CACHE says a folder, Node keeps to that.)
  const compiled = folder()
  if (compiled !== undefined) enableCompileCache(compiled)

  await import("./Run.ts")
}

#!/usr/bin/env node
/** The entry point: settles how Node works for a command line before anything is loaded. */
import { enableCompileCache } from "node:module"
import { setFlagsFromString } from "node:v8"
import { folder } from "./CompileCache.ts"

// An import holds little and leaves much garbage behind: collected when it is a fifth of what is alive, and not three times that, it does not pile up
// over a million rows (docs/decisions/005).
setFlagsFromString("--heap-growing-percent=20")

// Compiling is half of a start. (Where NODE_COMPILE_CACHE says a folder, Node keeps to that.)
const compiled = folder()
if (compiled !== undefined) enableCompileCache(compiled)

await import("./Run.ts")

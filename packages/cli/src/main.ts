#!/usr/bin/env node
/** The entry point: settles how Node works for a command line before anything is loaded. */
import { enableCompileCache } from "node:module"
import { setFlagsFromString } from "node:v8"

// An import holds little and leaves much garbage behind: collecting it at one and a half times of what is alive, and not at four, keeps a million
// rows within the memory of ten thousand (docs/decisions/005).
setFlagsFromString("--heap-growing-percent=50")

// Compiling is half of a start; the code is kept in the system's temporary directory.
enableCompileCache()

await import("./Run.ts")

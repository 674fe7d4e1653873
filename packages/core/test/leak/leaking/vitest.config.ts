/** Runs a single test file with a passing test and a leak. */
import { join } from "node:path"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [join(import.meta.dirname, "leaking.ts")],
    setupFiles: [join(import.meta.dirname, "../LeakScan.ts")],
    maxWorkers: 1
  }
})

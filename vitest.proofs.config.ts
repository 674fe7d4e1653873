/** Long checks from seeds: `pnpm proofs`. */
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

export default defineConfig({
  test: {
    ...base.test,
    include: ["proofs/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    maxWorkers: availableParallelism() + 1,
    // a process of the crash matrix mostly waits
    maxConcurrency: 2,
    // a full run has no time limit; CI ends a job that hangs
    testTimeout: 0,
    hookTimeout: 0,
    // the figures of a proof are shown even if it passes; log lines are not
    silent: false,
    onConsoleLog: (text) => !/^\[\d\d:\d\d:\d\d/.test(text)
  }
})

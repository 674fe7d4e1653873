import { accessSync, constants, statfsSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { SlowTests } from "./scripts/SlowTests.ts"

/** Memory, where the system offers enough of it: a store waits for its disk at every commit. Otherwise the usual folder. */
const temporary = (): string => {
  try {
    accessSync("/dev/shm", constants.W_OK)
    const { bavail, bsize } = statfsSync("/dev/shm")
    return bavail * bsize > 2 ** 31 ? "/dev/shm" : tmpdir()
  } catch {
    return tmpdir()
  }
}

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts"],
    // vitest.postgres.config.ts runs them
    exclude: ["**/node_modules/**", "packages/*/test/postgres/**", "examples/**/postgres/**"],
    globalSetup: ["packages/cli/test/CommandBundle.ts"],
    // what tests leave and print is searched for keys, secrets and buyers
    setupFiles: ["packages/core/test/leak/LeakScan.ts"],
    // half of a test's time is waiting, for processes and for sockets; a share of more than all is taken for all
    maxWorkers: availableParallelism() * 2,
    // no test changes anything global, and loading Effect anew for every file took half of the time
    isolate: false,
    reporters: ["default", new SlowTests()],
    // only for a test that hangs: a busy machine makes tests slow, never red
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // what a test logs is shown where it fails
    silent: "passed-only",
    // the commands that tests start are compiled once, not every time: a third of a second each instead of a whole one
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)),
      TMPDIR: temporary()
    }
  }
})

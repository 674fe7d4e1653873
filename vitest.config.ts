import { accessSync, constants, statfsSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { SlowTests } from "./scripts/SlowTests.ts"

/**
 * Returns a folder in memory if the system offers 2 GiB, because a store waits for its disk at
 * every commit; otherwise the usual temporary folder.
 */
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
    include: [
      "packages/*/test/**/*.test.ts",
      "examples/**/*.test.ts",
      "scripts/test/*.test.ts",
      "proofs/simulated/*.test.ts"
    ],
    // vitest.postgres.config.ts runs them
    exclude: ["**/node_modules/**", "packages/*/test/postgres/**", "examples/**/postgres/**"],
    globalSetup: ["packages/cli/test/CommandBundle.ts"],
    // searches files and output of the tests for keys, secrets and buyers
    setupFiles: ["packages/core/test/leak/LeakScan.ts"],
    // half of a test's time is waiting for processes and sockets; a share above 100 % has no effect
    maxWorkers: availableParallelism() * 2,
    // no test changes global state, and loading Effect for every file took half of the time
    isolate: false,
    reporters: ["default", new SlowTests()],
    // only for a test that hangs: on a busy machine tests are slow, but do not fail
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // the log of a test is shown if the test fails
    silent: "passed-only",
    // commands are compiled once for all tests: a start takes a third of a second, not a whole one
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)),
      TMPDIR: temporary()
    }
  }
})

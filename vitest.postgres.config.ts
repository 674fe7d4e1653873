/** The tests that need PostgreSQL, and a sample of those that run on SQLite otherwise, on it. */
import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

// those whose fibers sleep by a test clock while a real server answers need SQLite, which answers at once, or PassingTime
const sample = [
  "AfterMark",
  "AttemptEvidence",
  "Health",
  "Interleavings",
  "Ledger",
  "Mark",
  "Plan",
  "Repin",
  "Runner",
  "SharedLane",
  "StateWalk",
  "StatusPoller",
  "Sufferings",
  "Unknown"
]

export default defineConfig({
  test: {
    ...base.test,
    globalSetup: ["packages/cli/test/CommandBundle.ts", "packages/core/test/postgres/Server.ts"],
    env: { ...base.test?.env, FISCAL_TEST_STORE: "postgres" },
    include: [
      "packages/*/test/postgres/*.test.ts",
      "examples/**/postgres/*.test.ts",
      ...sample.map((name) => `packages/core/test/*/${name}.test.ts`)
    ],
    exclude: ["**/node_modules/**"]
  }
})

/** Tests that need PostgreSQL, and a sample of the tests that otherwise run on SQLite. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

const folder = "packages/core/test"

/**
 * Sample for PostgreSQL. Tests whose fibers sleep by a test clock while a real server answers need
 * SQLite, which answers at once, or PassingTime.
 */
const sample = [
  "sending/Interleavings",
  "sending/Proofs",
  "sending/OvertakenDates",
  "sending/Replacements",
  "sending/Runner",
  "sending/SharedLane",
  "sending/StatusPoller",
  "sending/Sufferings",
  "sending/Unknown",
  "sending/Unproven",
  "store/AttemptEvidence",
  "store/Health",
  "store/Ledger",
  "store/Mark",
  "store/Plan",
  "store/Repin",
  "store/SameSales",
  "store/StateWalk"
].map((name) => `${folder}/${name}.test.ts`)

// A renamed test would otherwise leave the sample without notice.
for (const file of sample) {
  if (!existsSync(join(import.meta.dirname, file))) throw new Error(`${file} of the sample does not exist`)
}

export default defineConfig({
  test: {
    ...base.test,
    globalSetup: ["packages/cli/test/CommandBundle.ts", "packages/core/test/postgres/Server.ts"],
    env: { ...base.test?.env, FISCAL_TEST_STORE: "postgres" },
    include: ["packages/*/test/postgres/*.test.ts", "examples/**/postgres/*.test.ts", ...sample],
    exclude: ["**/node_modules/**"]
  }
})

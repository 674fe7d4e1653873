import { defineConfig } from "vitest/config"

/** The page in a real browser: `pnpm test:browser`. */
export default defineConfig({
  test: { include: ["packages/ui/browser/**/*.test.ts"], maxWorkers: 1, testTimeout: 120_000, silent: "passed-only" }
})

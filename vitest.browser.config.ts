import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** The page in a real browser: `pnpm test:browser`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ["packages/ui/browser/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // files saved through the browser belong to the user, and are not searched
    setupFiles: [],
    maxWorkers: 1,
    // only for a test that hangs
    testTimeout: 900_000
  }
})

import { defineConfig } from "vitest/config"
import base from "./vitest.config.ts"

/** The page in a real browser: `pnpm test:browser`. */
export default defineConfig({
  test: {
    ...base.test,
    include: ["packages/ui/browser/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // what a person saves by the browser is the person's
    setupFiles: [],
    maxWorkers: 1,
    // only for a test that hangs
    testTimeout: 900_000
  }
})

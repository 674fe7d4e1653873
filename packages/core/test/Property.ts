/** Seeds of the properties: the same values in every run, or other values for a search. */
import type { Arbitrary } from "effect"

/**
 * Returns the options of a property with a fixed seed: a test that is red once is red in every run.
 * `PROPERTY_SEED=2 pnpm test` draws other values.
 */
export const seeded = (options: Arbitrary.CheckOptions = {}) => ({
  arbitrary: { seed: process.env["PROPERTY_SEED"] ?? "1", ...options }
})

/**
 * Tests of an adapter against the properties that core relies on: one test for each check, on the
 * adapter's own export.
 */
import { describe, it } from "@effect/vitest"
import { suite } from "@fiscal-connector/adapter-kit/conformance/AdapterConformance"
import { input, till } from "./own-adapter.ts"

describe("the till's adapter", () => {
  for (const { check, name } of suite(till, { input, options: {} })) it.effect(name, () => check)
})

import { adapter } from "@fiscal-connector/adapter-erpnext-like"
import { inFolder, suite } from "@fiscal-connector/adapter-kit/conformance"
import * as RoundTrip from "@fiscal-connector/adapter-kit/conformance/RoundTrip"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../fixtures", import.meta.url))
const fixtures = await Effect.runPromise(inFolder(folder, adapter.options))

describe("the ERPNext-like adapter", () => {
  for (const { check, name } of suite(adapter, fixtures)) it.effect(name, () => check)

  const book = readFileSync(join(folder, "book.json"), "utf8")
  const { check, name } = RoundTrip.check(adapter, fixtures, "book.json", book)
  it.live(name, () => check)
})

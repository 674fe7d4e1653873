/** Tests of the adapter: each law, each known mistake, and fiscalization by the test gateway. */
import { inFolder, suite } from "@fiscal-connector/adapter-kit/conformance"
import * as RoundTrip from "@fiscal-connector/adapter-kit/conformance/RoundTrip"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import adapter from "./adapter.ts"

const folder = join(import.meta.dirname, "../fixtures")
const fixtures = await Effect.runPromise(inFolder(folder, adapter.options))
const book = readFileSync(join(folder, "book.json"), "utf8")

for (const { check, name } of [...suite(adapter, fixtures), RoundTrip.check(adapter, fixtures, "book.json", book)])
  test(name, () => Effect.runPromise(check))

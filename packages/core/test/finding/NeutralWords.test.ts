import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packages = join(import.meta.dirname, "../../..")

/** Rooms whose texts belong to no program: what to type is worded by the command alone. */
const neutral = [
  "core/src/finding",
  "core/src/source",
  "core/src/translate",
  "core/src/preflight",
  "adapter-csv/src",
  "adapter-xlsx/src",
  "adapter-xero-like/src"
]

/** Flags and calls of a command in what is no comment. */
const words = /(?<=[\s"'`(])--[a-z][a-z-]+|\bconnector (?=[a-z])/g

const spoken = (source: string): ReadonlyArray<string> =>
  source.split("\n").flatMap((line) => (/^\s*(\/\*|\*|\/\/|import )/.test(line) ? [] : (line.match(words) ?? [])))

describe("the texts of core and adapters", () => {
  it("finds flags and calls of a command", () => {
    assert.deepStrictEqual(spoken('fix: "Say --dates dmy, or run `connector columns csv`."'), ["--dates", "connector "])
    assert.deepStrictEqual(spoken('import { a } from "@fiscal-connector/core"\n// say --dates'), [])
  })

  for (const room of neutral) {
    it(`name no flag and no command in ${room}`, () => {
      const files = readdirSync(join(packages, room), { recursive: true, encoding: "utf8" })
      const found = files
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) => spoken(readFileSync(join(packages, room, file), "utf8")).map((word) => `${file}: ${word}`))
      assert.deepStrictEqual(found, [])
    })
  }
})

import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Assumption } from "../../src/gateway/assumption/Assumption.ts"
import { assumptions, standardOf } from "../../src/gateway/assumption/Assumptions.ts"
import * as AssumptionsPage from "../../../../scripts/pages/AssumptionsPage.ts"
import { defaults } from "../../src/gateway/contract/AssumptionSwitches.ts"
import { assumptionTests } from "./AssumptionTests.ts"
import { type GatewayOperation, operations } from "../../src/gateway/contract/Operation.ts"

const root = path.resolve(import.meta.dirname, "../../../..")
const entries = Object.entries<Assumption>(assumptions)
const testsOf = new Map(Object.entries(assumptionTests))

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`)

/** All ids of the register (docs/gateway.md#assumptions). */
const ids = [
  ...numbered("AUTH", 8),
  ...numbered("HOOK", 7),
  ...numbered("STAT", 11),
  ...numbered("OP", 9),
  ...numbered("NUM", 2),
  "TIME-1",
  ...numbered("ZREP", 2),
  ...numbered("DOC", 10),
  "DOC-10b",
  ...numbered("DOC", 20).slice(10),
  "ORD-1",
  "HIST-1",
  "LIM-1",
  "SUB-1",
  "SUB-1b",
  "SHAPE-1"
]

/** Returns the titles of a file's tests, as patterns: a filled-in template matches any text. */
const titlesOf = (file: string): ReadonlyArray<RegExp> =>
  Array.from(
    fs.readFileSync(file, "utf8").matchAll(/\b(?:it(?:\.\w+)*|story)\(\s*(["`])(.*?)\1/gs),
    ([, , title = ""]) => {
      const literal = title.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part))
      return new RegExp(`^${literal.join(".*")}$`)
    }
  )

/** Returns the texts of all modules, except those that only state the assumptions. */
const sourcesUnder = (folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/gateway.assumption|AssumptionSwitches/.test(file))
    .map((file) => fs.readFileSync(path.join(folder, file), "utf8"))

describe("the register of assumptions", () => {
  it("has every id of the facts, in the same order", () => {
    assert.deepStrictEqual(
      entries.map(([id]) => id),
      ids
    )
  })

  it("states for each assumption the value, the places of use, and the sign of being wrong", () => {
    for (const [id, { takes, usedIn, wrongIf }] of entries) {
      assert.isNotEmpty(takes, id)
      assert.isNotEmpty(wrongIf, id)
      assert.isNotEmpty(usedIn, id)
    }
  })

  it("names modules that exist", () => {
    for (const [id, { usedIn }] of entries) {
      for (const module of usedIn) {
        const place = path.join(root, "packages", module)
        assert.isTrue(fs.existsSync(place) || fs.existsSync(`${place}.ts`), `${id}: ${module}`)
      }
    }
  })

  it("names tests that exist", () => {
    for (const [id, tests] of Object.entries(assumptionTests)) {
      for (const test of tests) {
        const [file = "", title] = test.split(/(?<=\.test\.ts): /)
        const titles = titlesOf(path.join(root, "packages", file))
        assert.isTrue(title === undefined || titles.some((pattern) => pattern.test(title)), `${id}: ${test}`)
      }
    }
  })

  it("has a test for every assumption of the gateway room", () => {
    for (const [id, { usedIn }] of entries) {
      const [first = ""] = usedIn
      if (first.startsWith("core/src/gateway/")) assert.isNotEmpty(testsOf.get(id), id)
    }
  })

  it("has each switch of the configuration once, under its own id, with its default", () => {
    const switched = entries.filter(([, { switch: lever }]) => lever.by === "switch")
    assert.deepStrictEqual(switched.map(([id]) => id).toSorted(), Object.keys(defaults).toSorted())
    for (const [id, assumption] of switched) {
      assert.isTrue(assumption.switch.by === "switch" && assumption.switch.id === id, id)
      assert.isNotEmpty(standardOf(assumption), id)
    }
  })

  it("has no unused switch", () => {
    const sources = ["core", "cli"].flatMap((name) => sourcesUnder(path.join(root, "packages", name, "src")))
    for (const id of Object.keys(defaults)) {
      assert.isTrue(
        sources.some((text) => text.includes(`"${id}"`)),
        id
      )
    }
  })

  it("covers every undocumented operation", () => {
    for (const { grounds, name } of Object.values<GatewayOperation>(operations)) {
      if (grounds !== "documented") assert.property(assumptions, grounds, name)
    }
  })
})

describe("a generated page", () => {
  for (const [file, text] of [["docs/assumptions.md", AssumptionsPage.render()]] as const) {
    it(`${file} is up to date (UPDATE_DOCS=1 writes it)`, () => {
      const place = path.join(root, file)
      if (process.env["UPDATE_DOCS"] === "1") fs.writeFileSync(place, text)
      assert.strictEqual(fs.readFileSync(place, "utf8"), text)
    })
  }
})

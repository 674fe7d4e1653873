/** Checks the permitted imports between rooms (docs/architecture.md#rooms). */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { doorsOf, namespacesOf } from "../EntryPointList.ts"
import { circles, everyPackage, forbidden, importsOf, sizes, upward } from "../ImportGraph.ts"
import { sources } from "../OneWay.ts"
import { rooms } from "../Rooms.ts"

const everyFolder = everyPackage().map(({ folder }) => folder)

describe("the import graph", () => {
  it.each(everyFolder)("of %s has no cycles, and no room of more than 25 files", (folder) => {
    assert.deepStrictEqual(circles(importsOf(folder)), [])
    assert.deepStrictEqual(
      [...sizes(folder)].filter(([, files]) => files > 25),
      []
    )
  })

  it.each(Object.keys(rooms))("of %s has only imports that its rooms allow, none of them upwards", (folder) => {
    const told = (found: ReturnType<typeof upward>) => found.map(({ files }) => files.join(" imports "))
    assert.deepStrictEqual(told(upward(folder)), [])
    assert.deepStrictEqual(told(forbidden(folder)), [])
  })

  it.each(Object.entries(rooms))(
    "of %s has the listed rooms, and each room may import only earlier rooms",
    (folder, named) => {
      assert.deepStrictEqual(
        [...sizes(folder).keys()].filter((room) => room !== ".").toSorted(),
        Object.keys(named).toSorted()
      )
      const order = Object.keys(named)
      const later = Object.entries(named).flatMap(([room, { imports }]) =>
        imports
          .filter((other) => other !== room && order.indexOf(other) >= order.indexOf(room))
          .map((other) => `${room}: ${other}`)
      )
      assert.deepStrictEqual(later, [])
    }
  )

  it("distinguishes a cycle from two paths that meet", () => {
    const meets = new Map([
      ["a", ["b", "c"]],
      ["b", ["d"]],
      ["c", ["d"]],
      ["d", []]
    ])
    assert.deepStrictEqual(circles(meets), [])
    assert.deepStrictEqual(circles(new Map([...meets, ["d", ["b"]]])), [["b", "d"]])
  })

  describe("of core", () => {
    const core = join(import.meta.dirname, "../../packages/core")
    const behind = Object.values(doorsOf(core)).flatMap((door) => namespacesOf(join(core, door)))

    it("has each module behind one door, and nothing but modules in a door", () => {
      assert.deepStrictEqual(behind.map(([, module]) => module).toSorted(), [
        ...new Set(behind.map(([, module]) => module).toSorted())
      ])
      const lines = Object.values(doorsOf(core)).flatMap((door) => readFileSync(join(core, door), "utf8").split("\n"))
      assert.lengthOf(
        lines.filter((line) => line !== "" && !line.startsWith("/** ")),
        behind.length
      )
    })

    it("is imported by the names of a door, which a bundle resolves to modules", () => {
      assert.deepStrictEqual(
        sources()
          .filter(
            ([file, text]) =>
              !file.startsWith("packages/core/") && /\* as \w+ from "@fiscal-connector\/core\//.test(text)
          )
          .map(([file]) => file),
        []
      )
    })
  })
})

/** Checks the permitted imports between rooms (docs/architecture.md#rooms). */
import { assert, describe, it } from "@effect/vitest"
import { circles, everyPackage, forbidden, importsOf, sizes, upward } from "../ImportGraph.ts"
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
})

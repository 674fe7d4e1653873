/** Core, command and page name no accounting system: a system is its package and one row. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { systems } from "../src/format/Formats.ts"

const packages = join(import.meta.dirname, "../..")

/** Names of the systems, from the rows (without formats of any system) and the packages. */
const names = new Set(
  [
    ...systems.filter((row) => !("content" in row) || row.content === "json").map(({ name }) => name),
    ...readdirSync(packages).flatMap((folder) => /^adapter-(.+-like)$/.exec(folder)?.[1] ?? [])
  ].map((name) => name.replace(/-like$/, ""))
)

/** Returns the places of the name of a system below the folders, without the table. */
const placesIn = (...folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync(
    folders.map((folder) => `${folder}/src/**/*.{ts,css,js}`),
    { cwd: packages }
  )
    .filter((file) => file !== "cli/src/format/Formats.ts")
    .flatMap((file) =>
      readFileSync(join(packages, file), "utf8")
        .split("\n")
        .flatMap((text, n) => (new RegExp([...names].join("|"), "i").test(text) ? [`${file}:${n + 1}`] : []))
    )

describe("the sources of core, of the command and of the page", () => {
  it("name no accounting system outside the table", () => {
    assert.deepStrictEqual(placesIn("core", "ui", "cli"), [])
  })

  it("are searched for every system, in a search that finds names", () => {
    assert.sameMembers([...names], ["xero", "quickbooks", "odoo", "erpnext"])
    for (const name of names) assert.isNotEmpty(placesIn(`adapter-${name}-like`), name)
  })
})

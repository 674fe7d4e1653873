/** Which rooms of core, and which packages, import which, as their sources say. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"

const packages = join(import.meta.dirname, "../packages")
const core = join(packages, "core/src")

/** The sources of a package, relative to its `src`, with their text. */
const sourcesOf = (name: string): ReadonlyArray<readonly [file: string, text: string]> =>
  readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .toSorted()
    .map((file) => [file, readFileSync(join(packages, name, "src", file), "utf8")])

const roomOf = (file: string): string => file.split(sep)[0]!

/** One import that leads from a room into another. */
export interface Arrow {
  readonly from: string
  readonly to: string
  /** The importing file and the imported one, relative to `packages/core/src`. */
  readonly files: readonly [importing: string, imported: string]
}

/** Every import of core that leaves its room. */
export const arrows = (): ReadonlyArray<Arrow> =>
  sourcesOf("core").flatMap(([file, text]) =>
    Array.from(text.matchAll(/\bfrom "(\.[^"]+)"/g), ([, target]): Arrow => {
      const imported = relative(core, join(core, dirname(file), target!))
      return { from: roomOf(file), to: roomOf(imported), files: [file, imported] }
    }).filter(({ from, to }) => from !== to)
  )

export interface Package {
  readonly folder: string
  readonly name: string
  readonly description: string
  /** Folders of the packages of this repository that its sources import. */
  readonly imports: ReadonlyArray<string>
}

const textIn = (value: object, field: string): string => {
  const text = Object.entries(value).find(([name]) => name === field)?.[1]
  if (typeof text !== "string") throw new TypeError(`a package.json has no ${field}`)
  return text
}

/** The packages of this repository, by folder. */
export const everyPackage = (): ReadonlyArray<Package> =>
  readdirSync(packages)
    .toSorted()
    .map((folder) => {
      const manifest: object = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))
      const imports = sourcesOf(folder).flatMap(([, text]) =>
        Array.from(text.matchAll(/\bfrom "@fiscal-connector\/([a-z-]+)/g), ([, name]) => name!)
      )
      return {
        folder,
        name: textIn(manifest, "name"),
        description: textIn(manifest, "description"),
        imports: [...new Set(imports)].filter((name) => name !== folder).toSorted()
      }
    })

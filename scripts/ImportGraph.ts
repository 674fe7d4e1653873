/**
 * Import graph of files, rooms and packages, from the sources. Finds forbidden structures: circles,
 * imports between rooms that `scripts/Rooms.ts` does not allow, and rooms without an entry.
 *
 *     pnpm exec node scripts/ImportGraph.ts
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { rooms } from "./Rooms.ts"

const packages = join(import.meta.dirname, "../packages")
const folders = readdirSync(packages).toSorted()

/** Returns the sources of a package with their texts, by path relative to `src`. */
const sourcesOf = (folder: string): ReadonlyArray<readonly [file: string, text: string]> =>
  readdirSync(join(packages, folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .toSorted()
    .map((file) => [file, readFileSync(join(packages, folder, "src", file), "utf8")])

/** Imported files of the same package by file, types included. */
export type Imports = ReadonlyMap<string, ReadonlyArray<string>>

/** Returns static and dynamic imports, and re-exports (`export … from`). */
export const importsOf = (folder: string): Imports =>
  new Map(
    sourcesOf(folder).map(([file, text]) => [
      file,
      Array.from(text.matchAll(/\b(?:from|import) ?\(?"(\.[^"]+)"/g), ([, target]) =>
        normalize(join(dirname(file), target!))
      )
    ])
  )

/**
 * Returns groups of files that import each other in a circle: the strongly connected components of
 * the graph (Tarjan).
 */
export const circles = (imports: Imports): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<ReadonlyArray<string>> = []
  const reached = new Map<string, number>()
  const open: Array<string> = []
  const visit = (file: string): number => {
    const at = reached.size
    reached.set(file, at)
    open.push(file)
    let lowest = at
    for (const next of imports.get(file) ?? []) {
      if (!reached.has(next)) lowest = Math.min(lowest, visit(next))
      else if (open.includes(next)) lowest = Math.min(lowest, reached.get(next)!)
    }
    if (lowest === at) {
      const circle = open.splice(open.indexOf(file))
      if (circle.length > 1) found.push(circle)
    }
    return lowest
  }
  for (const file of imports.keys()) if (!reached.has(file)) visit(file)
  return found
}

/** An import from one room into another. "." is the top of `src`, above all rooms. */
export interface Arrow {
  readonly from: string
  readonly to: string
  /** Importing file and imported file, relative to the package's `src`. */
  readonly files: readonly [importing: string, imported: string]
}

export const arrows = (folder: string): ReadonlyArray<Arrow> =>
  Array.from(importsOf(folder), ([file, targets]) =>
    targets.map((target): Arrow => ({ from: dirname(file), to: dirname(target), files: [file, target] }))
  )
    .flat()
    .filter(({ from, to }) => from !== to)

/** Returns imports that `Rooms` does not list, upward imports included. */
export const forbidden = (folder: string): ReadonlyArray<Arrow> =>
  arrows(folder).filter(({ from, to }) => from !== "." && rooms[folder]?.[from]?.imports.includes(to) !== true)

/** Returns imports of a room that follows the importing room in `Rooms`. */
export const upward = (folder: string): ReadonlyArray<Arrow> => {
  const order = [...Object.keys(rooms[folder] ?? {}), "."]
  return arrows(folder).filter(({ from, to }) => order.indexOf(to) > order.indexOf(from))
}

/** Returns the number of files of each room. */
export const sizes = (folder: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const [file] of sourcesOf(folder)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  return counts
}

export interface Package {
  readonly folder: string
  readonly name: string
  readonly description: string
  /** Folders of the packages of this repository that the sources import. */
  readonly imports: ReadonlyArray<string>
}

const textIn = (value: object, field: string): string => {
  const text = Object.entries(value).find(([name]) => name === field)?.[1]
  if (typeof text !== "string") throw new TypeError(`a package.json has no ${field}`)
  return text
}

/** Returns the packages of this repository, by folder. */
export const everyPackage = (): ReadonlyArray<Package> =>
  folders.map((folder) => {
    const manifest: object = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))
    const imports = sourcesOf(folder).flatMap(([, text]) =>
      Array.from(text.matchAll(/\b(?:from |import\()"@fiscal-connector\/([a-z-]+)/g), ([, name]) => name!)
    )
    return {
      folder,
      name: textIn(manifest, "name"),
      description: textIn(manifest, "description"),
      imports: [...new Set(imports)].filter((name) => name !== folder).toSorted()
    }
  })

if (import.meta.main) {
  for (const folder of folders) {
    const round = circles(importsOf(folder))
    const up = rooms[folder] === undefined ? "no order of rooms" : `upward arrows ${upward(folder).length}`
    const [[room, files] = [".", 0]] = [...sizes(folder)].toSorted(([, a], [, b]) => b - a)
    process.stdout.write(`${folder}: circles ${round.length}, ${up}, largest room ${room} with ${files} files\n`)
    for (const circle of round) process.stdout.write(`  circle: ${circle.join(", ")}\n`)
    for (const { files } of rooms[folder] === undefined ? [] : forbidden(folder))
      process.stdout.write(`  ${files.join(" imports ")}\n`)
  }
}

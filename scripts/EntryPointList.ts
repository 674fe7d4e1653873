/**
 * Public entry points of the packages, the names behind each door of core, and modules behind
 * `unstable/` that our own packages import. `scripts/doors.json` lists them, and `pnpm lint` fails
 * if the sources differ: a longer list is a decision to review (docs/decisions/010).
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packages = join(import.meta.dirname, "../packages")

export interface EntryPoints {
  /** Number of entry points by package folder, without patterns and closed doors. */
  readonly entryPoints: Readonly<Record<string, number>>
  /** Number of modules behind each door of core, and of the names that these export. */
  readonly doors: Readonly<Record<string, { readonly modules: number; readonly names: number }>>
  /**
   * Imports of modules behind `unstable/`, with the importing package:
   * `adapter-xero-like adapter-kit/unstable/RefusedFile`.
   */
  readonly unstable: ReadonlyArray<string>
}

interface Manifest {
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | object | null>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))

/** Matches entry points that promise nothing: the doors of our own hosts. */
export const closed = /^\.\/host\b/

const namespace = /^export \* as (\w+) from "\.\/(.+)"$/gm

/** Returns the modules behind a door, by name, with paths relative to the door. */
export const namespacesOf = (door: string): ReadonlyArray<readonly [name: string, module: string]> =>
  Array.from(readFileSync(door, "utf8").matchAll(namespace), ([, name, module]) => [name!, module!])

/** Returns the doors of a package with their files: the entry points at the top of its sources. */
export const doorsOf = (folder: string): Readonly<Record<string, string>> => {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
  return Object.fromEntries(
    Object.entries(exports).flatMap(([path, file]) =>
      typeof file === "string" && /^\.\/src\/\w+\.ts$/.test(file) ? [[path, file] as const] : []
    )
  )
}

const exported = /^export (?:declare |abstract |async )*(?:const|function\*?|class|interface|type|namespace) (\w+)/gm

const countsOf = (door: string): { readonly modules: number; readonly names: number } => {
  const modules = namespacesOf(door)
  const names = modules.flatMap(([, module]) => [
    ...new Set(Array.from(readFileSync(join(door, "..", module), "utf8").matchAll(exported), ([, name]) => name))
  ])
  return { modules: modules.length, names: names.length }
}

const unstableOf = (folder: string): ReadonlyArray<string> => {
  const source = join(packages, folder, "src")
  const found = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(source, file), "utf8").matchAll(/"@fiscal-connector\/([a-z-]+\/unstable\/[^"]+)"/g),
        ([, module]) => module!
      )
    )
  // excludes the tags of a package's own services, which are named after their modules
  return [...new Set(found.filter((module) => !module.startsWith(`${folder}/`)))].toSorted()
}

/** Returns the current entry points and imports of the sources. */
export const entryPoints = (): EntryPoints => {
  const folders = readdirSync(packages).toSorted()
  const entryPoints = folders.flatMap((folder) => {
    const { exports, private: kept } = manifestOf(folder)
    if (kept === true || exports === undefined) return []
    return [
      [
        folder,
        Object.entries(exports).filter(
          ([entryPoint, file]) => file !== null && !entryPoint.includes("*") && !closed.test(entryPoint)
        ).length
      ] as const
    ]
  })
  const unstable = folders.flatMap((folder) => unstableOf(folder).map((module) => `${folder} ${module}`))
  const core = join(packages, "core")
  const doors = Object.entries(doorsOf(core)).map(
    ([path, file]) => [`core${path.slice(1)}`, countsOf(join(core, file))] as const
  )
  return { entryPoints: Object.fromEntries(entryPoints), doors: Object.fromEntries(doors), unstable }
}

/** Returns the items that exceed the list. */
export const added = (now: EntryPoints, list: EntryPoints): ReadonlyArray<string> => [
  ...Object.entries(now.entryPoints).flatMap(([folder, count]) =>
    count > (list.entryPoints[folder] ?? 0)
      ? [`${folder} has ${count} entry points, ${list.entryPoints[folder] ?? 0} are listed`]
      : []
  ),
  ...Object.entries(now.doors).flatMap(([door, { names }]) =>
    names > (list.doors[door]?.names ?? 0)
      ? [`${door} has ${names} names, ${list.doors[door]?.names ?? 0} are listed`]
      : []
  ),
  ...now.unstable.filter((one) => !list.unstable.includes(one)).map((one) => `new import: ${one}`)
]

/**
 * Public entry points of the packages, and modules behind `unstable/` that our own packages import.
 * `scripts/doors.json` lists both, and `pnpm lint` fails if the sources differ: a longer list is a
 * decision to review (docs/decisions/010).
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packages = join(import.meta.dirname, "../packages")

export interface EntryPoints {
  /** Number of entry points by package folder, without patterns. */
  readonly entryPoints: Readonly<Record<string, number>>
  /**
   * Imports of modules behind `unstable/`, with the importing package:
   * `cli core/unstable/codes/KnownCodes`.
   */
  readonly unstable: ReadonlyArray<string>
}

interface Manifest {
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | null>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"))

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
        Object.entries(exports).filter(([entryPoint, file]) => file !== null && !entryPoint.includes("*")).length
      ] as const
    ]
  })
  const unstable = folders.flatMap((folder) => unstableOf(folder).map((module) => `${folder} ${module}`))
  return { entryPoints: Object.fromEntries(entryPoints), unstable }
}

/** Returns the items that exceed the list. */
export const added = (now: EntryPoints, list: EntryPoints): ReadonlyArray<string> => [
  ...Object.entries(now.entryPoints).flatMap(([folder, count]) =>
    count > (list.entryPoints[folder] ?? 0)
      ? [`${folder} has ${count} entry points, ${list.entryPoints[folder] ?? 0} are listed`]
      : []
  ),
  ...now.unstable.filter((one) => !list.unstable.includes(one)).map((one) => `new import: ${one}`)
]

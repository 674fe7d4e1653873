/** Finds files and folders that every user of the machine may change. */
import { Effect, FileSystem, Option, Path } from "effect"

const sticky = 0o1000

/** One text for each of the paths that everyone may write. In a folder with the sticky bit, users replace only their own files. */
export const among = (
  paths: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { sep } = yield* Path.Path
    // Windows has no such permissions
    if (sep !== "/") return []
    const found = yield* Effect.forEach([...new Set(paths)], (path) =>
      Effect.map(Effect.option(fs.stat(path)), (stat) => {
        const { mode, type } = Option.getOrElse(stat, () => ({ mode: 0, type: "File" }))
        const isOpen = (mode & 0o002) !== 0 && !(type === "Directory" && (mode & sticky) !== 0)
        return isOpen ? [`every user may write ${path} (mode ${(mode & 0o7777).toString(8).padStart(4, "0")})`] : []
      })
    )
    return found.flat()
  })

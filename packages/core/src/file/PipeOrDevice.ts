/** What has the name of a file and is none: whoever opened it might wait for ever. */
import { Effect, FileSystem } from "effect"

/** What is said of one, behind its name. */
export const inWords = "is not a file, but a pipe or a device"

/** False where there is nothing, or nobody may look. */
export const is = (name: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.match(fs.stat(name), {
      onFailure: () => false,
      onSuccess: ({ type }) => type !== "File" && type !== "Directory"
    })
  )

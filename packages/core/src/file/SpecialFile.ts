/** Detects pipes and devices under a file name: opening a pipe or device could block forever. */
import { Effect, FileSystem } from "effect"

/** Text for messages, after the file name. */
export const problemText = "is not a file, but a pipe or a device"

/** Returns true for a pipe or a device; false if nothing is there, or the path cannot be read. */
export const is = (name: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.match(fs.stat(name), {
      onFailure: () => false,
      onSuccess: ({ type }) => type !== "File" && type !== "Directory"
    })
  )

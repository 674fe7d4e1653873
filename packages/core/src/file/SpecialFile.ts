/** Opening a pipe or a device could block forever. */
import { Effect, FileSystem } from "effect"

export const problemText = "is not a file, but a pipe or a device"

export const is = (name: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.match(fs.stat(name), {
      onFailure: () => false,
      onSuccess: ({ type }) => type !== "File" && type !== "Directory"
    })
  )

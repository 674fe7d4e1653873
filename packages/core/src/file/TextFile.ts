import { Effect, FileSystem, PlatformError } from "effect"
import * as SpecialFile from "./SpecialFile.ts"

/**
 * True if the path is a pipe or a device, which is never opened: its content may be
 * endless.
 */
export const isSpecialFile = ({ reason }: PlatformError.PlatformError): boolean =>
  reason._tag === "BadResource" && reason.description === SpecialFile.problemText

export const specialFileError = (name: string): PlatformError.PlatformError =>
  PlatformError.systemError({
    _tag: "BadResource",
    module: "FileSystem",
    method: "readFile",
    pathOrDescriptor: name,
    description: SpecialFile.problemText
  })

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, as Windows PowerShell writes; removes the mark.
 */
const decoded = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
  return new TextDecoder(encoding).decode(bytes)
}

/** Reads the file. Fails also for a pipe or a device (`isSpecialFile`). */
export const read = (name: string): Effect.Effect<string, PlatformError.PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.flatMap(SpecialFile.is(name), (is) =>
      is ? Effect.fail(specialFileError(name)) : Effect.map(fs.readFile(name), decoded)
    )
  )

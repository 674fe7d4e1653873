/** The text of a file that a person names: configuration, key, mapping book. */
import { Effect, FileSystem, PlatformError } from "effect"
import * as PipeOrDevice from "./PipeOrDevice.ts"

/** Whether the file could not be read because it is none: then it was not opened, since it might have had no end. */
export const isNone = ({ reason }: PlatformError.PlatformError): boolean =>
  reason._tag === "BadResource" && reason.description === PipeOrDevice.inWords

/** Why what is no file is neither read nor replaced. */
export const none = (name: string): PlatformError.PlatformError =>
  PlatformError.systemError({
    _tag: "BadResource",
    module: "FileSystem",
    method: "readFile",
    pathOrDescriptor: name,
    description: PipeOrDevice.inWords
  })

/** UTF-8, or UTF-16 with a mark, as Windows PowerShell writes it; without the mark. */
const decoded = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8"
  return new TextDecoder(encoding).decode(bytes)
}

/** Reads it. Fails where it is a pipe or a device (`isNone`), too. */
export const read = (name: string): Effect.Effect<string, PlatformError.PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.flatMap(PipeOrDevice.is(name), (is) =>
      is ? Effect.fail(none(name)) : Effect.map(fs.readFile(name), decoded)
    )
  )

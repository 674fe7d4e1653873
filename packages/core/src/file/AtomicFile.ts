/** A canceled run or a full disk never leaves a partial file under the final name. */
import { Effect, FileSystem, Option, PlatformError, Random } from "effect"
import * as TextFile from "./TextFile.ts"

const folder = (name: string) =>
  PlatformError.systemError({
    _tag: "BadResource",
    module: "FileSystem",
    method: "writeFile",
    pathOrDescriptor: name,
    description: "EISDIR"
  })

/** Fails if the path exists and is not a file: writing would replace a device of the system. */
export const mayReplace = (file: string): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.flatMap(Effect.option(fs.stat(file)), (found) => {
      const type = Option.getOrUndefined(found)?.type ?? "File"
      if (type === "File") return Effect.void
      return Effect.fail(type === "Directory" ? folder(file) : TextFile.specialFileError(file))
    })
  )

/**
 * Writes a file atomically. `writing` gets a temporary name next to `file`, unique because other
 * processes may be writing the same file. On success the temporary file replaces `file`; on failure
 * the temporary file is removed and `file` stays unchanged.
 */
export const write = <A, E, R>(
  file: string,
  writing: (unfinished: string) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | PlatformError.PlatformError, R | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    yield* mayReplace(file)
    const fs = yield* FileSystem.FileSystem
    const mark = (yield* Random.nextIntBetween(0, 0xffff_ffff)).toString(16).padStart(8, "0")
    const unfinished = `${file}.${mark}.part`
    return yield* writing(unfinished).pipe(
      Effect.tap(() => fs.rename(unfinished, file)),
      Effect.onError(() => Effect.ignore(fs.remove(unfinished, { force: true })))
    )
  })

export const finished = (unfinished: string): string => unfinished.replace(/(\.[0-9a-f]{8})?\.part$/, "")

export const writeText = (
  file: string,
  text: string
): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) => write(file, (unfinished) => fs.writeFileString(unfinished, text, { mode: 0o600 })))

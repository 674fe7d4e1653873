/** A file that is there whole or not at all: a run that is cut off, or a full disk, leaves nothing that looks like one. */
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

/** Fails where something of this name is there that is no file: a device of the system would be gone once a file had taken its place. */
export const mayReplace = (file: string): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.flatMap(Effect.option(fs.stat(file)), (found) => {
      const type = Option.getOrUndefined(found)?.type ?? "File"
      if (type === "File") return Effect.void
      return Effect.fail(type === "Directory" ? folder(file) : TextFile.none(file))
    })
  )

/**
 * `writing` gets the name to write under, beside `file`: one of its own, since others may be writing the same file. Once it is done, that takes the
 * place of an earlier `file`. Where it fails, what it wrote goes and `file` stays as it was.
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

/** The name that what is written under this one gets at the end. */
export const finished = (unfinished: string): string => unfinished.replace(/(\.[0-9a-f]{8})?\.part$/, "")

/** The same for a text, which its owner alone may read. */
export const writeText = (
  file: string,
  text: string
): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) => write(file, (unfinished) => fs.writeFileString(unfinished, text, { mode: 0o600 })))

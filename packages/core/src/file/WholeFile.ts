/** A file that is there whole or not at all: a run that is cut off, or a full disk, leaves nothing that looks like one. */
import { Effect, FileSystem, type PlatformError } from "effect"

/**
 * `writing` gets the name to write under, beside `file`; once it is done, that takes the place of an earlier `file`. Where it fails, what it wrote
 * goes and `file` stays as it was. `ending` tells apart what several processes write at once.
 */
export const write = <A, E, R>(
  file: string,
  writing: (unfinished: string) => Effect.Effect<A, E, R>,
  ending = ".part"
): Effect.Effect<A, E | PlatformError.PlatformError, R | FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) => {
    const unfinished = `${file}${ending}`
    return writing(unfinished).pipe(
      Effect.tap(() => fs.rename(unfinished, file)),
      Effect.onError(() => Effect.ignore(fs.remove(unfinished, { force: true })))
    )
  })

/** The same for a text, which its owner alone may read. */
export const writeText = (
  file: string,
  text: string,
  ending?: string
): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    write(file, (unfinished) => fs.writeFileString(unfinished, text, { mode: 0o600 }), ending)
  )

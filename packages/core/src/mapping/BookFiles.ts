import { Effect, FileSystem, Path, type PlatformError } from "effect"
import * as TextFile from "../file/TextFile.ts"
import { type BookError, load } from "./BookFile.ts"
import type { MappingBook } from "./MappingBook.ts"

/**
 * Loads the book of a file. Fails with BookError for all problems of the book, and with
 * PlatformError if the file itself cannot be read.
 */
export const open: (
  file: string
) => Effect.Effect<MappingBook, BookError | PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> =
  Effect.fnUntraced(function* (file) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const fetchBase = (name: string) => {
      const base = path.join(path.dirname(file), name)
      return TextFile.read(base).pipe(
        Effect.provideService(FileSystem.FileSystem, fs),
        Effect.mapBoth({ onSuccess: (text) => ({ file: base, text }), onFailure: () => `${base} cannot be read` })
      )
    }
    return yield* load(file, yield* TextFile.read(file), fetchBase)
  })

/** Reader of a connector's mapping book, from a file or from an object. */
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import { Effect, FileSystem, Path } from "effect"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"

export const read = (
  book: string | object
): Effect.Effect<MappingBook, BookFile.BookError | FiscalConnectorError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (typeof book !== "string") return yield* BookFile.load("the options", JSON.stringify(book))
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const text = (file: string) =>
      Effect.mapError(
        fs.readFileString(file),
        ({ reason }) => new FiscalConnectorError("book_invalid", `${file} cannot be read (${reason._tag})`)
      )
    return yield* BookFile.load(book, yield* text(book), (name) => {
      const file = path.resolve(path.dirname(book), name)
      return Effect.mapBoth(text(file), {
        onFailure: ({ message }) => message,
        onSuccess: (text) => ({ file, text })
      })
    })
  })

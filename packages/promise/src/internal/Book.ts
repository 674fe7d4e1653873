import { BookFile, type MappingBook } from "@fiscal-connector/core/book"
import { Effect, FileSystem, Path } from "effect"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"

export interface Text {
  readonly file: string
  readonly text: string
  readonly fetchBase?: BookFile.FetchBase
}

export const text = (
  book: string | object
): Effect.Effect<Text, FiscalConnectorError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (typeof book !== "string") return { file: "the options", text: JSON.stringify(book) }
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const text = (file: string) =>
      Effect.mapError(
        fs.readFileString(file),
        ({ reason }) => new FiscalConnectorError("book_invalid", `${file} cannot be read (${reason._tag})`)
      )
    const fetchBase: BookFile.FetchBase = (name) => {
      const file = path.resolve(path.dirname(book), name)
      return Effect.mapBoth(text(file), {
        onFailure: ({ message }) => message,
        onSuccess: (text) => ({ file, text })
      })
    }
    return { file: book, text: yield* text(book), fetchBase }
  })

export const read = (
  book: string | object
): Effect.Effect<
  MappingBook.MappingBook,
  BookFile.BookError | FiscalConnectorError,
  FileSystem.FileSystem | Path.Path
> => Effect.flatMap(text(book), ({ fetchBase, file, text }) => BookFile.load(file, text, fetchBase))

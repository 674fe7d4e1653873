/** The files a person names, as an adapter's input; each may be read more than once. */
import { AdapterError, type Input, type InputFile, InputFailed } from "@fiscal-connector/core/source/Adapter"
import { Effect, FileSystem, Path, Stream } from "effect"
import { Quit } from "../Quit.ts"

/** Files as named; a folder stands for its files with one of the extensions, by name. */
export const open = (adapter: string, names: ReadonlyArray<string>, extensions: RegExp) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const files = yield* Effect.forEach(names, (name) =>
      Effect.gen(function* () {
        const { type } = yield* fs
          .stat(name)
          .pipe(Effect.mapError(() => new Quit({ code: 1, text: `There is no file ${name}.` })))
        if (type !== "Directory") return [name]
        const inside = (yield* fs.readDirectory(name)).filter((file) => extensions.test(file)).toSorted()
        return inside.map((file) => path.join(name, file))
      })
    )
    const input: Input = {
      files: files.flat().map((name): InputFile => ({
        name,
        bytes: fs
          .stream(name, { chunkSize: 256 * 1024 })
          .pipe(
            Stream.mapError(
              ({ message }) => new AdapterError({ adapter, reason: new InputFailed({ file: name, problem: message }) })
            )
          )
      }))
    }
    return input
  })

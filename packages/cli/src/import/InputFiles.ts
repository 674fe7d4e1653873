/** The files a person names, as an adapter's input; each may be read more than once. */
import { AdapterError, type Input, type InputFile, InputFailed } from "@fiscal-connector/core/source/Adapter"
import { Effect, FileSystem, Stream } from "effect"

export const open = (
  adapter: string,
  names: ReadonlyArray<string>
): Effect.Effect<Input, never, FileSystem.FileSystem> =>
  Effect.map(FileSystem.FileSystem, (fs) => ({
    files: names.map((name): InputFile => ({
      name,
      bytes: fs
        .stream(name, { chunkSize: 256 * 1024 })
        .pipe(
          Stream.mapError(
            ({ message }) => new AdapterError({ adapter, reason: new InputFailed({ file: name, problem: message }) })
          )
        )
    }))
  }))

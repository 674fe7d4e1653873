/** A stream that can be read only once, as standard input, kept in a temporary file so that it can be read again. */
import { AdapterError, InputFailed, type InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect, FileSystem, Stream } from "effect"

/** The file is readable by its owner alone and goes away with the scope. Fails with `InputFailed` where it cannot be written. */
export const spool = <E>(name: string, bytes: Stream.Stream<Uint8Array, E>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const failed = (problem: string) =>
      new AdapterError({ adapter: "csv", reason: new InputFailed({ file: name, problem }) })
    // the directory is made for its owner alone
    const directory = yield* Effect.mapError(fs.makeTempDirectoryScoped({ prefix: "fiscal-connector-" }), () =>
      failed("no temporary directory could be made")
    )
    const path = `${directory}/input`
    yield* Effect.mapError(Stream.run(bytes, fs.sink(path, { mode: 0o600 })), () =>
      failed("it could not be copied to a temporary file")
    )
    const file: InputFile = {
      name,
      bytes: Stream.mapError(fs.stream(path), () => failed("its temporary file could not be read"))
    }
    return file
  })

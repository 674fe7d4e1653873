import { FileContent as Content } from "@fiscal-connector/core/host"
import { Effect, FileSystem, Stream } from "effect"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"

/** Returns the content type. Fails with ExitError if the file cannot be read. */
export const of = (file: string): Effect.Effect<Content.Content, ExitError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.map(
      Effect.mapError(
        Stream.runCollect(Stream.take(fs.stream(file, { bytesToRead: Content.head, chunkSize: Content.head }), 1)),
        (error) => new ExitError({ code: 1, text: systemText(error, "read") })
      ),
      ([first = new Uint8Array()]) => Content.of(first)
    )
  )

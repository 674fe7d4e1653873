/** What a file on this machine is by its first bytes. */
import * as Content from "@fiscal-connector/core/unstable/source/FileContent"
import { Effect, FileSystem, Stream } from "effect"

export type { Content } from "@fiscal-connector/core/unstable/source/FileContent"

export const of = (file: string): Effect.Effect<Content.Content, never, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.map(
      Effect.orElseSucceed(
        Stream.runCollect(Stream.take(fs.stream(file, { bytesToRead: Content.head, chunkSize: Content.head }), 1)),
        (): ReadonlyArray<Uint8Array> => []
      ),
      ([first = new Uint8Array()]) => Content.of(first)
    )
  )

/** Writes a zip archive as a stream, uncompressed: a PDF is already compressed. */
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import type { PassThrough } from "node:stream"
import { ZipFile as Archive } from "yazl"

export interface ZipFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** 1 January 1980 for every file: the document contains its creation time. */
const options = { compress: false, mtime: new Date(Date.UTC(1980, 0, 1, 12)), forceDosTimestamp: true }

/** Returns the archive in pieces. Only one file is in memory, and each is smaller than 1 GB. */
export const write = <E, R>(files: Stream.Stream<ZipFile, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const archive = new Archive()
    const out = archive.outputStream as PassThrough
    const add = ({ bytes, name }: ZipFile) =>
      Effect.callback<void>((resume) => {
        archive.addBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), name, options)
        if (out.writableNeedDrain) out.once("drain", () => resume(Effect.void))
        else resume(Effect.void)
      })
    const filling = Effect.andThen(
      Stream.runForEach(files, add),
      Effect.sync(() => archive.end())
    )
    const written = Stream.fromAsyncIterable<Uint8Array, unknown>(out, (cause) => cause)
    return Stream.merge(Stream.orDie(written), Stream.drain(Stream.fromEffect(filling)))
  })

/** The first bytes decide if a file is gzip, not the file name. */
import { Array as Arr, Effect, Option, Stream } from "effect"
import { Buffer } from "node:buffer"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { AdapterError, adapterErrorOf, type InputFile, InputFailed } from "./Adapter.ts"

/** Returns the first `size` bytes of a file; fewer if the file is shorter. */
export const head = (file: InputFile, size: number): Effect.Effect<Uint8Array, AdapterError> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let length = 0
    return file.bytes.pipe(
      Stream.runForEachWhile((chunk) =>
        Effect.sync(() => {
          chunks.push(chunk)
          return (length += chunk.length) < size
        })
      ),
      Effect.map(() => Buffer.concat(chunks).subarray(0, size))
    )
  })

/**
 * Returns the file itself, or its unpacked content. Fails with `InputFailed` if the archive is
 * damaged.
 */
export const decompressed =
  (adapter: string) =>
  (file: InputFile): InputFile => ({
    name: file.name,
    bytes: Stream.unwrap(
      Effect.map(head(file, 2), (magic) =>
        magic[0] === 0x1f && magic[1] === 0x8b ? gunzip(file, adapter) : file.bytes
      )
    )
  })

const gunzip = (file: InputFile, adapter: string): Stream.Stream<Uint8Array, AdapterError> =>
  Stream.suspend(() => {
    const source = Readable.from(Stream.toAsyncIterable(file.bytes), { objectMode: false })
    const plain = createGunzip()
    source.once("error", (cause) => plain.destroy(cause))
    plain.once("close", () => source.destroy())
    source.pipe(plain)
    return Stream.fromAsyncIterable<Uint8Array, AdapterError>(plain, (cause) =>
      Option.getOrElse(
        adapterErrorOf(cause),
        () =>
          new AdapterError({
            adapter,
            reason: new InputFailed({
              file: file.name,
              problem: `cannot be unpacked: ${cause instanceof Error ? cause.message : "damaged"}`
            })
          })
      )
    )
  })

/** Maximum bytes of a chunk. Planning JSON takes an eighth less CPU time with such chunks. */
const piece = 1 << 15

/**
 * Splits the bytes into chunks of at most 32 KiB. Objects made from one chunk live as long as the
 * chunk, and survivors of two young-generation collections stay until a full collection.
 */
export const inPieces = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E> =>
  bytes.pipe(
    Stream.mapArray((chunks) =>
      Arr.flatMap(chunks, (chunk) =>
        Arr.makeBy(Math.ceil(chunk.length / piece), (i) => chunk.subarray(i * piece, (i + 1) * piece))
      )
    ),
    Stream.rechunk(1)
  )

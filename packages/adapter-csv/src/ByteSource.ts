/** The bytes of a file as the scanner wants them: unpacked, without what stands before the first record, UTF-16 as UTF-8. */
import { AdapterError, type InputFile, InputFailed } from "@fiscal-connector/core/source/Adapter"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { type Encoding, scanned } from "./Encoding.ts"

/** The first bytes of a file; fewer where it is shorter. */
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

/** The file itself, or what is in it where it begins as gzip does. Fails with `InputFailed` where the archive is damaged. */
export const unpacked = (file: InputFile): InputFile => ({
  name: file.name,
  bytes: Stream.unwrap(
    Effect.map(head(file, 2), (magic) => (magic[0] === 0x1f && magic[1] === 0x8b ? gunzip(file) : file.bytes))
  )
})

const gunzip = (file: InputFile): Stream.Stream<Uint8Array, AdapterError> =>
  Stream.suspend(() => {
    const source = Readable.from(Stream.toAsyncIterable(file.bytes), { objectMode: false })
    const plain = createGunzip()
    source.once("error", (cause) => plain.destroy(cause))
    plain.once("close", () => source.destroy())
    source.pipe(plain)
    return Stream.fromAsyncIterable<Uint8Array, AdapterError>(plain, (cause) =>
      cause instanceof AdapterError
        ? cause
        : new AdapterError({
            adapter: "csv",
            reason: new InputFailed({
              file: file.name,
              problem: `cannot be unpacked: ${cause instanceof Error ? cause.message : "damaged"}`
            })
          })
    )
  })

/** The bytes from `offset` on; UTF-16 arrives as UTF-8. */
export const scannable = (
  file: InputFile,
  encoding: Encoding,
  offset: number
): Stream.Stream<Uint8Array, AdapterError> =>
  Stream.suspend(() => {
    let toSkip = offset
    const own = file.bytes.pipe(
      Stream.map((chunk) => {
        const rest = chunk.subarray(toSkip)
        toSkip -= chunk.length - rest.length
        return rest
      })
    )
    return scanned(encoding) === encoding ? own : transcoded(own, encoding)
  })

const transcoded = (bytes: Stream.Stream<Uint8Array, AdapterError>, encoding: Encoding) => {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  const encoder = new TextEncoder()
  return bytes.pipe(
    Stream.map((chunk) => encoder.encode(decoder.decode(chunk, { stream: true }))),
    Stream.concat(Stream.sync(() => encoder.encode(decoder.decode())))
  )
}

/** Bytes of a head as the scanner wants them. */
export const scannableHead = (head: Uint8Array, encoding: Encoding): Uint8Array =>
  scanned(encoding) === encoding
    ? head
    : new TextEncoder().encode(new TextDecoder(encoding, { ignoreBOM: true }).decode(head, { stream: true }))

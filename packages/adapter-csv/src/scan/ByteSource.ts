/** The bytes of a file as the scanner wants them: unpacked, without what stands before the first record, UTF-16 as UTF-8. */
import type { AdapterError, InputFile } from "@fiscal-connector/core/source/Adapter"
import * as Decompression from "@fiscal-connector/core/source/Decompression"
import { Array as Arr, Stream } from "effect"
import { type Encoding, scanned } from "./Encoding.ts"
import { isTable } from "./Table.ts"

export const { head } = Decompression

/** The file itself, or what is in it where it is packed. */
export const decompressed = <File extends InputFile>(file: File): InputFile =>
  isTable(file) ? file : Decompression.decompressed("csv")(file)

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

const piece = 1 << 15

/**
 * The same bytes, at most 32 KiB at a time: what is made of one piece is alive together, and what lives through two collections of young
 * garbage stays until a full one.
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

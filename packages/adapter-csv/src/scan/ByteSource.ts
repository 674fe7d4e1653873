/**
 * Prepares the bytes of a file for the scanner: unpacked, without the part before the first record,
 * UTF-16 as UTF-8.
 */
import type { AdapterError, InputFile } from "@fiscal-connector/core/source/Adapter"
import * as Decompression from "@fiscal-connector/core/source/Decompression"
import { Stream } from "effect"
import { type Encoding, scanned } from "./Encoding.ts"
import { isTable } from "./Table.ts"

export const { head, inPieces } = Decompression

/** Returns the file itself, or its unpacked content. */
export const decompressed = <File extends InputFile>(file: File): InputFile =>
  isTable(file) ? file : Decompression.decompressed("csv")(file)

/** Returns the bytes from `offset` on, UTF-16 converted to UTF-8. */
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

/** Converts the first bytes of a file for the scanner. */
export const scannableHead = (head: Uint8Array, encoding: Encoding): Uint8Array =>
  scanned(encoding) === encoding
    ? head
    : new TextEncoder().encode(new TextDecoder(encoding, { ignoreBOM: true }).decode(head, { stream: true }))

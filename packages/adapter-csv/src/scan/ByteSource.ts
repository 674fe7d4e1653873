import { type Adapter, Decompression } from "@fiscal-connector/core/adapter"
import { Stream } from "effect"
import { decoderOf, type Encoding, scanned } from "./Encoding.ts"
import { isTable } from "./Table.ts"

export const { head, inPieces } = Decompression

export const decompressed = <File extends Adapter.InputFile>(file: File): Adapter.InputFile =>
  isTable(file) ? file : Decompression.decompressed("csv")(file)

/** Returns the bytes from `offset` on, UTF-16 converted to UTF-8. */
export const scannable = (
  file: Adapter.InputFile,
  encoding: Encoding,
  offset: number
): Stream.Stream<Uint8Array, Adapter.AdapterError> =>
  Stream.suspend(() => {
    let toSkip = offset
    const own = file.bytes.pipe(
      Stream.map((chunk) => {
        const rest = chunk.subarray(toSkip)
        toSkip -= chunk.length - rest.length
        return rest
      })
    )
    if (scanned(encoding) === encoding) return own
    const take = transcoder(encoding)
    return Stream.concat(
      Stream.map(own, (chunk) => take(chunk)),
      Stream.sync(() => take())
    )
  })

export const transcoder = (encoding: Encoding): ((chunk?: Uint8Array) => Uint8Array) => {
  const encoder = new TextEncoder()
  const decode = decoderOf(encoding)
  return (chunk) => encoder.encode(decode(chunk))
}

export const scannableHead = (head: Uint8Array, encoding: Encoding): Uint8Array =>
  scanned(encoding) === encoding ? head : new TextEncoder().encode(decoderOf(encoding)(head))

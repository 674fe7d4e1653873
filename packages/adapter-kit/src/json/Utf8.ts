import { TextDecoder } from "node:util"

/**
 * Converts the bytes of a file to UTF-8, chunk by chunk. Removes a byte order mark, and transcodes
 * UTF-16 (written by some shells).
 */
export class Utf8 {
  /** First bytes, until the presence of a byte order mark is known. */
  private head: Uint8Array | undefined = new Uint8Array(0)
  private utf16: TextDecoder | undefined

  push(chunk: Uint8Array): Uint8Array {
    if (this.head === undefined) return this.transcode(chunk)
    const known = new Uint8Array(this.head.length + chunk.length)
    known.set(this.head)
    known.set(chunk, this.head.length)
    this.head = known.length < 3 ? known : undefined
    return this.head === undefined ? this.transcode(this.withoutMark(known)) : new Uint8Array(0)
  }

  finish(): Uint8Array {
    const rest = this.head === undefined ? new Uint8Array(0) : this.withoutMark(this.head)
    this.head = undefined
    return this.utf16 === undefined ? rest : new TextEncoder().encode(this.utf16.decode(rest))
  }

  private withoutMark(bytes: Uint8Array): Uint8Array {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3)
    const label =
      bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : ""
    if (label === "") return bytes
    this.utf16 = new TextDecoder(label)
    return bytes.subarray(2)
  }

  private transcode(bytes: Uint8Array): Uint8Array {
    return this.utf16 === undefined ? bytes : new TextEncoder().encode(this.utf16.decode(bytes, { stream: true }))
  }
}

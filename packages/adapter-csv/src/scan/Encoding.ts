/** Supported encodings of a file, and the decoding of cells. */
import { Buffer } from "node:buffer"

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "iso-8859-1" | "gbk"

export const encodings: ReadonlyArray<Encoding> = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1", "gbk"]

export interface ByteOrderMark {
  readonly encoding: Encoding
  readonly length: number
}

/** Returns the byte order mark at the start of a file. */
export const byteOrderMark = (head: Uint8Array): ByteOrderMark | undefined => {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: "utf-8", length: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: "utf-16le", length: 2 }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: "utf-16be", length: 2 }
  return undefined
}

/** Returns the encoding of the scanner's bytes: UTF-16 is converted to UTF-8 before the scanner. */
export const scanned = (encoding: Encoding): Encoding =>
  encoding === "utf-16le" || encoding === "utf-16be" ? "utf-8" : encoding

/**
 * Characters 0x80 to 0x9F of Windows-1252; the five unassigned bytes stay control characters, as in
 * ISO-8859-1.
 */
const windows = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"

const fromWindows = (latin1: string): string =>
  latin1.replaceAll(/[\x80-\x9f]/g, (c) => windows.charAt(c.charCodeAt(0) - 0x80))

const gbk = new TextDecoder("gbk")

/**
 * Decodes the bytes of a cell, each given as one character. Bytes invalid in the encoding become
 * U+FFFD.
 */
export const decode = (latin1: string, encoding: Encoding): string => {
  switch (scanned(encoding)) {
    case "windows-1252":
      return fromWindows(latin1)
    case "iso-8859-1":
      return latin1
    case "gbk":
      return gbk.decode(Buffer.from(latin1, "latin1"))
    default:
      return Buffer.from(latin1, "latin1").toString("utf8")
  }
}

/**
 * By the first bytes: a workbook, JSON, or a table in text. The workbook reader names all other
 * kinds.
 */
import { Effect, FileSystem, type PlatformError, Stream } from "effect"
import { gunzipSync } from "node:zlib"

/**
 * Kind of content. `other`: a file of another kind, such as a PDF or a workbook of the old format.
 */
export type Content = "workbook" | "json" | "text" | "other" | "empty"

const head = 64 * 1024

/** Unpacks the beginning of a gzip file; the rest of the packed file is missing. */
const unpacked = (bytes: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(bytes, { finishFlush: 2 })
  } catch {
    return bytes
  }
}

const isWide = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

const begins = (bytes: Uint8Array, start: ReadonlyArray<number>): boolean => start.every((byte, i) => bytes[i] === byte)

const others = [
  [0x25, 0x50, 0x44, 0x46],
  [0xd0, 0xcf, 0x11, 0xe0]
]

export const of = (first: Uint8Array): Content => {
  const bytes = begins(first, [0x1f, 0x8b]) ? unpacked(first) : first
  if (bytes.length === 0) return "empty"
  if (begins(bytes, [0x50, 0x4b])) return "workbook"
  if (others.some((start) => begins(bytes, start))) return "other"
  const text = new TextDecoder(isWide(bytes) ? "utf-16le" : "utf-8").decode(bytes)
  return /^\s*[[{]/.test(text) ? "json" : "text"
}

/** Returns the kind of content of a file, by its first bytes. */
export const ofFile = (file: string): Effect.Effect<Content, PlatformError.PlatformError, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.map(
      Stream.runCollect(Stream.take(fs.stream(file, { bytesToRead: head, chunkSize: head }), 1)),
      ([first = new Uint8Array()]) => of(first)
    )
  )

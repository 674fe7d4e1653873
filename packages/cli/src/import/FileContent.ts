/** What a file is by its first bytes: a workbook, JSON, or a table in text. */
import { Effect, FileSystem, Stream } from "effect"
import { gunzipSync } from "node:zlib"
import { Quit } from "../output/Quit.ts"
import { systemText } from "../output/SystemText.ts"

export type Content = "workbook" | "json" | "text" | "empty"

const head = 64 * 1024

/** Only what came is unpacked: the rest of the file is missing. */
const unpacked = (bytes: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(bytes, { finishFlush: 2 })
  } catch {
    return bytes
  }
}

const isWide = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

/** Fails with Quit where the file cannot be read. */
export const of = (file: string): Effect.Effect<Content, Quit, FileSystem.FileSystem> =>
  FileSystem.FileSystem.use((fs) =>
    Effect.map(
      Effect.mapError(
        Stream.runCollect(Stream.take(fs.stream(file, { bytesToRead: head, chunkSize: head }), 1)),
        (error) => new Quit({ code: 1, text: systemText(error, "read") })
      ),
      ([first = new Uint8Array()]): Content => {
        const bytes = first[0] === 0x1f && first[1] === 0x8b ? unpacked(first) : first
        if (bytes.length === 0) return "empty"
        if (bytes[0] === 0x50 && bytes[1] === 0x4b) return "workbook"
        const text = new TextDecoder(isWide(bytes) ? "utf-16le" : "utf-8").decode(bytes)
        return /^\s*[[{]/.test(text) ? "json" : "text"
      }
    )
  )

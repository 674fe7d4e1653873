/** What an import was made of: whoever shows later what became of it says by it which files, settings and book were used. */
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import type { Destination } from "../account/Destination.ts"
import type { Instant } from "../document/Instant.ts"
import type { AdapterError, InputFile } from "../source/Adapter.ts"

/** A file as it was read: its name, its size, and the SHA-256 of its bytes, by which anybody can tell whether another file is the same. */
export interface FileRecord {
  readonly name: string
  readonly bytes: number
  /** 64 hexadecimal digits, as `sha256sum` prints them. */
  readonly sha256: string
}

/** What an import was made of. */
export interface ImportRecord {
  /** When it was planned, in the book's zone. */
  readonly at: Instant
  /** Where it went: account, taxpayer, device and environment. */
  readonly destination: Destination
  /** By which adapter the files were read. */
  readonly adapter: string
  readonly files: ReadonlyArray<FileRecord>
  readonly book: FileRecord | null
  /** What a person has said about how the files are to be read, by the names the adapter has for it. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** Reads the file once. */
export const fileRecord = ({ bytes, name }: InputFile): Effect.Effect<FileRecord, AdapterError> =>
  Effect.suspend(() => {
    const digest = createHash("sha256")
    let size = 0
    return Stream.runForEach(bytes, (chunk) =>
      Effect.sync(() => {
        digest.update(chunk)
        size += chunk.length
      })
    ).pipe(Effect.map(() => ({ name, bytes: size, sha256: digest.digest("hex") })))
  })

/** The same of a text that was read already. */
export const textRecord = (name: string, text: string): FileRecord => {
  const bytes = new TextEncoder().encode(text)
  return { name, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }
}

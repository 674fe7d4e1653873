/** Recorded so that later reports can name the inputs. */
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import type { AdapterError, InputFile } from "../source/Adapter.ts"
import type { FileRecord, ImportMade } from "../submission/KeptImport.ts"

export type { FileRecord } from "../submission/KeptImport.ts"

/** Inputs of an import. */
export type ImportRecord = ImportMade

/** Reads the file once and records name, size and SHA-256. */
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

/** Records a text that was already read. */
export const textRecord = (name: string, text: string): FileRecord => {
  const bytes = new TextEncoder().encode(text)
  return { name, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }
}

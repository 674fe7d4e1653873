/**
 * Stores the pages of a source as temporary files during a run, readable by the owner only: an
 * adapter reads its input more than once.
 */
import { Effect, FileSystem, type PlatformError, type Scope, Stream } from "effect"
import { AdapterError, InputFailed, type InputFile } from "../source/Adapter.ts"
import type { LivePage } from "../source/LiveSource.ts"

export interface RecordSpool {
  keep(asked: string, page: Pick<LivePage, "bytes">): Effect.Effect<void, AdapterError>
  readonly files: () => ReadonlyArray<InputFile>
}

const failed = (source: string, file: string) => (error: PlatformError.PlatformError) =>
  new AdapterError({
    adapter: source,
    reason: new InputFailed({ file, problem: `a page of the source cannot be kept (${error.reason._tag})` })
  })

export const make = (
  source: string,
  name: string
): Effect.Effect<RecordSpool, AdapterError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* Effect.mapError(
      fs.makeTempDirectoryScoped({ prefix: "connector-sync-" }),
      failed(source, name)
    )
    const files: Array<InputFile> = []
    return {
      files: () => files,
      keep: (asked, { bytes }) => {
        const file = `${name}/${asked}-${files.length + 1}.json`
        const path = `${folder}/${files.length + 1}.json`
        files.push({
          name: file,
          bytes: fs.stream(path, { chunkSize: 256 * 1024 }).pipe(Stream.mapError(failed(source, file)))
        })
        return Effect.mapError(fs.writeFile(path, bytes, { mode: 0o600 }), failed(source, file))
      }
    }
  })

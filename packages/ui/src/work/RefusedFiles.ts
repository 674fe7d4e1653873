/**
 * Files of refused rows, for correction and another import. They are stored beside the mapping
 * book, so that they survive a restart of the page. Their contents name people, so only the owner
 * can read them, and they are removed after 30 days.
 */
import type { Adapter } from "@fiscal-connector/core/adapter"
import type { KeptImport } from "@fiscal-connector/core/host"
import { DateTime, Duration, Effect, FileSystem, Option, Path, Stream } from "effect"
import type { Format } from "./Workplace.ts"

const kept = Duration.days(30)

type ImportIdentity = Pick<KeptImport.KeptImport, "id" | "at">

const nameOf = ({ at, id }: ImportIdentity, ending: string): string => `import-${id}-${at.epochMilliseconds}${ending}`

/** Opens the folder and removes old files. `folder`: created with the first file. */
export const make = (folder: string, formats: ReadonlyArray<Pick<Format, "ending">>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { join } = yield* Path.Path
    const endings = [...new Set(formats.map(({ ending }) => ending))]
    const removeOld = Effect.gen(function* () {
      const now = yield* DateTime.now
      for (const name of yield* fs.readDirectory(folder)) {
        if (!/^import-\d+-\d+\.\w+$/.test(name)) continue
        const { mtime } = yield* fs.stat(join(folder, name))
        if (Option.exists(mtime, (at) => now.epochMilliseconds - at.getTime() > Duration.toMillis(kept)))
          yield* fs.remove(join(folder, name))
      }
    })
    yield* Effect.ignore(removeOld)
    return {
      write: <E, R>(
        named: ImportIdentity,
        { adapter, ending }: Pick<Format, "adapter" | "ending">,
        refused: Stream.Stream<Adapter.RefusedDocument, E, R>
      ) =>
        Effect.gen(function* () {
          if (adapter.writeRefused === undefined) return
          yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
          const context = yield* Effect.context<R>()
          const bytes = adapter.writeRefused(Stream.orDie(Stream.provideContext(refused, context)))
          yield* Stream.run(bytes, fs.sink(join(folder, nameOf(named, ending)), { mode: 0o600 }))
        }),
      /** Returns the file of an import. Null if the file never existed or was removed. */
      find: (named: ImportIdentity) =>
        Effect.gen(function* () {
          for (const ending of endings) {
            const path = join(folder, nameOf(named, ending))
            if (yield* Effect.orElseSucceed(fs.exists(path), () => false)) return { path, ending }
          }
          return null
        })
    }
  })

export type RefusedFiles = Effect.Success<ReturnType<typeof make>>

/**
 * Refused documents with the source's columns and the reason, for correction and another import.
 * Only the owner may read the file.
 */
import { AtomicFile } from "@fiscal-connector/core/host"
import type { ImportPlan } from "@fiscal-connector/core/session"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, FileSystem, Path, Stream } from "effect"

type RefusedFailure = Stream.Error<ImportPlan.ImportPlan["refused"]>

export type WriteRefused = (refused: Stream.Stream<Adapter.RefusedDocument>) => Stream.Stream<Uint8Array>

/**
 * Returns the file's path: `x.refused.csv` beside `x.csv` and `x.csv.gz`, `refused.csv` in a folder
 * and for standard input. `ending`: ending of the adapter's files.
 */
export const beside = Effect.fnUntraced(function* (named: string, ending: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (named === "-") return `refused${ending}`
  if ((yield* fs.stat(named)).type === "Directory") return path.join(named, `refused${ending}`)
  const [whole, own = ending] = /(\.[^.]*?)?(\.gz)?$/i.exec(path.basename(named)) ?? [""]
  // the written workbook has no macros
  const extension = /^\.xlsm$/i.test(own) ? ending : own
  return path.join(path.dirname(named), `${path.basename(named, whole)}.refused${extension}`)
})

/**
 * Writes the refused documents to `target` and returns its name. Returns undefined and leaves no
 * file if the adapter has nothing to write back (a record that is not JSON). Reads the export
 * again.
 */
export const write = Effect.fnUntraced(function* (
  { refused }: Pick<ImportPlan.ImportPlan, "refused">,
  target: string,
  writeRefused: WriteRefused
) {
  const fs = yield* FileSystem.FileSystem
  let readable: Effect.Effect<void, RefusedFailure> = Effect.void
  const asFarAsReadable = Stream.catch(refused, (error) => {
    readable = Effect.fail(error)
    return Stream.empty
  })
  let size = 0
  const counted = Stream.tap(writeRefused(asFarAsReadable), (bytes) => Effect.sync(() => (size += bytes.length)))
  yield* AtomicFile.write(target, (unfinished) =>
    Effect.andThen(
      Stream.run(counted, fs.sink(unfinished, { mode: 0o600 })),
      Effect.suspend(() => readable)
    )
  )
  if (size > 0) return target
  yield* fs.remove(target)
  return undefined
})

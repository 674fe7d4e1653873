/** The file with what was refused: the source's own columns plus the reason, to correct and import again. Only its owner may read it. */
import type { ImportPlan } from "@fiscal-connector/core/import/ImportPlan"
import type { RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import { Effect, FileSystem, Path, Stream } from "effect"

type Failure = Stream.Error<ImportPlan["refused"]>

export type WriteRefused = (refused: Stream.Stream<RefusedDocument>) => Stream.Stream<Uint8Array>

/** Writes `x.refused.csv` beside `x.csv`, and says which. Reads the export again. */
export const write = Effect.fnUntraced(function* (
  { refused }: Pick<ImportPlan, "refused">,
  file: string,
  writeRefused: WriteRefused
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = path.basename(file)
  const target = path.join(
    path.dirname(file),
    name.replace(/(\.[^.]*)?$/, (extension) => `.refused${extension}`)
  )
  // whole or not at all, so that an interrupted run leaves no half a file
  const unfinished = `${target}.part`
  let readable: Effect.Effect<void, Failure> = Effect.void
  const asFarAsReadable = Stream.catch(refused, (error) => {
    readable = Effect.fail(error)
    return Stream.empty
  })
  yield* Stream.run(writeRefused(asFarAsReadable), fs.sink(unfinished, { mode: 0o600 }))
  yield* readable
  yield* fs.rename(unfinished, target)
  return target
})

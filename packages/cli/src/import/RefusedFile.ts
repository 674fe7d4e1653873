/** The file with what was refused: the source's own columns plus the reason, to correct and import again. Only its owner may read it. */
import { refuses } from "@fiscal-connector/core/finding/Finding"
import type { ImportPlan } from "@fiscal-connector/core/import/ImportPlan"
import type { RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import { Effect, FileSystem, Path, Stream } from "effect"

export type WriteRefused = (refused: Stream.Stream<RefusedDocument>) => Stream.Stream<Uint8Array>

/** Writes `x.refused.csv` beside `x.csv`, and says which; undefined when nothing was refused. */
export const write = Effect.fnUntraced(function* (
  { entries, strays }: Pick<ImportPlan, "entries" | "strays">,
  file: string,
  writeRefused: WriteRefused
) {
  const refused = [
    ...entries.flatMap((entry) =>
      entry._tag === "Refused" ? [{ reading: entry.source, findings: entry.findings }] : []
    ),
    ...strays.filter(refuses).map((finding) => ({ reading: finding, findings: [finding] }))
  ]
  if (refused.length === 0) return undefined
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = path.basename(file)
  const target = path.join(
    path.dirname(file),
    name.replace(/(\.[^.]*)?$/, (extension) => `.refused${extension}`)
  )
  // whole or not at all, so that an interrupted run leaves no half a file
  const unfinished = `${target}.part`
  yield* Stream.run(writeRefused(Stream.fromIterable(refused)), fs.sink(unfinished, { mode: 0o600 }))
  yield* fs.rename(unfinished, target)
  return target
})

/** `--report FILE`: one HTML file with what an import came to, whole or not at all, for its owner only. */
import type { Report } from "@fiscal-connector/ui/Report"
import { Effect, FileSystem, Stream } from "effect"

/** Writes the report to `target`, in the place of an earlier one. */
export const write = <E, R>(target: string, report: Report<E, R>) =>
  Effect.gen(function* () {
    // loaded only where one is asked for
    const Report = yield* Effect.promise(() => import("@fiscal-connector/ui/Report"))
    const fs = yield* FileSystem.FileSystem
    const unfinished = `${target}.part`
    yield* Stream.run(Stream.encodeText(Report.write(report)), fs.sink(unfinished, { mode: 0o600 })).pipe(
      Effect.andThen(fs.rename(unfinished, target)),
      Effect.onError(() => Effect.ignore(fs.remove(unfinished, { force: true })))
    )
    return target
  })

/** `--report FILE`: one HTML file with what an import came to, whole or not at all, for its owner only. */
import * as WholeFile from "@fiscal-connector/core/unstable/file/WholeFile"
import type { Report } from "@fiscal-connector/ui/Report"
import { Effect, FileSystem, Stream } from "effect"

/** Writes the report to `target`, in the place of an earlier one. */
export const write = <E, R>(target: string, report: Report<E, R>) =>
  Effect.gen(function* () {
    // loaded only where one is asked for
    const Report = yield* Effect.promise(() => import("@fiscal-connector/ui/Report"))
    const fs = yield* FileSystem.FileSystem
    yield* WholeFile.write(target, (unfinished) =>
      Stream.run(Stream.encodeText(Report.write(report)), fs.sink(unfinished, { mode: 0o600 }))
    )
    return target
  })

/**
 * Writes the HTML file of `--report FILE` with the result of an import. The write is atomic, and
 * only the owner may read the file.
 */
import * as AtomicFile from "@fiscal-connector/core/unstable/file/AtomicFile"
import type { Report } from "@fiscal-connector/ui/Report"
import { Effect, FileSystem, Path, Stream } from "effect"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"

/** Fails before anything is sent if the report could not be written. */
export const room = Effect.fnUntraced(function* (report: string) {
  const path = yield* Path.Path
  const folder = path.dirname(report)
  const refused = (because: string) => new ExitError({ code: 1, text: `Nothing was sent: ${because}` })
  if (!(yield* FileSystem.FileSystem.use((fs) => fs.exists(folder))))
    return yield* refused(
      `the report ${report} cannot be written, since there is no folder ${folder}. Make it, or name another place with --report.`
    )
  yield* Effect.mapError(AtomicFile.mayReplace(report), (error) =>
    refused(`the report cannot be written there. ${systemText(error)} Name another place with --report.`)
  )
})

/** Writes the report to `target`, replacing an earlier one. */
export const write = <E, R>(target: string, report: Report<E, R>) =>
  Effect.gen(function* () {
    // loaded only if a report is requested
    const Report = yield* Effect.promise(() => import("@fiscal-connector/ui/Report"))
    const fs = yield* FileSystem.FileSystem
    yield* AtomicFile.write(target, (unfinished) =>
      Stream.run(Stream.encodeText(Report.write(report)), fs.sink(unfinished, { mode: 0o600 }))
    )
    return target
  })

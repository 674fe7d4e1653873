/** `--report FILE`: one HTML file with what an import came to, whole or not at all, for its owner only. */
import * as WholeFile from "@fiscal-connector/core/unstable/file/WholeFile"
import type { Report } from "@fiscal-connector/ui/Report"
import { Effect, FileSystem, Path, Stream } from "effect"
import { Quit } from "../output/Quit.ts"
import { systemText } from "../output/SystemText.ts"

/** A report that could not be written is known before anything is sent. */
export const room = Effect.fnUntraced(function* (report: string) {
  const path = yield* Path.Path
  const folder = path.dirname(report)
  const refused = (because: string) => new Quit({ code: 1, text: `Nothing was sent: ${because}` })
  if (!(yield* FileSystem.FileSystem.use((fs) => fs.exists(folder))))
    return yield* refused(
      `the report ${report} cannot be written, since there is no folder ${folder}. Make it, or name another place with --report.`
    )
  yield* Effect.mapError(WholeFile.mayReplace(report), (error) =>
    refused(`the report cannot be written there. ${systemText(error)} Name another place with --report.`)
  )
})

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

/**
 * Files of `--report FILE` and `--receipts FILE`: written atomically, and only the owner may read
 * them.
 */
import { AtomicFile } from "@fiscal-connector/core/host"
import type { Report } from "@fiscal-connector/ui/Report"
import { Effect, Equal, FileSystem, Option, Path, Stream } from "effect"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"

/** Fails before anything is sent. `exported`: files of the export, which are never replaced. */
export const room = Effect.fnUntraced(function* (
  flag: "report" | "receipts",
  file: string,
  exported: ReadonlyArray<string> = []
) {
  const what = flag === "report" ? "report" : "file with the receipts"
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(file)
  const refused = (because: string) => new ExitError({ code: 1, text: `Nothing was sent: ${because}` })
  if (!(yield* fs.exists(folder)))
    return yield* refused(
      `the ${what} ${file} cannot be written, since there is no folder ${folder}. Make it, or name another place with --${flag}.`
    )
  yield* Effect.mapError(AtomicFile.mayReplace(file), (error) =>
    refused(`the ${what} cannot be written there. ${systemText(error)} Name another place with --${flag}.`)
  )
  const real = (name: string) => Effect.option(fs.realPath(name))
  const there = yield* real(file)
  for (const name of exported)
    if (Option.isSome(there) && Equal.equals(there, yield* real(name)))
      return yield* refused(`the ${what} ${file} is the export itself. Name another place with --${flag}.`)
})

export const write = <E, R>(target: string, report: Report<E, R>) =>
  Effect.gen(function* () {
    // loaded only if a report is requested
    const Report = yield* Effect.promise(() => import("@fiscal-connector/ui/Report"))
    return yield* writeBytes(target, Stream.encodeText(Report.write(report)))
  })

export const writeBytes = <E, R>(target: string, bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* AtomicFile.write(target, (unfinished) => Stream.run(bytes, fs.sink(unfinished, { mode: 0o600 })))
    return target
  })

/** What credit notes credit, settled by hand: in a file for many, by a flag for one, which goes first. */
import * as OriginalsFile from "@fiscal-connector/core/unstable/import/OriginalsFile"
import { Effect, FileSystem, Option } from "effect"
import { Quit } from "../output/Quit.ts"

export const settled = Effect.fnUntraced(function* (
  file: Option.Option<string>,
  flags: Option.Option<Readonly<Record<string, string>>>
) {
  const ofFlags = Object.entries(Option.getOrElse(flags, () => ({})))
  if (Option.isNone(file)) return new Map<string, string>(ofFlags)
  const text = yield* FileSystem.FileSystem.use((files) => files.readFileString(file.value)).pipe(
    Effect.mapError(() => new Quit({ code: 1, text: `${file.value}: the file cannot be read.` }))
  )
  const ofFile = yield* Effect.mapError(Effect.fromResult(OriginalsFile.parse(text)), (problems) => {
    const said = problems.slice(0, 20).map(({ line, problem }) => `${file.value}:${line}: ${problem}`)
    return new Quit({ code: 1, text: `Nothing was sent.\n${said.join("\n")}` })
  })
  return new Map<string, string>([...ofFile, ...ofFlags])
})

/** Originals of credit notes settled by hand: a file for many, a flag for one. The flag wins. */
import { TextFile } from "@fiscal-connector/core/host"
import { OriginalsFile } from "@fiscal-connector/core/host/import"
import { Effect, Option } from "effect"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"

export const settled = Effect.fnUntraced(function* (
  file: Option.Option<string>,
  flags: Option.Option<Readonly<Record<string, string>>>
) {
  const ofFlags = Object.entries(Option.getOrElse(flags, () => ({})))
  if (Option.isNone(file)) return new Map<string, string>(ofFlags)
  const text = yield* Effect.mapError(
    TextFile.read(file.value),
    (error) => new ExitError({ code: 1, text: `Nothing was sent. ${systemText(error)}` })
  )
  const ofFile = yield* Effect.mapError(Effect.fromResult(OriginalsFile.parse(text)), (problems) => {
    const listed = problems.slice(0, 20).map(({ line, text }) => `${file.value}:${line}: ${text}`)
    return new ExitError({ code: 1, text: `Nothing was sent.\n${listed.join("\n")}` })
  })
  return new Map<string, string>([...ofFile, ...ofFlags])
})

/** Detects an unnamed format by content, and for JSON by the documents that each format finds. */
import type { FileContent as SourceFileContent } from "@fiscal-connector/core/host"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Recognition } from "@fiscal-connector/core/host/import"
import { Effect, FileSystem, Path } from "effect"
import * as Format from "../../adapter/Format.ts"
import { formats } from "../../format/Formats.ts"
import * as FileContent from "../../import/FileContent.ts"
import * as InputFiles from "../../import/InputFiles.ts"
import { Call } from "../../output/Call.ts"
import { ExitError } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"

export interface RecognizedFormat {
  readonly format: string
  readonly draft: Adapter.BookDraft | undefined
}

const formatsOf = (content?: SourceFileContent.Content) =>
  Effect.promise(() =>
    Promise.all(formats.filter((row) => content === undefined || row.content === content).map(Format.of))
  )

const openAs = ({ adapter, extensions }: Format.Format, file: string) =>
  InputFiles.open(adapter.name, [file], extensions)

const contentOf = (
  file: string
): Effect.Effect<SourceFileContent.Content | undefined, ExitError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const type = yield* Effect.orElseSucceed(
      Effect.map(fs.stat(file), (stat) => stat.type),
      () => "File" as const
    )
    if (type !== "Directory") {
      const content = yield* FileContent.of(file)
      return content === "empty" ? undefined : content
    }
    const inside = (yield* Effect.orElseSucceed(fs.readDirectory(file), (): Array<string> => [])).toSorted()
    const all = yield* formatsOf()
    const first = inside.find((name) => all.some(({ extensions }) => extensions.test(name)))
    return first === undefined ? undefined : yield* contentOf(path.join(file, first))
  })

const nothingIn = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { type } = yield* fs.stat(file)
  const text =
    type === "Directory"
      ? `There is no export in the folder ${file}.`
      : `${file} is empty: nothing was read. Export it again.`
  return yield* new ExitError({ code: 1, text: printable(text) })
})

export const formatOf = Effect.fnUntraced(function* (file: string) {
  const content = yield* contentOf(file)
  if (content === undefined) return yield* nothingIn(file)
  // the workbook reader identifies content that is neither text nor JSON
  const named = content === "other" ? "workbook" : content
  const candidates = (yield* formatsOf(named)).map(Format.withDefaults)
  const best = yield* Recognition.best(candidates, (format) => openAs(format, file))
  if (best !== undefined) return best
  const call = yield* Call
  const tried = candidates.map(({ adapter }) => adapter.name).join(", ")
  const text = [
    `Nothing was sent: ${printable(file)} has a shape that no format reads. ${tried} found no issued invoice or credit note in it.`,
    "Export the invoices as CSV or Excel: start then asks what each column is.",
    "Or write an adapter of your own for this shape:",
    `  ${call.next({ command: ["adapter", "create"], operands: ["my-adapter"] })}`
  ].join("\n")
  return yield* new ExitError({ code: 1, text })
})

export const recognize = Effect.fnUntraced(function* (file: string) {
  const format = yield* formatOf(file)
  const { adapter, options } = format
  const drafted = Effect.flatMap(openAs(format, file), (input) => Recognition.draftOf(adapter, options, input))
  const draft = yield* Effect.catchTag(drafted, "AdapterError", () => Effect.undefined)
  return { format: adapter.name, draft } satisfies RecognizedFormat
})

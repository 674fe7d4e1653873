/**
 * Detects the format of an export if the operator does not name it: by content, and for JSON by the
 * documents that each format finds.
 */
import type { BookDraft } from "@fiscal-connector/core/source/Adapter"
import * as Recognition from "@fiscal-connector/core/unstable/question/Recognition"
import { Effect, FileSystem, Path } from "effect"
import * as FileContent from "../../import/FileContent.ts"
import * as InputFiles from "../../import/InputFiles.ts"
import { ExitError } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"
import { csv } from "../import/CsvCommand.ts"
import type { Source } from "../import/ImportCommand.ts"
import { adapters } from "../import/KitAdapterCommand.ts"
import { xeroLike } from "../import/XeroLikeCommand.ts"
import { xlsx } from "../import/XlsxCommand.ts"

/** A detected format with a draft of the mapping book for the export. */
export interface Recognised {
  readonly format: string
  /** Undefined if the way to read the export is still open; `plan` asks. */
  readonly draft: BookDraft | undefined
}

/** A format with options of an unknown type. */
export interface Format {
  readonly name: string
  readonly content: FileContent.Content
  readonly source: Source<unknown>
}

const of = <Options>(content: FileContent.Content, source: Source<Options>): Format => ({
  name: source.adapter.name,
  content,
  source: source as unknown as Source<unknown>
})

/** Formats with default settings. */
export const formats = Effect.gen(function* () {
  const kit = yield* Effect.forEach(Object.values(adapters), ({ source }) => source({}))
  return [
    of("text", { ...csv, options: {} }),
    of("workbook", { ...xlsx, options: {} }),
    of("json", { ...xeroLike, options: {} }),
    ...kit.map((one) => of("json", one))
  ]
})

/** Names of the formats that come with the command. */
export const names: ReadonlySet<string> = new Set(["csv", "xlsx", "xero-like", ...Object.keys(adapters)])

const openAs = ({ name, source }: Format, file: string) => InputFiles.open(name, [file], source.extensions)

/**
 * Returns the kind of content of an export, for a folder of its first file. Returns undefined if
 * the export is empty.
 */
const contentOf = (
  file: string
): Effect.Effect<FileContent.Content | undefined, ExitError, FileSystem.FileSystem | Path.Path> =>
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
    const all = yield* formats
    const first = inside.find((name) => all.some(({ source }) => source.extensions.test(name)))
    return first === undefined ? undefined : yield* contentOf(path.join(file, first))
  })

/** Ends the command: the folder or file has nothing to read. */
const nothingIn = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const { type } = yield* fs.stat(file)
  const text =
    type === "Directory"
      ? `There is no export in the folder ${file}.`
      : `${file} is empty: nothing was read. Export it again.`
  return yield* new ExitError({ code: 1, text: printable(text) })
})

/** Returns the format of an export. Fails with ExitError if no format reads the export. */
export const formatOf = Effect.fnUntraced(function* (file: string) {
  const all = yield* formats
  const content = yield* contentOf(file)
  // the workbook reader identifies content that is neither text nor JSON
  const named = content === "other" ? "workbook" : content
  const candidates = all.filter((format) => format.content === named).map((format) => ({ ...format.source, format }))
  const best = yield* Recognition.best(candidates, ({ format }) => openAs(format, file))
  if (best !== undefined) return best.format
  if (content === undefined) return yield* nothingIn(file)
  return yield* new ExitError({
    code: 1,
    text: `Nothing was sent: no issued document was found in ${file} by any of ${all.map(({ name }) => name).join(", ")}. \`connector plan FORMAT FILE\` says what each makes of it.`
  })
})

/** Returns the format of an export with a draft of its mapping book. */
export const recognise = Effect.fnUntraced(function* (file: string) {
  const format = yield* formatOf(file)
  const { adapter, options } = format.source
  const drafted = Effect.flatMap(openAs(format, file), (input) => Recognition.draftOf(adapter, options, input))
  const draft = yield* Effect.catchTag(drafted, "AdapterError", () => Effect.undefined)
  return { format: format.name, draft } satisfies Recognised
})

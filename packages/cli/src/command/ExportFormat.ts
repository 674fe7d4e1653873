/** By which format an export is read, where nobody has said it: by its ending, and among those of one ending by what each makes of it. */
import type { BookDraft, Input } from "@fiscal-connector/core/source/Adapter"
import * as BookDrafting from "@fiscal-connector/core/source/BookDrafting"
import * as Readings from "@fiscal-connector/core/source/Readings"
import { Effect, FileSystem, Result } from "effect"
import * as InputFiles from "../import/InputFiles.ts"
import { Quit } from "../output/Quit.ts"
import { csv } from "./import/CsvCommand.ts"
import type { Source } from "./import/ImportCommand.ts"
import { adapters } from "./import/KitAdapterCommand.ts"
import { xeroLike } from "./import/XeroLikeCommand.ts"
import { xlsx } from "./import/XlsxCommand.ts"

/** An export with the format it is read by, and what a mapping book has to know of it. */
export interface Recognised {
  readonly format: string
  /** Undefined where it is not clear yet how the export is to be read: `plan` asks. */
  readonly draft: BookDraft | undefined
}

type Format = Effect.Success<typeof formats>[number]

const of = <Options>({ adapter, extensions, options }: Source<Options>) => ({
  name: adapter.name,
  extensions,
  draft: (input: Input) =>
    adapter.draftBook?.(input, options) ?? BookDrafting.draft(Readings.from(adapter, input, options))
})

/** As they read without any setting. */
const formats = Effect.gen(function* () {
  const kit = yield* Effect.forEach(Object.values(adapters), ({ source }) => source({}))
  return [
    of({ ...csv, options: {} }),
    of({ ...xlsx, options: {} }),
    of({ ...xeroLike, options: {} }),
    ...kit.map((one) => of(one))
  ]
})

const openAs = ({ extensions, name }: Format, file: string) => InputFiles.open(name, [file], extensions)

/** How much of an export a format makes something of: its documents with a currency. */
const documents = ({ currencies }: BookDraft): number => currencies.reduce((sum, { count }) => sum + count, 0)

/** Fails with Quit where no format reads it. */
export const recognise = Effect.fnUntraced(function* (file: string) {
  const { type } = yield* FileSystem.FileSystem.use((fs) => fs.stat(file))
  const all = yield* formats
  const candidates = type === "Directory" ? all : all.filter(({ extensions }) => extensions.test(file))
  const [only, ...others] = candidates
  if (only !== undefined && others.length === 0) {
    const draft = yield* Effect.catchTag(only.draft(yield* openAs(only, file)), "AdapterError", () => Effect.undefined)
    return { format: only.name, draft } satisfies Recognised
  }
  const read = yield* Effect.forEach(candidates, (format) =>
    Effect.map(Effect.result(Effect.flatMap(openAs(format, file), format.draft)), (result) =>
      Result.isSuccess(result) && documents(result.success) > 0 ? [{ format: format.name, draft: result.success }] : []
    )
  )
  const [best] = read.flat().toSorted((a, b) => documents(b.draft) - documents(a.draft))
  if (best !== undefined) return best
  const names = all.map(({ name }) => name).join(", ")
  return yield* new Quit({
    code: 1,
    text: `Nothing was written: no issued document was found in ${file} by any of ${names}. \`connector plan FORMAT FILE\` says what each makes of it.`
  })
})

/**
 * Detects the format of files if the operator does not name it: by content, and among several
 * formats by the documents that each finds.
 */
import { FileContent } from "@fiscal-connector/core/host"
import { Recognition } from "@fiscal-connector/core/host/import"
import { Effect, type FileSystem } from "effect"
import * as Texts from "../text/Texts.ts"
import type { Upload } from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import type { Format } from "./Workplace.ts"

/**
 * Returns the reader for a content. Unknown content goes to the workbook reader, which names the
 * kind of file and the next step.
 */
const readAs = (content: FileContent.Content): Format["content"] | undefined =>
  content === "other" ? "workbook" : content === "empty" ? undefined : content

export const of = (
  formats: ReadonlyArray<Format>,
  files: ReadonlyArray<Upload>
): Effect.Effect<{ readonly format: Format } | { readonly problem: string }, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(files, ({ path }) =>
      Effect.orElseSucceed(FileContent.ofFile(path), (): FileContent.Content => "empty")
    )
    const contents = new Set(found.map(readAs))
    const [content] = contents
    if (contents.size > 1) return { problem: Texts.page.mixed }
    if (content === undefined) return { problem: Texts.page.emptyFile(files[0]?.name ?? "") }
    const candidates = formats.filter((format) => format.content === content)
    const read = yield* Effect.forEach(candidates, (format) =>
      Effect.map(
        Effect.orElseSucceed(format.options({ settings: {}, layout: undefined, columns: undefined }), () => ({})),
        (options) => ({ adapter: format.adapter, options, format })
      )
    )
    const best = yield* Recognition.best(read, ({ format }) => Planning.inputOf({ files, format }))
    const format = best?.format ?? candidates[0]
    return format === undefined ? { problem: Texts.page.noFormat(files[0]?.name ?? "") } : { format }
  })

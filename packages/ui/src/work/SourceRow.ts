/**
 * Reads a document's rows from its source file. The rows are stored nowhere, since they name
 * people. They are read again from the imported file, identified by its SHA-256, if the file is
 * still available or the operator chooses it again.
 */
import { type Adapter, Provenance, Readings, type SourceDocument } from "@fiscal-connector/core/adapter"
import { ImportRecord } from "@fiscal-connector/core/session"
import { type Submission, SubmissionStore } from "@fiscal-connector/core/store"
import type { KeptImport } from "@fiscal-connector/core/host"
import { Effect, FileSystem, Option, Stream } from "effect"
import type { Imports } from "./Imports.ts"
import type { Upload } from "./PageImport.ts"
import * as Kept from "./Kept.ts"
import * as Planning from "./Planning.ts"
import type { ReadingAnswers, SourceRows, Workplace } from "./Workplace.ts"

export interface ImportedFile {
  readonly kept: KeptImport.KeptImport
  readonly file: KeptImport.FileRecord
}

/** `given`: `another` if the chosen file is a different one. */
export interface FileNeeded {
  readonly _tag: "FileNeeded"
  readonly given: "another" | "none"
}

export type SourceRow =
  | { readonly _tag: "Found"; readonly rows: SourceRows }
  | FileNeeded
  | { readonly _tag: "NotRead"; readonly text: string }

type SourceOwner = Pick<Submission.Submission, "account" | "kind" | "id" | "source">

export const isPlaced = ({ source: { cell, line, pointer } }: Pick<SourceOwner, "source">): boolean =>
  cell !== undefined || line !== undefined || pointer !== undefined

const together = 200
const furthest = 10 * together

export const filesOf = ({ account, source }: SourceOwner) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore.SubmissionStore
    const found: Array<ImportedFile> = []
    for (let before: number | undefined, seen = 0; seen < furthest; seen += together) {
      const page = yield* store.imports({ accounts: [account], limit: together, ...(before && { before }) })
      for (const kept of page) for (const file of kept.files) if (file.name === source.file) found.push({ kept, file })
      before = page.at(-1)?.id
      if (page.length < together) break
    }
    return found
  })

const fileOf = (
  imports: Pick<Imports, "all">,
  file: string,
  known: ReadonlyArray<ImportedFile>,
  given: Upload | null
) =>
  Effect.gen(function* () {
    const uploads = imports.all().flatMap(({ files }) => files.filter(({ name }) => name === file))
    const paths = given === null ? [...uploads.map(({ path }) => path), file] : [given.path]
    for (const path of paths) {
      const same = yield* sameAs(known, file, path)
      if (same !== undefined) return { _tag: "Same", ...same } as const
    }
    return { _tag: "FileNeeded", given: given === null ? "none" : "another" } satisfies FileNeeded
  })

export const look = (
  workplace: Pick<Workplace, "formats">,
  imports: Pick<Imports, "all" | "bookFile">,
  asked: SourceOwner,
  known: ReadonlyArray<ImportedFile>,
  given: Upload | null
) =>
  Effect.gen(function* () {
    const { id, kind, source } = asked
    const found = yield* fileOf(imports, source.file, known, given)
    if (found._tag === "FileNeeded") return found
    const { kept } = found
    const format = workplace.formats.find(({ name }) => name === kept.adapter)
    if (format === undefined) return { _tag: "NotRead", text: kept.adapter } satisfies SourceRow
    const options = yield* format.options(answersOf(kept))
    const book = yield* Planning.bookOf(imports.bookFile)
    const place = Provenance.format(source)
    const isIt = (reading: Adapter.Reading): reading is SourceDocument.SourceDocument =>
      reading._tag === "SourceDocument" &&
      reading.kind === kind &&
      reading.id === id &&
      Provenance.format(reading.where([])) === place
    const rows = yield* Readings.from(format.adapter, { files: [found.input] }, options, book?.book).pipe(
      Stream.filter(isIt),
      Stream.mapEffect(format.rows),
      Stream.runHead
    )
    const row: SourceRow = Option.isNone(rows) ? { _tag: "NotRead", text: place } : { _tag: "Found", rows: rows.value }
    return row
  }).pipe(
    Effect.catchTag(["AdapterError", "BookError", "PlatformError", "WorkplaceRefused"], ({ message }) =>
      Effect.succeed<SourceRow>({ _tag: "NotRead", text: message })
    )
  )

export const rowsFormatOf = ({ formats }: Pick<Workplace, "formats">, { adapter, files }: KeptImport.KeptImport) =>
  files.length === 1 ? formats.find(({ name, receipts }) => name === adapter && receipts !== undefined) : undefined

export const withReceipts = (
  workplace: Pick<Workplace, "formats">,
  imports: Pick<Imports, "all" | "bookFile">,
  kept: KeptImport.KeptImport,
  given: Upload | null
) =>
  Effect.gen(function* () {
    const [file] = kept.files
    const format = rowsFormatOf(workplace, kept)
    if (file === undefined || format?.receipts === undefined) return undefined
    const found = yield* fileOf(imports, file.name, [{ kept, file }], given)
    if (found._tag === "FileNeeded") return { ...found, file }
    const { adapter, ending, receipts } = format
    const settled = yield* format.options(answersOf(kept))
    const read = yield* Planning.bookOf(imports.bookFile)
    const options = read === undefined ? settled : (adapter.under?.(settled, read.book) ?? settled)
    const bytes = Stream.unwrap(
      Effect.map(Kept.reportOf(kept), ({ documents }) => receipts(found.input, options, documents))
    )
    return { _tag: "Written", bytes, ending } as const
  })

/** Returns the import with exactly this file. A file of another size is not read. */
const sameAs = (known: ReadonlyArray<ImportedFile>, name: string, path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { size, type } = yield* fs.stat(path)
    if (type !== "File" || known.every(({ file }) => BigInt(file.bytes) !== size)) return undefined
    const input = yield* Planning.fileAt("page", { name, path })
    const { sha256 } = yield* ImportRecord.fileRecord(input)
    const same = known.find(({ file }) => file.sha256 === sha256)
    return same && { ...same, input }
  }).pipe(Effect.orElseSucceed(() => undefined))

const ours: ReadonlySet<string> = new Set(["columns", "corrections", "layout"])

export const answersOf = ({ settings }: Pick<KeptImport.KeptImport, "settings">): ReadingAnswers => {
  const { columns, layout } = settings
  return {
    settings: Object.fromEntries(Object.entries(settings).filter(([name]) => !ours.has(name))),
    layout: typeof layout === "string" ? layout : undefined,
    columns: columns === undefined ? undefined : JSON.stringify(columns)
  }
}

import { Adapter, type DocumentInput, PlainDocuments, Readings } from "@fiscal-connector/core/adapter"
import { RefusedNotes } from "@fiscal-connector/core/host/account"
import { ImportRecord } from "@fiscal-connector/core/session"
import { Effect, FileSystem, Redacted, Schema, SchemaIssue, Stream } from "effect"
import type { ExportFile, ExportInput } from "../ExportInput.ts"
import { exportError, type ReadBy } from "./choices.ts"
import { CallerThrew, failing } from "./errorOf.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"

export type HandedOptions = Readonly<Record<string, unknown>>

export interface HandedExport {
  readonly adapter: Adapter.Adapter<HandedOptions>
  readonly input: { readonly files: ReadonlyArray<Adapter.InputFile> }
  readonly options: HandedOptions
}

export interface Handed {
  readonly readings: Stream.Stream<Adapter.Reading, Adapter.AdapterError>
  readonly failed: (error: Adapter.AdapterError) => FiscalConnectorError | CallerThrew
  readonly exported: HandedExport | undefined
}

export const handed = <Given>(
  given: DocumentInput.Documents | ExportInput<Given>,
  book: Adapter.BookSpellings
): Effect.Effect<Handed, FiscalConnectorError, FileSystem.FileSystem> => {
  const wrong = notHanded(given)
  if (wrong !== undefined) return failing("config_invalid", wrong)
  const thrown: Array<unknown> = []
  const onThrown = (value: unknown) => void thrown.push(value)
  const failedOf = (adapter: ReadBy) => (error: Adapter.AdapterError) =>
    thrown.length === 0 ? exportError(adapter)(error) : new CallerThrew({ thrown: Redacted.make(thrown[0]) })
  if (!isExport(given)) {
    const readings = PlainDocuments.readings(given, onThrown)
    return Effect.succeed({ readings, failed: failedOf({}), exported: undefined })
  }
  // a value that is not an adapter fails like a faulty adapter
  const adapter = given.adapter as unknown as Adapter.Adapter<HandedOptions>
  return Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const options = yield* checked(adapter, (given.options ?? {}) as HandedOptions)
    const input = { files: given.files.map((file) => inputFile(adapter.name, file, fs, onThrown)) }
    const exported = { adapter, input, options }
    return { readings: Readings.from(adapter, input, options, book), failed: failedOf(adapter), exported }
  })
}

/**
 * Fails with the error of the readings. A sync of the account remembers files that were refused
 * whole; a plan (null) writes nothing, and an exception of the caller is not about the files.
 */
export const unread =
  ({ exported, failed }: Pick<Handed, "exported" | "failed">, account: string | null) =>
  (error: Adapter.AdapterError) =>
    Effect.gen(function* () {
      const failure = failed(error)
      if (account !== null && exported !== undefined && !("_tag" in failure)) {
        const { files } = exported.input
        yield* RefusedNotes.files(
          account,
          error,
          files.map(({ name }) => name),
          Effect.forEach(files, ImportRecord.fileRecord)
        )
      }
      return yield* Effect.fail(failure)
    })

const isExport = <Given>(given: DocumentInput.Documents | ExportInput<Given>): given is ExportInput<Given> =>
  "adapter" in given

const notHanded = (given: unknown): string | undefined => {
  const expected = "documents: expected a list of documents, or { adapter, files }"
  if (typeof given !== "object" || given === null)
    return `${expected}, not ${given === null ? "null" : given === undefined ? "nothing" : `a ${typeof given}`}`
  if (["adapter", Symbol.iterator, Symbol.asyncIterator].some((name) => name in given)) return undefined
  return "then" in given ? `${expected}, not a promise: await it first` : `${expected}, not another object`
}

/**
 * The schema checks with its own copy of Effect: with ours, it takes a missing option for a wrong
 * one.
 */
const checked = (
  adapter: Adapter.Adapter<HandedOptions>,
  options: HandedOptions
): Effect.Effect<HandedOptions, FiscalConnectorError> => {
  // the schema of an adapter of tables is only about settings: its reading checks the options
  const schema = "options" in adapter && !("table" in adapter) ? adapter.options : undefined
  if (!Schema.isSchema(schema)) return Effect.succeed(options)
  return Effect.try({
    try: () => (schema as Schema.Codec<HandedOptions>).make(options, { parseOptions: { onExcessProperty: "error" } }),
    catch: (error) => {
      const issue = error instanceof Error ? error.cause : undefined
      const problem = SchemaIssue.isIssue(issue) ? new Schema.SchemaError(issue).message : "they are not its options"
      return new FiscalConnectorError("config_invalid", `options of the adapter ${adapter.name}: ${problem}`)
    }
  })
}

const inputFile = (
  adapter: string,
  file: ExportFile,
  fs: FileSystem.FileSystem,
  onThrown: (thrown: unknown) => void
): Adapter.InputFile => {
  const name = typeof file === "string" ? file : file.name
  const failed = (problem: string) =>
    new Adapter.AdapterError({ adapter, reason: new Adapter.InputFailed({ file: name, problem }) })
  if (typeof file === "string") {
    const bytes = fs.stream(file, { chunkSize: 256 * 1024 })
    return { name, bytes: Stream.mapError(bytes, ({ message }) => failed(message)) }
  }
  const { bytes } = file
  if (bytes instanceof Uint8Array) return { name, bytes: Stream.succeed(bytes) }
  const broke = (thrown: unknown) => {
    onThrown(thrown)
    return failed("it threw an exception")
  }
  return {
    name,
    bytes: Stream.unwrap(Effect.try({ try: () => Stream.fromAsyncIterable(bytes(), broke), catch: broke }))
  }
}

/** Conversion of a caller's input, plain documents or an export, to readings. */
import {
  type Adapter,
  AdapterError,
  type BookSpellings,
  type InputFile,
  InputFailed,
  type Reading
} from "@fiscal-connector/core/source/Adapter"
import type { Documents } from "@fiscal-connector/core/source/DocumentInput"
import * as PlainDocuments from "@fiscal-connector/core/source/PlainDocuments"
import * as Readings from "@fiscal-connector/core/source/Readings"
import { Effect, FileSystem, Redacted, Schema, SchemaIssue, Stream } from "effect"
import type { ExportFile, ExportInput } from "../ExportInput.ts"
import type { ReadBy } from "./choices.ts"
import { CallerThrew } from "./errorOf.ts"
import { exportError } from "./exportError.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"

/** Options of any adapter; only the adapter and the caller know the fields. */
export type Options = Readonly<Record<string, unknown>>

/** Adapter, files and options of an export. */
export interface Exported {
  readonly adapter: Adapter<Options>
  readonly input: { readonly files: ReadonlyArray<InputFile> }
  readonly options: Options
}

/**
 * Readings of the input. `failed` converts a failure of the readings to an error, using the
 * adapter.
 */
export interface Handed {
  readonly readings: Stream.Stream<Reading, AdapterError>
  readonly failed: (error: AdapterError) => FiscalConnectorError | CallerThrew
  /** Undefined if the documents are the caller's own objects. */
  readonly exported: Exported | undefined
}

export const handed = <Given>(
  given: Documents | ExportInput<Given>,
  book: BookSpellings
): Effect.Effect<Handed, FiscalConnectorError, FileSystem.FileSystem> => {
  const wrong = notHanded(given)
  if (wrong !== undefined) return Effect.fail(new FiscalConnectorError("config_invalid", wrong))
  const thrown: Array<unknown> = []
  const onThrown = (value: unknown) => void thrown.push(value)
  const failedOf = (adapter: ReadBy) => (error: AdapterError) =>
    thrown.length === 0 ? exportError(adapter)(error) : new CallerThrew({ thrown: Redacted.make(thrown[0]) })
  if (!isExport(given)) {
    const readings = PlainDocuments.readings(given, onThrown)
    return Effect.succeed({ readings, failed: failedOf({}), exported: undefined })
  }
  // a value that is not an adapter fails like a faulty adapter
  const adapter = given.adapter as unknown as Adapter<Options>
  return Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const options = yield* checked(adapter, (given.options ?? {}) as Options)
    const input = { files: given.files.map((file) => inputFile(adapter.name, file, fs, onThrown)) }
    const exported = { adapter, input, options }
    return { readings: Readings.from(adapter, input, options, book), failed: failedOf(adapter), exported }
  })
}

const isExport = <Given>(given: Documents | ExportInput<Given>): given is ExportInput<Given> => "adapter" in given

/** Returns the sentence that refuses another value than documents or an export. */
const notHanded = (given: unknown): string | undefined => {
  const expected = "documents: expected a list of documents, or { adapter, files }"
  if (typeof given !== "object" || given === null)
    return `${expected}, not ${given === null ? "null" : given === undefined ? "nothing" : `a ${typeof given}`}`
  if (["adapter", Symbol.iterator, Symbol.asyncIterator].some((name) => name in given)) return undefined
  return "then" in given ? `${expected}, not a promise: await it first` : `${expected}, not another object`
}

/**
 * Checks the options of an adapter that has an options schema, as adapters of the kit do. The
 * schema checks with its own copy of Effect: with ours, it takes a missing option for a wrong one.
 */
const checked = (adapter: Adapter<Options>, options: Options): Effect.Effect<Options, FiscalConnectorError> => {
  // the schema of an adapter of tables is only about settings: its reading checks the options
  const schema = "options" in adapter && !("table" in adapter) ? adapter.options : undefined
  if (!Schema.isSchema(schema)) return Effect.succeed(options)
  return Effect.try({
    try: () => (schema as Schema.Codec<Options>).make(options, { parseOptions: { onExcessProperty: "error" } }),
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
): InputFile => {
  const name = typeof file === "string" ? file : file.name
  const failed = (problem: string) => new AdapterError({ adapter, reason: new InputFailed({ file: name, problem }) })
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

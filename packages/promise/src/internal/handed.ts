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
import { Effect, FileSystem, Schema, Stream } from "effect"
import type { ExportFile, ExportInput } from "../ExportInput.ts"
import type { ReadBy } from "./choices.ts"
import { exportError } from "./exportError.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"

/** Options of any adapter; only the adapter and the caller know the fields. */
type Options = Readonly<Record<string, unknown>>

/**
 * Readings of the input. `failed` converts a failure of the readings to an error, using the
 * adapter.
 */
export interface Handed {
  readonly readings: Stream.Stream<Reading, AdapterError>
  readonly failed: (error: AdapterError) => FiscalConnectorError
  /** Undefined if the documents are the caller's own objects. */
  readonly adapter: ReadBy | undefined
}

export const handed = <Given>(
  given: Documents | ExportInput<Given>,
  book: BookSpellings
): Effect.Effect<Handed, FiscalConnectorError, FileSystem.FileSystem> => {
  if (!isExport(given)) {
    return Effect.succeed({ readings: PlainDocuments.readings(given), failed: exportError({}), adapter: undefined })
  }
  // a value that is not an adapter fails like a faulty adapter
  const adapter = given.adapter as unknown as Adapter<Options>
  return Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const options = yield* checked(adapter, (given.options ?? {}) as Options)
    const files = given.files.map((file) => inputFile(adapter.name, file, fs))
    return { readings: Readings.from(adapter, { files }, options, book), failed: exportError(adapter), adapter }
  })
}

const isExport = <Given>(given: Documents | ExportInput<Given>): given is ExportInput<Given> => "adapter" in given

/** Checks the options of an adapter that has an options schema, as adapters of the kit do. */
const checked = (adapter: Adapter<Options>, options: Options): Effect.Effect<Options, FiscalConnectorError> => {
  const schema = "options" in adapter ? adapter.options : undefined
  if (!Schema.isSchema(schema)) return Effect.succeed(options)
  return Schema.decodeEffect(Schema.toType(schema as Schema.Codec<Options>), { onExcessProperty: "error" })(
    options
  ).pipe(
    Effect.mapError(
      ({ message }) => new FiscalConnectorError("config_invalid", `options of the adapter ${adapter.name}: ${message}`)
    )
  )
}

const inputFile = (adapter: string, file: ExportFile, fs: FileSystem.FileSystem): InputFile => {
  const name = typeof file === "string" ? file : file.name
  const failed = (problem: string) => new AdapterError({ adapter, reason: new InputFailed({ file: name, problem }) })
  if (typeof file === "string") {
    const bytes = fs.stream(file, { chunkSize: 256 * 1024 })
    return { name, bytes: Stream.mapError(bytes, ({ message }) => failed(message)) }
  }
  const { bytes } = file
  if (bytes instanceof Uint8Array) return { name, bytes: Stream.succeed(bytes) }
  // omits the message of the caller's exception, which may contain data of a buyer
  const broke = (thrown: unknown) =>
    failed(thrown instanceof Error ? thrown.name : "it threw a value that is not an Error")
  return {
    name,
    bytes: Stream.unwrap(Effect.try({ try: () => Stream.fromAsyncIterable(bytes(), broke), catch: broke }))
  }
}

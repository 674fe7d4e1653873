/** Records of a file as texts, for readers that parse the records themselves. */
import { AdapterError, ExportUnreadable, type InputFile } from "@fiscal-connector/core/source/Adapter"
import * as Decompression from "@fiscal-connector/core/source/Decompression"
import { Effect, Stream } from "effect"
import type { DamagedRecord, JsonScanner, ScannedRecord } from "./JsonScanner.ts"

/** Reader of one file. */
export interface ScannedFile {
  /** Name of the adapter, for errors. */
  readonly adapter: string
  readonly file: InputFile
  readonly scanner: JsonScanner
  /** Remedy for a file that is not JSON. @default the remedy for a damaged file */
  readonly foreign?: string
}

/**
 * Streams the records of the file, chunk by chunk; memory holds one record at a time. Fails if the
 * rest of the file is unreadable. A scanner reads only one file.
 */
export const scanned = ({
  adapter,
  file,
  foreign,
  scanner
}: ScannedFile): Stream.Stream<ReadonlyArray<ScannedRecord | DamagedRecord>, AdapterError> => {
  const sound = (records: ReadonlyArray<ScannedRecord | DamagedRecord>) => {
    const { failure } = scanner
    if (failure === undefined) return Effect.succeed(records)
    const { extent, line, problem } = failure
    const fix = (extent === "foreign" ? foreign : undefined) ?? "Export the file again, or correct it there"
    return Effect.fail(unreadable(adapter, file, `line ${line}: ${problem}`, fix))
  }
  const pushed = Decompression.decompressed(adapter)(file).bytes.pipe(
    Decompression.inPieces,
    Stream.mapEffect((chunk) => sound(scanner.push(chunk)))
  )
  return Stream.concat(pushed, Stream.fromEffect(Effect.suspend(() => sound(scanner.finish()))))
}

export const unreadable = (adapter: string, file: InputFile, problem: string, fix: string): AdapterError =>
  new AdapterError({ adapter, reason: new ExportUnreadable({ file: file.name, problem, fix }) })

import { Adapter, Decompression } from "@fiscal-connector/core/adapter"
import { Effect, Stream } from "effect"
import type { DamagedRecord, JsonScanner, ScannedRecord } from "./JsonScanner.ts"

export interface ScannedFile {
  readonly adapter: string
  readonly file: Adapter.InputFile
  readonly scanner: JsonScanner
  /** Remedy for a file that is not JSON. @default the remedy for a damaged file */
  readonly foreign?: string
}

/**
 * Memory holds one record at a time. Fails if the rest of the file is unreadable. A scanner reads
 * only one file.
 */
export const scanned = ({
  adapter,
  file,
  foreign,
  scanner
}: ScannedFile): Stream.Stream<ReadonlyArray<ScannedRecord | DamagedRecord>, Adapter.AdapterError> => {
  const sound = (records: ReadonlyArray<ScannedRecord | DamagedRecord>) => {
    const { failure } = scanner
    if (failure === undefined) return Effect.succeed(records)
    const { extent, line, text } = failure
    const fix = (extent === "foreign" ? foreign : undefined) ?? "Export the file again, or correct it there"
    return Effect.fail(unreadable(adapter, file, `line ${line}: ${text}`, fix))
  }
  const pushed = Decompression.decompressed(adapter)(file).bytes.pipe(
    Decompression.inPieces,
    Stream.mapEffect((chunk) => sound(scanner.push(chunk)))
  )
  return Stream.concat(pushed, Stream.fromEffect(Effect.suspend(() => sound(scanner.finish()))))
}

export const unreadable = (
  adapter: string,
  file: Adapter.InputFile,
  problem: string,
  fix: string
): Adapter.AdapterError =>
  new Adapter.AdapterError({ adapter, reason: new Adapter.ExportUnreadable({ file: file.name, problem, fix }) })

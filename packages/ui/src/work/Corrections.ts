/**
 * Cells of a CSV file that the operator corrected on the page. The file stays as it is: a corrected cell is put in its place while the file is read,
 * and every correction is kept with the import. A cell that does not say any more what was corrected ends the reading.
 */
import { AdapterError, ExportUnreadable } from "@fiscal-connector/core/source/Adapter"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"

/** One cell. Lines and columns are counted from 1, columns in characters. */
export interface Correction {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly columnName: string
  /** The document; empty where the row belongs to none. */
  readonly number: string
  readonly from: string
  readonly to: string
  /** How many characters the cell has in the file, with its quotes. */
  readonly length: number
  /** Who has corrected it, as the operating system calls them, and when. */
  readonly by: string
  readonly at: string
}

/** How the cell is named in a form. */
export const cellOf = ({ column, line }: Pick<Correction, "line" | "column">): string => `${line}.${column}`

/** A cell that can be corrected: one of a text file, with its place and its whole text. */
export const isCorrectable = (
  at: Provenance | undefined
): at is Provenance & {
  readonly line: number
  readonly column: number
  readonly columnName: string
  readonly text: string
} =>
  at?.line !== undefined &&
  at.column !== undefined &&
  at.columnName !== undefined &&
  at.text !== undefined &&
  at.sheet === undefined &&
  at.text.length < 200 &&
  !/[\r\n]/.test(at.text)

const [cr, lf] = [0x0d, 0x0a]

const unreadable = ({ columnName, file, line }: Correction) =>
  new AdapterError({
    adapter: "page",
    reason: new ExportUnreadable({
      file,
      problem: `the cell ${columnName} in line ${line} is not the one that was corrected`,
      fix: "Take the correction back, or correct the file itself."
    })
  })

/** UTF-8 where the line is; else one character for each byte. */
const decoded = (bytes: Buffer): readonly [text: string, encoding: "utf8" | "latin1"] => {
  const text = bytes.toString("utf8")
  return Buffer.from(text, "utf8").equals(bytes) ? [text, "utf8"] : [bytes.toString("latin1"), "latin1"]
}

/** Where the cell ends that begins at `start`; undefined where its text is another one. */
const endOf = (text: string, start: number, from: string): number | undefined => {
  if (text[start] === '"') {
    const quoted = `"${from.replaceAll('"', '""')}"`
    return text.startsWith(quoted, start) ? start + quoted.length : undefined
  }
  const end = start + from.length
  return text.startsWith(from, start) && (end === text.length || /[,;\t|]/.test(text[end]!)) ? end : undefined
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** Told where a cell was found, and how many characters it has there. */
type Found = (one: Correction, length: number) => void

/** The line with its corrected cells; a correction that does not fit is thrown. */
const corrected = (bytes: Buffer, corrections: ReadonlyArray<Correction>, found: Found): Buffer => {
  let [text, encoding] = decoded(bytes)
  for (const one of corrections.toSorted((a, b) => b.column - a.column)) {
    const start = Array.from(text)
      .slice(0, one.column - 1)
      .join("").length
    const end = endOf(text, start, one.from)
    if (end === undefined) throw unreadable(one)
    found(one, Array.from(text.slice(start, end)).length)
    text = text.slice(0, start) + quoted(one.to) + text.slice(end)
  }
  // a letter that the file's own encoding does not have makes the line UTF-8
  return Buffer.from(
    text,
    encoding === "latin1" && Buffer.from(text, "latin1").toString("latin1") !== text ? "utf8" : encoding
  )
}

/** Where the file itself has a cell that was found while it was read with these corrections: a corrected cell is longer or shorter than it was. */
export const placeInFile = (
  { column, line }: { readonly line: number; readonly column: number },
  corrections: ReadonlyArray<Correction>
): number => {
  let shift = 0
  for (const one of corrections.filter((one) => one.line === line).toSorted((a, b) => a.column - b.column)) {
    if (column <= one.column + shift) break
    shift += Array.from(quoted(one.to)).length - one.length
  }
  return column - shift
}

/** The bytes with the corrections in them; one line is in memory at a time. */
export const apply = (
  bytes: Stream.Stream<Uint8Array, AdapterError>,
  corrections: ReadonlyArray<Correction>,
  found: Found = () => {}
): Stream.Stream<Uint8Array, AdapterError> => {
  if (corrections.length === 0) return bytes
  const byLine = Map.groupBy(corrections, ({ line }) => line)
  return Stream.suspend(() => {
    let [line, afterCr] = [1, false]
    let pending: Array<Buffer> = []
    const flushed = (): Buffer => {
      const whole = Buffer.concat(pending)
      pending = []
      return corrected(whole, byLine.get(line) ?? [], found)
    }
    const take = (chunk: Buffer): Buffer => {
      const out: Array<Buffer> = []
      let from = 0
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]!
        if (byte === lf && afterCr) {
          afterCr = false
          // the other half of a line end that came with the piece before
          if (from === i && byLine.has(line)) {
            out.push(chunk.subarray(i, i + 1))
            from = i + 1
          }
          continue
        }
        afterCr = byte === cr
        if (byte !== cr && byte !== lf) continue
        if (byLine.has(line)) {
          pending.push(chunk.subarray(from, i))
          out.push(flushed())
          from = i
        }
        line += 1
        if (byLine.has(line)) {
          // the line end stays outside of what is corrected
          const end = byte === cr && chunk[i + 1] === lf ? i + 2 : i + 1
          out.push(chunk.subarray(from, end))
          from = end
        }
      }
      if (byLine.has(line)) pending.push(Buffer.from(chunk.subarray(from)))
      else out.push(chunk.subarray(from))
      return Buffer.concat(out)
    }
    const attempt = (run: () => Buffer) =>
      Effect.try({ try: run, catch: (error) => (error instanceof AdapterError ? error : unreadable(corrections[0]!)) })
    return Stream.concat(
      Stream.mapEffect(bytes, (chunk) => attempt(() => take(Buffer.from(chunk)))),
      Stream.fromEffect(Effect.suspend(() => attempt(() => (byLine.has(line) ? flushed() : Buffer.alloc(0)))))
    )
  })
}

/**
 * Corrections of cells, made by the operator on the page. The file stays unchanged: the corrected
 * text replaces the cell while the file is read, and every correction is stored with the import.
 * Reading fails if a cell no longer has the text that was corrected. The text of a CSV file is
 * corrected here, the cells of a workbook by its adapter.
 */
import { Adapter, type Provenance } from "@fiscal-connector/core/adapter"
import { Effect, Option, Stream } from "effect"
import { Buffer } from "node:buffer"

/**
 * A corrected cell. Lines and columns count from 1; a column is a character of a text file, and a
 * cell of a workbook.
 */
export interface Correction {
  readonly file: string
  readonly sheet?: string
  readonly line: number
  readonly column: number
  readonly columnName: string
  readonly number: string
  readonly from: string
  readonly to: string
  /** Length of the cell in a text file in characters, including its quotes; 0 in a workbook. */
  readonly length: number
  readonly by: string
  readonly at: string
}

export const cellOf = ({ column, file, line, sheet }: Pick<Correction, "file" | "sheet" | "line" | "column">): string =>
  `${line}.${column}.${sheet === undefined ? "" : `${sheet}/`}${file}`

export type CorrectableCell = Provenance.Provenance &
  Required<Pick<Provenance.Provenance, "line" | "column" | "columnName" | "text">>

export const isCorrectable = (at: Provenance.Provenance | undefined): at is CorrectableCell =>
  at?.line !== undefined &&
  at.column !== undefined &&
  at.columnName !== undefined &&
  at.text !== undefined &&
  at.text.length < 200 &&
  !/[\r\n]/.test(at.text)

const [cr, lf] = [0x0d, 0x0a]

const unreadable = ({ columnName, file, line }: Correction) =>
  new Adapter.AdapterError({
    adapter: "page",
    reason: new Adapter.ExportUnreadable({
      file,
      problem: `the cell ${columnName} in line ${line} is not the one that was corrected`,
      fix: "Take the correction back, or correct the file itself."
    })
  })

/** Decodes as UTF-8 if the text line is valid UTF-8, else one character per byte. */
const decoded = (bytes: Buffer): readonly [text: string, encoding: "utf8" | "latin1"] => {
  const text = bytes.toString("utf8")
  return Buffer.from(text, "utf8").equals(bytes) ? [text, "utf8"] : [bytes.toString("latin1"), "latin1"]
}

const endOf = (text: string, start: number, from: string): number | undefined => {
  if (text[start] === '"') {
    const quoted = `"${from.replaceAll('"', '""')}"`
    return text.startsWith(quoted, start) ? start + quoted.length : undefined
  }
  const end = start + from.length
  return text.startsWith(from, start) && (end === text.length || /[,;\t|]/.test(text[end]!)) ? end : undefined
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

type OnCorrection = (one: Correction, length: number) => void

const corrected = (bytes: Buffer, corrections: ReadonlyArray<Correction>, found: OnCorrection): Buffer => {
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
  // characters outside Latin-1 make a text line UTF-8
  return Buffer.from(
    text,
    encoding === "latin1" && Buffer.from(text, "latin1").toString("latin1") !== text ? "utf8" : encoding
  )
}

/**
 * Returns the column of a cell in the original file. Corrections before the cell may have shifted
 * its column.
 */
export const placeInFile = (
  { column, file, line }: Pick<Correction, "file" | "line" | "column">,
  corrections: ReadonlyArray<Correction>
): number => {
  let shift = 0
  for (const one of corrections
    .filter((one) => one.file === file && one.line === line)
    .toSorted((a, b) => a.column - b.column)) {
    if (column <= one.column + shift) break
    shift += Array.from(quoted(one.to)).length - one.length
  }
  return column - shift
}

/** Applies the corrections to the bytes. Only one text line is in memory at a time. */
export const apply = (
  bytes: Stream.Stream<Uint8Array, Adapter.AdapterError>,
  corrections: ReadonlyArray<Correction>,
  found: OnCorrection = () => {}
): Stream.Stream<Uint8Array, Adapter.AdapterError> => {
  if (corrections.length === 0) return bytes
  const byLine = Map.groupBy(corrections, ({ line }) => line)
  return Stream.suspend(() => {
    let [line, afterCr] = [1, false]
    let pending: Array<Buffer> = []
    /** Corrects the text line. The line end before it is not part of its text. */
    const flushed = (): Buffer => {
      const whole = Buffer.concat(pending)
      pending = []
      const start = whole[0] === cr && whole[1] === lf ? 2 : whole[0] === cr || whole[0] === lf ? 1 : 0
      return Buffer.concat([whole.subarray(0, start), corrected(whole.subarray(start), byLine.get(line) ?? [], found)])
    }
    const take = (chunk: Buffer): Buffer => {
      const out: Array<Buffer> = []
      let from = 0
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i]!
        const isSecondHalf = byte === lf && afterCr
        afterCr = byte === cr
        if (isSecondHalf || (byte !== cr && byte !== lf)) continue
        if (byLine.has(line)) pending.push(chunk.subarray(from, i))
        else if (byLine.has(line + 1)) out.push(chunk.subarray(from, i))
        if (byLine.has(line)) out.push(flushed())
        if (byLine.has(line) || byLine.has(line + 1)) from = i
        line += 1
      }
      if (byLine.has(line)) pending.push(Buffer.from(chunk.subarray(from)))
      else out.push(chunk.subarray(from))
      return Buffer.concat(out)
    }
    const attempt = (run: () => Buffer) =>
      Effect.try({
        try: run,
        catch: (error) => Option.getOrElse(Adapter.adapterErrorOf(error), () => unreadable(corrections[0]!))
      })
    return Stream.concat(
      Stream.mapEffect(bytes, (chunk) => attempt(() => take(Buffer.from(chunk)))),
      Stream.fromEffect(Effect.suspend(() => attempt(() => (byLine.has(line) ? flushed() : Buffer.alloc(0)))))
    )
  })
}

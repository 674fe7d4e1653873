/**
 * Cells that an operator corrected: the operator's text is read, and the workbook stays unchanged.
 */
import { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Option, Stream } from "effect"
import { Buffer } from "node:buffer"
import { EVIDENCE, NUMBER, ROW_END, TROUBLE } from "./ByteClass.ts"
import { cellEnd as cellEndText } from "./Dialect.ts"

/** A corrected cell; `line` and `column` as in the place of a finding, both counted from 1. */
export interface CorrectedCell {
  readonly file: string
  /** Sheet of the cell; left out for a workbook of which one sheet is read. */
  readonly sheet?: string
  readonly line: number
  readonly column: number
  readonly columnName: string
  /** Text of the cell in the workbook, as in the finding. */
  readonly from: string
  readonly to: string
}

const unreadable = ({ columnName, file, line }: CorrectedCell) =>
  new Adapter.AdapterError({
    adapter: "csv",
    reason: new Adapter.ExportUnreadable({
      file,
      problem: `the cell ${columnName} in row ${line} is not the one that was corrected`,
      fix: "Take the correction back, or correct the file itself."
    })
  })

const cellEnd = cellEndText.charCodeAt(0)

const isNumber = (text: string): boolean => /^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/.test(text)

const textOf = (cell: Buffer): string => {
  let from = 0
  while (from < cell.length && cell[from]! >= NUMBER && cell[from]! <= TROUBLE) from++
  const end = cell.indexOf(EVIDENCE, from)
  return cell.toString("utf8", from, end === -1 ? cell.length : end)
}

const cellsOf = (row: Buffer): Array<Buffer> => {
  const cells: Array<Buffer> = []
  for (let from = 0; ;) {
    const end = row.indexOf(cellEnd, from)
    cells.push(row.subarray(from, end === -1 ? row.length : end))
    if (end === -1) return cells
    from = end + 1
  }
}

const written = (text: string): Buffer =>
  isNumber(text) ? Buffer.concat([Buffer.of(NUMBER), Buffer.from(text)]) : Buffer.from(text)

/** Throws if a cell has another text than was corrected. */
const corrected = (row: Buffer, corrections: ReadonlyArray<CorrectedCell>): Buffer => {
  const cells = cellsOf(row)
  for (const one of corrections) {
    while (cells.length < one.column) cells.push(Buffer.alloc(0))
    if (textOf(cells[one.column - 1]!).trim() !== one.from.trim()) throw unreadable(one)
    cells[one.column - 1] = written(one.to)
  }
  return Buffer.concat(cells.flatMap((cell, at) => (at === 0 ? [cell] : [Buffer.of(cellEnd), cell])))
}

export const apply = (
  { bytes, name }: Adapter.InputFile,
  corrections: ReadonlyArray<CorrectedCell>
): Stream.Stream<Uint8Array, Adapter.AdapterError> => {
  const own = corrections.filter(({ file }) => file === name)
  if (own.length === 0) return bytes
  return Stream.suspend(() => {
    const open = Map.groupBy(own, ({ line }) => line)
    let [line, pending] = [1, Buffer.alloc(0)]
    const take = (chunk: Uint8Array): Buffer => {
      const all = Buffer.concat([pending, chunk])
      const out: Array<Buffer> = []
      let from = 0
      for (let end = all.indexOf(ROW_END); end !== -1; end = all.indexOf(ROW_END, from)) {
        const here = open.get(line)
        // the end of the row is not part of the corrected cells
        if (here !== undefined) out.push(corrected(all.subarray(from, end), here), all.subarray(end, end + 1))
        else out.push(all.subarray(from, end + 1))
        open.delete(line)
        line += 1
        from = end + 1
      }
      pending = all.subarray(from)
      return Buffer.concat(out)
    }
    const rest = () => {
      const [left] = [...open.values()].flat()
      if (left !== undefined) throw unreadable(left)
      return pending
    }
    const attempt = (run: () => Buffer) =>
      Effect.try({
        try: run,
        catch: (error) => Option.getOrElse(Adapter.adapterErrorOf(error), () => unreadable(own[0]!))
      })
    return Stream.concat(
      Stream.mapEffect(bytes, (chunk) => attempt(() => take(chunk))),
      Stream.fromEffect(Effect.suspend(() => attempt(rest)))
    )
  })
}

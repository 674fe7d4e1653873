/**
 * Splits bytes into records, and decodes a cell only on request. The sink gets the scanner itself
 * as the record; its content is valid until the sink returns.
 */
import { Buffer } from "node:buffer"
import {
  Backslash,
  classesOf,
  CR,
  EVIDENCE,
  EvidenceByte,
  HighByte,
  LF,
  LineEnd,
  NOT_TEXT,
  NUMBER,
  QUOTE,
  QuoteMark,
  Separator
} from "./ByteClass.ts"
import type { Dialect } from "./Dialect.ts"
import { decode, type Encoding } from "./Encoding.ts"

/**
 * Fault of a record. A broken record is cut to its first line, `count` is the number of cells
 * before the fault, and reading continues at the next line.
 */
export type Fault = "unterminated-quote" | "text-after-quote" | "record-too-long"

/** Bits of `flags`. The cell is quoted. */
export const Quoted = 1
/** The cell contains `""` or a backslash. */
export const Escaped = 2
/** The cell contains bytes above 0x7F. */
export const High = 4
/** The cell is unquoted and contains a quote, kept as part of the text. */
export const StrayQuote = 8
/** The cell contains a NUL or another control character, except a tab or a line end. */
export const Control = 16
/** The cell of a table is a number with a decimal point. */
export const NumberCell = 32
/**
 * The cell of a table is shown differently in the spreadsheet: a date, or a number with a special
 * format.
 */
export const NotText = 64
/** The text of the cell is unreliable; its evidence states the reason. */
export const TroubleCell = 128

/** Delimiter, quotes and encoding of a file. */
export interface ScannerOptions {
  readonly dialect: Dialect
  readonly encoding: Encoding
  /** Largest record in bytes; default 1 MiB. */
  readonly longestRecord?: number
  /** Line of the first written byte, from 1. */
  readonly line?: number
}

/**
 * Minimum bytes decoded at once, if available; a retained substring keeps the whole block in
 * memory.
 */
const together = 2048

/** Splits bytes into records, with the line and column of every cell. */
export class Scanner {
  /** Number of cells in the record. */
  count = 0
  /** First line of the record, from 1. */
  line: number
  /** Start of the record in the scanned bytes. */
  offset = 0
  fault: Fault | undefined = undefined
  /** Start and end of each cell's content in the buffer, without quotes. */
  starts = new Int32Array(64)
  ends = new Int32Array(64)
  flags = new Uint8Array(64)
  nth = 0

  private readonly sink: (record: Scanner) => void
  private readonly outside: Uint8Array
  private readonly inside: Uint8Array
  private readonly escapes: RegExp
  private readonly encoding: Encoding
  private readonly longest: number

  /**
   * Buffer with the record and more: only the bytes between a cell's start and end have meaning.
   */
  bytes: Buffer = Buffer.alloc(0)
  private view = new DataView(this.bytes.buffer)
  private at = 0
  private end = 0
  private pending: Array<Uint8Array> = []
  private pendingSize = 0
  private skippingLine = false

  private recordStart = 0
  private recordEnd = 0
  private next = 0
  private lineBreaks = 0
  private nextLine: number
  private nextOffset = 0
  private text_: string | undefined = undefined

  /** True if the previous record is complete in the buffer, and the arrays hold its cells. */
  private isKnown = false
  /** Start of each cell of the previous record, quotes included. */
  private opens = new Int32Array(64)
  /** First and last cell of the previous record with a line break inside. */
  private firstBroken = Infinity
  private lastBroken = -1
  /** Number of the last record that scanned the cell; later records repeat the cell unchanged. */
  private readIn = new Int32Array(64)
  /**
   * Number of plain bytes at the start of the cell that equal the unquoted cell of the previous
   * record.
   */
  private alike = 0
  /** Text of several records, and its start and end in the buffer; record texts are substrings. */
  private texts = ""
  private textsFrom = 0
  private textsTo = 0

  constructor(options: ScannerOptions, sink: (record: Scanner) => void) {
    const { inside, outside } = classesOf(options.dialect)
    this.outside = outside
    this.inside = inside
    this.escapes = options.dialect.quotes === "backslash" ? /""|\\["\\]/g : /""/g
    this.encoding = options.encoding
    this.longest = options.longestRecord ?? 1 << 20
    this.line = this.nextLine = options.line ?? 1
    this.sink = sink
  }

  write(chunk: Uint8Array): void {
    this.pending.push(chunk)
    this.pendingSize += chunk.length
    // an incomplete record is read again from its start: first let the buffer grow by half
    if (this.pendingSize < (this.end - this.at) >> 1) return
    this.take()
    this.scan(false)
  }

  finish(): void {
    this.take()
    this.scan(true)
  }

  /**
   * True if the cells from `first` to `last` are byte for byte equal in the record `nth`
   * and all later records; false if unknown.
   */
  areSince(nth: number, first: number, last = first): boolean {
    if (last >= this.count || this.fault !== undefined) return false
    for (let cell = first; cell <= last; cell++) if (this.readIn[cell]! > nth) return false
    return true
  }

  raw(): string {
    return (this.text_ ??= this.textOf(this.recordStart, this.recordEnd))
  }

  /** Creating a text from bytes has a high fixed cost, so one text serves several records. */
  private textOf(from: number, to: number): string {
    if (from < this.textsFrom || to > this.textsTo) {
      this.textsFrom = from
      this.textsTo = Math.max(to, Math.min(this.end, from + together))
      this.texts = this.bytes.toString("latin1", from, this.textsTo)
    }
    return this.texts.substring(from - this.textsFrom, to - this.textsFrom)
  }

  /** Without quotes, one character per byte. Equal cells of a file are equal here too. */
  rawCell(cell: number): string {
    const start = this.recordStart
    return this.raw().substring(this.starts[cell]! - start, this.ends[cell]! - start)
  }

  rawSpan(first: number, last: number): string {
    const start = this.recordStart
    return this.raw().substring(this.starts[first]! - start, this.ends[last]! - start)
  }

  isSpan(first: number, last: number, known: string): boolean {
    const length = this.ends[last]! - this.starts[first]!
    // `===` on substrings compares memory; `startsWith` compares characters
    return length === known.length && this.rawSpan(first, last) === known
  }

  /** True if the content of a cell is `known`, one character per byte; creates no text. */
  isCell(cell: number, known: string): boolean {
    const from = this.starts[cell]!
    if (this.ends[cell]! - from !== known.length) return false
    for (let i = 0; i < known.length; i++) if (this.bytes[from + i] !== known.charCodeAt(i)) return false
    return true
  }

  cell(cell: number, raw = this.rawCell(cell)): string {
    const flags = this.flags[cell]!
    if ((flags & (High | Escaped)) === 0) return raw
    const text = (flags & High) === 0 ? raw : decode(raw, this.encoding)
    return (flags & Escaped) === 0 ? text : text.replaceAll(this.escapes, (pair) => pair.charAt(1))
  }

  cells(): Array<string> {
    const found: Array<string> = []
    for (let cell = 0; cell < this.count; cell++) found.push(this.cell(cell))
    return found
  }

  /** Returns the parts of a table cell's evidence; empty for a cell without evidence. */
  evidence(cell: number): ReadonlyArray<string> {
    let i = this.ends[cell]!
    if (this.bytes[i] !== EVIDENCE) return []
    const from = i + 1
    while (i < this.end && this.outside[this.bytes[i]!] !== Separator && this.outside[this.bytes[i]!] !== LineEnd) i++
    return this.bytes
      .toString("latin1", from, i)
      .split(String.fromCharCode(EVIDENCE))
      .map((part) => decode(part, this.encoding))
  }

  /** In bytes from the start of the record. */
  startOf(cell: number): number {
    return this.starts[cell]! - this.recordStart
  }

  get blank(): boolean {
    return this.fault === undefined && this.recordStart === this.recordEnd
  }

  /**
   * Moves the rest of the buffer to its front and appends the new bytes; delivered records were
   * copied.
   */
  private take(): void {
    if (this.pending.length === 0) return
    this.isKnown = false
    this.textsTo = 0
    const rest = this.end - this.at
    const needed = rest + this.pendingSize
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2))
      this.bytes.copy(larger, 0, this.at, this.end)
      this.bytes = larger
      this.view = new DataView(larger.buffer, larger.byteOffset, larger.length)
    } else this.bytes.copyWithin(0, this.at, this.end)
    this.at = 0
    this.end = rest
    for (const chunk of this.pending) {
      this.bytes.set(chunk, this.end)
      this.end += chunk.length
    }
    this.pending = []
    this.pendingSize = 0
  }

  private scan(last: boolean): void {
    while (this.at < this.end) {
      if (this.skippingLine && !this.skipLine(last)) return
      if (this.at >= this.end) return
      if (!this.record(this.at, last)) {
        if (last || this.end - this.at <= this.longest) return
        this.tooLong()
      }
      this.text_ = undefined
      this.nth++
      this.line = this.nextLine
      this.offset = this.nextOffset
      this.sink(this)
      this.nextLine += this.lineBreaks
      this.nextOffset += this.next - this.at
      this.at = this.next
    }
  }

  /** False if its end is not in the buffer. */
  private record(start: number, last: boolean): boolean {
    const { bytes, end, inside, outside } = this
    const known = this.isKnown ? this.count : 0
    const nth = this.nth + 1
    this.isKnown = false
    this.recordStart = start
    let cell = 0
    let i = start
    let alike = 0
    let starts = this.starts
    let ends = this.ends
    let flagsOf = this.flags
    let opens = this.opens
    let readIn = this.readIn
    let lines = 0
    let lastBroken = -1
    let fault: Fault | undefined
    // end of the record's first line, and number of complete cells before it: known only for
    // records over several lines
    let firstLineEnd = -1
    let cellsOnFirstLine = 0
    for (;;) {
      if (cell < known) {
        const before = opens[cell]!
        const taken = this.takeSame(cell, i)
        if (taken === known) return this.complete(lines, firstLineEnd < 0 ? Infinity : cellsOnFirstLine, lastBroken)
        if (taken > cell) i += opens[taken]! - before
        cell = taken
        alike = this.alike
      }
      opens[cell] = i
      readIn[cell] = nth
      let flags = 0
      let from = i
      let to = i
      let ending = 0
      let evidenceAt = -1
      if (alike > 0) {
        i += alike
        alike = 0
      }
      if (i === from && i < end && outside[bytes[i]!] === QuoteMark) {
        flags = Quoted
        from = ++i
        for (;;) {
          while (i < end && inside[bytes[i]!] === 0) i++
          if (i >= end) {
            if (!last) return false
            fault = "unterminated-quote"
            break
          }
          const kind = inside[bytes[i]!]!
          if (kind === HighByte) {
            flags |= High
            i++
          } else if (kind === QuoteMark) {
            if (i + 1 >= end && !last) return false
            if (bytes[i + 1] === QUOTE && i + 1 < end) {
              flags |= Escaped
              i += 2
              continue
            }
            to = i++
            ending = i >= end ? LineEnd : outside[bytes[i]!]!
            if (ending !== Separator && ending !== LineEnd) {
              fault = firstLineEnd >= 0 && cellsOnFirstLine === cell ? "unterminated-quote" : "text-after-quote"
            }
            break
          } else if (kind === LineEnd) {
            if (firstLineEnd < 0) {
              firstLineEnd = i
              cellsOnFirstLine = cell
            }
            lastBroken = cell
            if (bytes[i] === CR) {
              if (i + 1 >= end && !last) return false
              if (bytes[i + 1] === LF && i + 1 < end) i++
            }
            lines++
            i++
          } else if (kind === Backslash) {
            flags |= Escaped
            if (i + 1 >= end && !last) return false
            const escaped = bytes[i + 1]
            i += escaped === QUOTE || escaped === 0x5c ? 2 : 1
          } else {
            flags |= Control
            i++
          }
        }
        if (fault !== undefined) {
          starts = this.starts
          starts[cell] = from
          return this.cut(fault, start, i, firstLineEnd, firstLineEnd < 0 ? cell : cellsOnFirstLine, last)
        }
      } else {
        for (;;) {
          while (i < end && outside[bytes[i]!] === 0) i++
          if (i >= end) {
            if (!last) return false
            ending = LineEnd
            break
          }
          const kind = outside[bytes[i]!]!
          if (kind === Separator || kind === LineEnd) {
            ending = kind
            break
          }
          if (kind === EvidenceByte) {
            const mark = bytes[i]!
            if (mark === EVIDENCE) {
              if (evidenceAt < 0) evidenceAt = i
              i++
            } else {
              flags |= mark === NUMBER ? NumberCell : mark === NOT_TEXT ? NotText : TroubleCell
              from = ++i
            }
          } else {
            flags |= kind === HighByte ? High : kind === QuoteMark ? StrayQuote : Control
            i++
          }
        }
        to = evidenceAt < 0 ? Math.min(i, end) : evidenceAt
      }
      starts[cell] = from
      ends[cell] = to
      flagsOf[cell] = flags
      if (++cell === starts.length) {
        this.grow()
        starts = this.starts
        ends = this.ends
        flagsOf = this.flags
        opens = this.opens
        readIn = this.readIn
      }
      if (ending === Separator) {
        i++
        continue
      }
      let next = i + 1
      if (i < end && bytes[i] === CR) {
        if (next >= end && !last) return false
        if (next < end && bytes[next] === LF) next++
      }
      this.count = cell
      this.recordEnd = Math.min(i, end)
      this.next = Math.min(next, end)
      return this.complete(lines, firstLineEnd < 0 ? Infinity : cellsOnFirstLine, lastBroken)
    }
  }

  /** Completes the record: the next record can be compared with it. */
  private complete(lines: number, firstBroken: number, lastBroken: number): true {
    this.fault = undefined
    this.lineBreaks = lines + 1
    this.firstBroken = firstBroken
    this.lastBroken = lastBroken
    this.isKnown = true
    return true
  }

  /**
   * Cells from this cell on, which begins at `from`, that equal the previous record's including the
   * separator need no scan. Returns the first cell to scan, or `count` if only the same line end is
   * left.
   */
  private takeSame(cell: number, from: number): number {
    const { ends, opens, starts } = this
    const last = this.count - 1
    const most = cell > this.lastBroken ? last : Math.min(last, this.firstBroken)
    this.alike = 0
    if (cell > most) return cell
    const before = opens[cell]!
    const length = this.next - before
    const same = this.sameFrom(before, from, Math.min(length, this.end - from))
    let to = cell
    while (to < most && opens[to + 1]! - before <= same) to++
    // an LF may follow a CR
    const isRest =
      to === last &&
      same === length &&
      to > this.lastBroken &&
      this.next !== this.recordEnd &&
      this.bytes[this.next - 1] !== CR
    if (!isRest && this.flags[to] === 0 && starts[to] === opens[to])
      this.alike = Math.min(same + before, ends[to]!) - starts[to]!
    if (isRest) {
      to++
      this.recordEnd += from - before
      this.next += from - before
    }
    for (let i = cell; i < to; i++) {
      opens[i] = opens[i]! + from - before
      starts[i] = starts[i]! + from - before
      ends[i] = ends[i]! + from - before
    }
    return to
  }

  /** Returns the number of equal bytes from both positions. */
  private sameFrom(one: number, other: number, most: number): number {
    const { bytes, view } = this
    let same = 0
    // eight bytes at a time, as numbers; a zero has two forms, and NaN never equals itself: both
    // are compared byte by byte
    while (same + 8 <= most) {
      const eight = view.getFloat64(one + same, true)
      if (eight !== view.getFloat64(other + same, true) || eight === 0) break
      same += 8
    }
    while (same < most && bytes[one + same] === bytes[other + same]) same++
    return same
  }

  /** Cuts a broken record to its first line; reading restarts after it. */
  private cut(fault: Fault, start: number, from: number, firstLineEnd: number, cells: number, last: boolean): boolean {
    const { bytes, end } = this
    let lineEnd = firstLineEnd
    if (lineEnd < 0) {
      lineEnd = from
      while (lineEnd < end && bytes[lineEnd] !== LF && bytes[lineEnd] !== CR) lineEnd++
      if (lineEnd >= end - 1 && !last) return false
    }
    this.recordStart = start
    this.recordEnd = lineEnd
    this.next = Math.min(end, lineEnd + (bytes[lineEnd] === CR && bytes[lineEnd + 1] === LF ? 2 : 1))
    this.count = cells
    this.fault = fault
    this.lineBreaks = 1
    return true
  }

  /** The broken record is its first line, or, for a line without end, all bytes so far. */
  private tooLong(): void {
    const { at, bytes, end } = this
    let lineEnd = at
    while (lineEnd < end && bytes[lineEnd] !== LF && bytes[lineEnd] !== CR) lineEnd++
    const fault = lineEnd < end - 1 ? "unterminated-quote" : "record-too-long"
    this.skippingLine = fault === "record-too-long"
    this.cut(fault, at, at, lineEnd, 0, true)
    if (this.skippingLine) {
      this.next = end
      this.lineBreaks = 0
    }
    this.starts[0] = at
  }

  /** False if its end is not in the buffer. */
  private skipLine(last: boolean): boolean {
    const { bytes, end } = this
    let i = this.at
    while (i < end && bytes[i] !== LF && bytes[i] !== CR) i++
    const found = i < end && (last || bytes[i] === LF || i + 1 < end)
    const next = found ? i + (bytes[i] === CR && bytes[i + 1] === LF ? 2 : 1) : i
    this.nextOffset += next - this.at
    this.at = next
    if (found) {
      this.nextLine++
      this.skippingLine = false
    }
    return found
  }

  private grow(): void {
    const size = this.starts.length * 2
    const [starts, ends, flags, opens, readIn] = [
      new Int32Array(size),
      new Int32Array(size),
      new Uint8Array(size),
      new Int32Array(size),
      new Int32Array(size)
    ]
    opens.set(this.opens)
    readIn.set(this.readIn)
    this.opens = opens
    this.readIn = readIn
    starts.set(this.starts)
    ends.set(this.ends)
    flags.set(this.flags)
    this.starts = starts
    this.ends = ends
    this.flags = flags
  }
}

/**
 * Splits a stream of JSON bytes into records, one record in memory at a time. Records are
 * consecutive values (JSON lines, a single document), the elements of an array, or the elements of
 * the lists of an envelope (`{"Invoices": [...]}`).
 */
import { Result } from "effect"
import { beginsEnvelope, isOfRecord } from "./Collection.ts"
import { nameOf } from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { child } from "@fiscal-connector/adapter-kit/unstable/json/Pointer"
import { Utf8 } from "@fiscal-connector/adapter-kit/unstable/json/Utf8"

/** Text and place of one record. */
export interface Piece {
  readonly _tag: "Piece"
  readonly text: string
  /** Line of the first character, counted from 1. */
  readonly line: number
  /** JSON pointer within the enclosing value of the file; "" for the value itself. */
  readonly pointer: string
  /** Name of the list that contains the record, in the spelling of `nameOf`. */
  readonly collection: string | undefined
}

/** A place with invalid JSON; the following text is read. */
export interface BrokenPiece {
  readonly _tag: "BrokenPiece"
  readonly problem: string
  readonly line: number
  readonly pointer: string
}

/** Reason why the rest of a file cannot be split into records. */
export interface SplitFailure {
  readonly problem: string
  /** `foreign`: no part of the file is JSON. */
  readonly extent: "foreign" | "damaged"
  readonly line: number
}

/** Maximum length of a record in bytes. Longer records would exceed the memory bound. */
const longestRecord = 64 * 1024 * 1024

/** Maximum number of open brackets: more than any parser allows, few enough to store. */
const deepestOpen = 10_000

const NEWLINE = 10
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

const among = (...bytes: ReadonlyArray<number>): Uint8Array => {
  const table = new Uint8Array(256)
  for (const c of bytes) table[c] = 1
  return table
}

/** Bytes that matter inside a string, and bytes that matter elsewhere in an object or an array. */
const inStrings = among(NEWLINE, QUOTE, BACKSLASH)
const besideStrings = among(NEWLINE, QUOTE, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY)

const isBlank = (c: number) => c === SPACE || (c >= 9 && c <= 13)

/** Returns true for a byte of a byte order mark; concatenated files contain a mark each. */
const isOfMark = (c: number) => c === 0xef || c === 0xbb || c === 0xbf

export class JsonSplitter {
  failure: SplitFailure | undefined

  private readonly utf8 = new Utf8()
  private bytes = new Uint8Array(1 << 17)
  private end = 0
  /** Index of the next byte. */
  private at = 0
  private line = 1
  private pieces: Array<Piece | BrokenPiece> = []

  /**
   * Current position: between the values of the file, or inside its array, its object, or a list of
   * its envelope.
   */
  private frame: "top" | "array" | "object" | "list" = "top"
  private expected: "value" | "value-or-end" | "comma-or-end" | "key" | "key-or-end" | "colon" | "member" = "value"
  /** Start of the current value of the file. */
  private top = 0
  private topLine = 0
  /** Form of the file's object. Until decided, the buffer keeps the object from its start. */
  private shape: "undecided" | "envelope" = "undecided"
  private key = ""
  private collection: string | undefined
  /** Index of the next element. */
  private index = 0

  /** Kind of the value that is being skipped over without parsing. */
  private role: "none" | "key" | "member" | "element" | "record" = "none"
  private start = 0
  private startLine = 0
  private isInString = false
  private isEscaped = false
  private open: Array<number> = []

  /**
   * True for JSON lines: a newline ends the value even with open brackets, so that an invalid line
   * does not affect others.
   */
  private isLines = false
  /** Line of the file's last value if the value used a single line; 0 for several lines. */
  private ownLine = 0
  private isSkipping = false

  /** Returns the pieces that these bytes complete. Check `failure` afterwards. */
  push(chunk: Uint8Array): ReadonlyArray<Piece | BrokenPiece> {
    return this.read(this.utf8.push(chunk))
  }

  /** Returns the pieces that the end of the file completes. Check `failure` afterwards. */
  finish(): ReadonlyArray<Piece | BrokenPiece> {
    const pieces = this.read(this.utf8.finish())
    if (this.topLine === 0) this.fail("it is empty")
    if (this.frame !== "top") this.fail(`the file ends inside the value that begins on line ${this.topLine}`)
    return pieces
  }

  /** Size of the buffer in bytes. */
  get held(): number {
    return this.bytes.length
  }

  private read(bytes: Uint8Array): ReadonlyArray<Piece | BrokenPiece> {
    this.append(bytes)
    while (this.at < this.end && this.failure === undefined) {
      if (this.role === "none") this.token(this.bytes[this.at]!)
      else this.runThrough()
    }
    const { pieces } = this
    this.pieces = []
    return pieces
  }

  private append(chunk: Uint8Array): void {
    const isKept = this.frame === "object" && this.shape === "undecided"
    const kept = isKept ? this.top : this.role === "none" ? this.at : this.start
    const length = this.end - kept + chunk.length
    if (this.end + chunk.length > this.bytes.length) {
      const target = length > this.bytes.length ? new Uint8Array(2 * length) : this.bytes
      target.set(this.bytes.subarray(kept, this.end))
      this.bytes = target
      this.end -= kept
      this.at -= kept
      this.start -= kept
      this.top -= kept
    }
    this.bytes.set(chunk, this.end)
    this.end += chunk.length
    if (length > longestRecord + chunk.length) this.fail("one record is longer than 64 MiB")
  }

  private fail(problem: string): void {
    this.failure ??= { problem, extent: this.topLine === 0 ? "foreign" : "damaged", line: this.line }
  }

  /** Reports invalid JSON. For JSON lines only the line is lost, otherwise the rest of the file. */
  private broken(problem: string): void {
    if (!this.isLines) return this.fail(problem)
    this.pieces.push({ _tag: "BrokenPiece", problem, line: this.line, pointer: "" })
    this.frame = "top"
    this.expected = "value"
    this.role = "none"
    this.isInString = false
    this.isEscaped = false
    this.open = []
    this.isSkipping = true
  }

  private newline(): void {
    if (this.isLines && this.frame !== "top") this.broken("the line ends before its value does")
    this.isSkipping = false
    this.line++
  }

  private token(c: number): void {
    if (c === NEWLINE) this.newline()
    else if (!isBlank(c) && !this.isSkipping && !(this.frame === "top" && isOfMark(c))) return this.structure(c)
    this.at++
  }

  private structure(c: number): void {
    switch (this.frame) {
      case "top":
        return this.beginTop(c)
      case "object":
        return this.member(c)
      case "array":
      case "list":
        return this.element(c)
    }
  }

  private beginTop(c: number): void {
    if (this.ownLine !== 0 && this.line > this.ownLine) this.isLines = true
    if (c !== OPEN_OBJECT && c !== OPEN_ARRAY)
      return this.broken(this.topLine === 0 ? "it is not JSON" : "something else than JSON")
    this.top = this.at++
    this.topLine = this.line
    this.shape = "undecided"
    this.collection = undefined
    this.index = 0
    this.frame = c === OPEN_ARRAY ? "array" : "object"
    this.expected = c === OPEN_ARRAY ? "value-or-end" : "key-or-end"
  }

  private endTop(): void {
    this.frame = "top"
    this.expected = "value"
    this.ownLine = this.topLine === this.line ? this.line : 0
  }

  private element(c: number): void {
    if (c === CLOSE_ARRAY && this.expected !== "value") {
      this.at++
      if (this.frame === "array") return this.endTop()
      this.frame = "object"
      this.expected = "comma-or-end"
    } else if (this.expected === "comma-or-end") {
      if (c !== COMMA) return this.broken("a comma or ] is expected")
      this.at++
      this.expected = "value"
    } else this.begin("element", c)
  }

  private member(c: number): void {
    if (c === CLOSE_OBJECT && (this.expected === "key-or-end" || this.expected === "comma-or-end")) {
      this.at++
      if (this.shape === "undecided") this.piece(this.top, this.topLine, "")
      return this.endTop()
    }
    switch (this.expected) {
      case "key":
      case "key-or-end":
        return c === QUOTE ? this.begin("key", c) : this.broken("a quoted name is expected")
      case "colon":
        if (c !== COLON) return this.broken("a colon is expected")
        this.at++
        this.expected = "member"
        return
      case "comma-or-end":
        if (c !== COMMA) return this.broken("a comma or } is expected")
        this.at++
        this.expected = "key"
        return
      default:
        if (c !== OPEN_ARRAY || !beginsEnvelope(nameOf(this.key))) return this.begin("member", c)
        this.at++
        this.collection = nameOf(this.key)
        this.shape = "envelope"
        this.frame = "list"
        this.expected = "value-or-end"
        this.index = 0
    }
  }

  private begin(role: "key" | "member" | "element", c: number): void {
    if (c === COMMA || c === COLON || c === CLOSE_ARRAY || c === CLOSE_OBJECT) {
      return this.broken("a value is expected")
    }
    this.role = role
    this.start = this.at
    this.startLine = this.line
  }

  /** Advances to the end of a value, tracking only strings, brackets and lines. */
  private runThrough(): void {
    const { bytes, end } = this
    for (; this.at < end; this.at++) {
      let c = bytes[this.at]!
      // most bytes are irrelevant: skip them with a table lookup
      if (this.isInString ? !this.isEscaped : this.open.length > 0) {
        const matters = this.isInString ? inStrings : besideStrings
        let at = this.at
        while (matters[c] === 0 && ++at < end) c = bytes[at]!
        this.at = at
        if (at === end) return
      }
      if (c === NEWLINE) {
        if (!this.isInString && this.open.length === 0) return this.ended(this.at)
        if (this.isLines) return this.broken("the line ends before its value does")
        this.line++
      } else if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false
        else if (c === BACKSLASH) this.isEscaped = true
        else if (c === QUOTE) {
          this.isInString = false
          if (this.open.length === 0) return this.ended(this.at + 1)
        }
      } else if (c === QUOTE) this.isInString = true
      else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
        if (this.open.push(c) > deepestOpen) return this.broken("values are nested too deeply")
      } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
        if (this.open.length === 0) return this.ended(this.at)
        // the code of an opening bracket is two less than the code of its closing bracket
        if (this.open.pop() !== c - 2) return this.broken("a bracket does not close the one that is open")
        if (this.open.length === 0) return this.ended(this.at + 1)
      } else if (this.open.length === 0 && (c === COMMA || isBlank(c))) return this.ended(this.at)
    }
  }

  private ended(at: number): void {
    const { role } = this
    this.at = at
    this.role = "none"
    this.expected = "comma-or-end"
    if (role === "key") this.named(text(this.bytes.subarray(this.start + 1, at - 1)) ?? "")
    else if (role === "element") {
      const list = this.frame === "list" ? child("", this.key) : ""
      this.piece(this.start, this.startLine, child(list, this.index++))
    } else if (role === "record") {
      this.piece(this.start, this.startLine, "")
      this.endTop()
    }
  }

  private named(key: string): void {
    this.key = key
    this.expected = "colon"
    if (!isOfRecord(nameOf(key))) return
    if (this.shape === "envelope") return this.broken("one object holds both a list of records and the fields of one")
    // a record cannot contain a list of the export: advance to its end
    this.role = "record"
    this.start = this.top
    this.startLine = this.topLine
    this.open = [OPEN_OBJECT]
  }

  private piece(start: number, line: number, pointer: string): void {
    const { collection } = this
    const decoded = text(this.bytes.subarray(start, this.at))
    this.pieces.push(
      decoded === undefined
        ? { _tag: "BrokenPiece", problem: "it is not UTF-8", line, pointer }
        : { _tag: "Piece", text: decoded, line, pointer, collection }
    )
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const text = (bytes: Uint8Array): string | undefined => Result.getOrUndefined(Result.try(() => utf8.decode(bytes)))

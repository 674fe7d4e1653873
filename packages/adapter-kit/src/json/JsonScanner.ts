/**
 * Extracts records from a stream of bytes, one record in memory at a time: the records at JSON
 * pointers, or the records of an envelope whose lists are known by name. Skips all other values.
 */
import { Result } from "effect"
import { child } from "./Pointer.ts"
import { Utf8 } from "./Utf8.ts"

export interface ScannedRecord {
  readonly text: string
  /** Line of the first character, counted from 1. */
  readonly line: number
  readonly pointer: string
  readonly list: string
}

export interface DamagedRecord {
  readonly problem: string
  readonly line: number
  readonly pointer: string
}

export interface ScanFailure {
  readonly text: string
  readonly line: number
  /** `foreign`: no part of the file is JSON. */
  readonly extent: "foreign" | "damaged"
}

/**
 * Names that tell an object with lists of records from an object that is a record. The first
 * matching name of an object decides. With an envelope, JSON lines lose only the damaged line.
 */
export interface Envelope {
  isList(name: string): boolean
  isOfRecord(name: string): boolean
}

/** Maximum length of a record in bytes. Longer records would exceed the memory bound. */
export const longestRecord = 64 * 1024 * 1024

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

const segmentsOf = (pointer: string): ReadonlyArray<string> => {
  if (pointer !== "" && !pointer.startsWith("/"))
    throw new TypeError(`${pointer} is not a JSON pointer; an example is /rows`)
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
}

interface ScanFrame {
  readonly form: "object" | "array"
  /**
   * `list`: the elements are the records. `way`: a record may be deeper inside. `undecided`: an
   * object that is a record or an envelope; the buffer keeps the object from its start.
   */
  role: "way" | "list" | "undecided" | "envelope"
  readonly pointer: string
  readonly alive: ReadonlyArray<ReadonlyArray<string>>
  index: number
  key: string
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const textOf = (bytes: Uint8Array): string | undefined => Result.getOrUndefined(Result.try(() => utf8.decode(bytes)))

export class JsonScanner {
  failure: ScanFailure | undefined
  hasFound = false

  private readonly pointers: ReadonlyArray<ReadonlyArray<string>>
  private readonly envelope: Envelope | undefined
  private readonly utf8 = new Utf8()
  private bytes = new Uint8Array(1 << 17)
  private end = 0
  private at = 0
  private line = 1
  private readonly frames: Array<ScanFrame> = []
  private expected: "value" | "value-or-end" | "comma-or-end" | "key" | "key-or-end" | "colon" = "value"
  /** Start of the current value of the file. Line 0: no value has begun. */
  private top = 0
  private topLine = 0

  private running: "none" | "key" | "record" | "skipped" = "none"
  private start = 0
  private startLine = 0
  /** True for a number or a word that ends only at a comma, a bracket or a blank. */
  private isScalar = false
  private isInString = false
  private isEscaped = false
  private open: Array<number> = []
  private pointer = ""
  private list = ""

  /**
   * True for JSON lines: a newline ends the value even with open brackets, so that an invalid line
   * does not affect others.
   */
  private isLines = false
  /** Line of the file's last value if the value used a single line; 0 for several lines. */
  private ownLine = 0
  private isSkipping = false
  private records: Array<ScannedRecord | DamagedRecord> = []

  constructor(pointers: ReadonlyArray<string>, envelope?: Envelope) {
    this.pointers = pointers.map(segmentsOf)
    this.envelope = envelope
  }

  push(chunk: Uint8Array): ReadonlyArray<ScannedRecord | DamagedRecord> {
    return this.read(this.utf8.push(chunk))
  }

  finish(): ReadonlyArray<ScannedRecord | DamagedRecord> {
    const records = this.read(this.utf8.finish())
    if (this.topLine === 0) this.fail("it is empty")
    else if (this.frames.length > 0 || this.running !== "none")
      this.fail(`the file ends inside the value that begins on line ${this.topLine}`)
    return records
  }

  get held(): number {
    return this.bytes.length
  }

  private read(bytes: Uint8Array): ReadonlyArray<ScannedRecord | DamagedRecord> {
    this.append(bytes)
    while (this.at < this.end && this.failure === undefined) {
      if (this.running === "none") this.token(this.bytes[this.at]!)
      else this.run()
    }
    const { records } = this
    this.records = []
    return records
  }

  private append(chunk: Uint8Array): void {
    const isUndecided = this.frames[0]?.role === "undecided"
    const isKept = this.running === "key" || this.running === "record"
    const kept = isUndecided ? this.top : isKept ? this.start : this.at
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

  private fail(text: string): void {
    this.failure ??= { text, extent: this.topLine === 0 ? "foreign" : "damaged", line: this.line }
  }

  /** For JSON lines only the line is lost, otherwise the rest of the file. */
  private broken(problem: string): void {
    if (!this.isLines) return this.fail(problem)
    this.records.push({ problem, line: this.line, pointer: "" })
    this.frames.length = 0
    this.expected = "value"
    this.running = "none"
    this.isInString = false
    this.isEscaped = false
    this.open = []
    this.isSkipping = true
  }

  private token(c: number): void {
    const isTop = this.frames.length === 0
    if (c === NEWLINE) {
      if (this.isLines && !isTop) this.broken("the line ends before its value does")
      this.isSkipping = false
      this.line++
    } else if (!isBlank(c) && !this.isSkipping && !(isTop && isOfMark(c))) return this.structure(c)
    this.at++
  }

  private structure(c: number): void {
    const frame = this.frames.at(-1)
    if (frame === undefined) return this.beginTop(c)
    const isObject = frame.form === "object"
    const close = isObject ? CLOSE_OBJECT : CLOSE_ARRAY
    switch (this.expected) {
      case "key":
      case "key-or-end":
        if (c === QUOTE) return this.begin("key", c)
        if (c === close && this.expected === "key-or-end") return this.leave()
        return this.broken("a quoted name is expected")
      case "colon":
        if (c !== COLON) return this.broken("a colon is expected")
        this.expected = "value"
        this.at++
        return
      case "comma-or-end":
        if (c === close) return this.leave()
        if (c !== COMMA) return this.broken(`a comma or ${isObject ? "}" : "]"} is expected`)
        this.expected = isObject ? "key" : "value"
        this.at++
        return
      case "value-or-end":
        if (c === close) return this.leave()
        return this.value(c, frame)
      case "value":
        return this.value(c, frame)
    }
  }

  private beginTop(c: number): void {
    if (this.envelope !== undefined && this.ownLine !== 0 && this.line > this.ownLine) this.isLines = true
    if (c !== OPEN_ARRAY && c !== OPEN_OBJECT)
      return this.broken(this.topLine === 0 ? "it is not JSON" : "something else than JSON")
    this.top = this.at
    this.topLine = this.line
    this.value(c, undefined)
  }

  private endTop(): void {
    this.expected = "value"
    this.ownLine = this.topLine === this.line ? this.line : 0
  }

  private leave(): void {
    this.at++
    const left = this.frames.pop()!
    if (left.role === "undecided") this.take(this.top, this.topLine, "", "")
    // an object that may hold lists and is empty is an empty export; an object with an error
    // message is not an export
    if (left.form === "object" && left.key === "" && left.alive.some(([segment]) => segment === "*"))
      this.hasFound = true
    this.ended()
  }

  private ended(): void {
    if (this.frames.length === 0) this.endTop()
    else this.expected = "comma-or-end"
  }

  private value(c: number, frame: ScanFrame | undefined): void {
    if (frame?.role === "undecided" || frame?.role === "envelope") return this.member(c, frame)
    const token = frame === undefined ? undefined : frame.form === "array" ? frame.index++ : frame.key
    const pointer = token === undefined ? "" : child(frame!.pointer, token)
    if (frame?.role === "list") return this.record(c, pointer, frame.pointer)
    const alive =
      frame === undefined
        ? this.pointers
        : frame.alive.filter(([segment]) => segment === "*" || segment === String(token)).map((rest) => rest.slice(1))
    const isContainer = c === OPEN_ARRAY || c === OPEN_OBJECT
    if (alive.some((rest) => rest.length === 0)) {
      // a text or null instead of the list is not an empty list
      this.hasFound ||= isContainer || frame?.form === "array"
      if (c === OPEN_ARRAY) return this.enter("array", "list", pointer, [])
      if (c === OPEN_OBJECT && frame === undefined && this.envelope !== undefined)
        return this.enter("object", "undecided", pointer, [])
      if (c === OPEN_OBJECT || frame?.form === "array") return this.record(c, pointer, pointer)
    } else if (isContainer && alive.length > 0) {
      if (c === OPEN_ARRAY && alive.some(([segment]) => segment === "*")) this.hasFound = true
      return this.enter(c === OPEN_ARRAY ? "array" : "object", "way", pointer, alive)
    }
    this.begin("skipped", c)
  }

  private member(c: number, frame: ScanFrame): void {
    if (c !== OPEN_ARRAY || !this.envelope!.isList(frame.key)) return this.begin("skipped", c)
    frame.role = "envelope"
    this.enter("array", "list", child("", frame.key), [])
  }

  private enter(form: ScanFrame["form"], role: ScanFrame["role"], pointer: string, alive: ScanFrame["alive"]): void {
    if (this.frames.length > 100) return this.fail("values are nested too deeply")
    this.frames.push({ form, role, pointer, alive, index: 0, key: "" })
    this.expected = form === "array" ? "value-or-end" : "key-or-end"
    this.at++
  }

  private record(c: number, pointer: string, list: string): void {
    this.pointer = pointer
    this.list = list
    this.begin("record", c)
  }

  private begin(running: "key" | "record" | "skipped", c: number): void {
    if (c === COMMA || c === COLON || c === CLOSE_ARRAY || c === CLOSE_OBJECT) return this.broken("a value is expected")
    this.running = running
    this.start = this.at
    this.startLine = this.line
    this.isScalar = c !== QUOTE && c !== OPEN_OBJECT && c !== OPEN_ARRAY && this.envelope === undefined
  }

  private runScalar(): void {
    for (; this.at < this.end; this.at++) {
      const c = this.bytes[this.at]!
      if (c === COMMA || c === CLOSE_OBJECT || c === CLOSE_ARRAY || isBlank(c)) return this.close(this.at)
    }
  }

  private run(): void {
    if (this.isScalar) return this.runScalar()
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
        if (!this.isInString && this.open.length === 0) return this.close(this.at)
        if (this.isLines) return this.broken("the line ends before its value does")
        this.line++
        this.isEscaped = false
      } else if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false
        else if (c === BACKSLASH) this.isEscaped = true
        else if (c === QUOTE) {
          this.isInString = false
          if (this.open.length === 0) return this.close(this.at + 1)
        }
      } else if (c === QUOTE) this.isInString = true
      else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
        if (this.open.push(c) > deepestOpen) return this.broken("values are nested too deeply")
      } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
        if (this.open.length === 0) return this.close(this.at)
        // the code of an opening bracket is two less than the code of its closing bracket
        const isClosed = this.open.pop() === c - 2
        // without an envelope, the parser finds the damage, and only the record is lost
        if (!isClosed && this.envelope !== undefined)
          return this.broken("a bracket does not close the one that is open")
        if (this.open.length === 0) return this.close(this.at + 1)
      } else if (this.open.length === 0 && (c === COMMA || isBlank(c))) return this.close(this.at)
    }
  }

  private close(at: number): void {
    const { running, start } = this
    this.at = at
    this.running = "none"
    if (running === "key") return this.named(start)
    if (running === "record") this.take(start, this.startLine, this.pointer, this.list)
    this.ended()
  }

  private named(start: number): void {
    const frame = this.frames.at(-1)!
    const isTop = frame.role === "undecided" || frame.role === "envelope"
    const text = textOf(this.bytes.subarray(start, this.at)) ?? ""
    const known = Result.getOrUndefined(Result.try(() => JSON.parse(text) as string))
    if (known === undefined && !isTop) return this.broken("a name is malformed")
    // the parser of a record reports a malformed name, and only the record is lost
    const name = known ?? text.slice(1, -1)
    frame.key = name
    this.expected = "colon"
    if (!isTop || !this.envelope!.isOfRecord(name)) return
    if (frame.role === "envelope") return this.broken("one object holds both a list of records and the fields of one")
    // a record cannot contain a list of the export: advance to its end
    this.frames.pop()
    this.pointer = ""
    this.list = ""
    this.running = "record"
    this.start = this.top
    this.startLine = this.topLine
    this.open = [OPEN_OBJECT]
  }

  private take(start: number, line: number, pointer: string, list: string): void {
    const text = textOf(this.bytes.subarray(start, this.at))
    if (text !== undefined) this.records.push({ text, line, pointer, list })
    // without an envelope, a reader of joined records would lose a record in silence
    else if (this.envelope === undefined) this.fail("it is not UTF-8")
    else this.records.push({ problem: "it is not UTF-8", line, pointer })
  }
}

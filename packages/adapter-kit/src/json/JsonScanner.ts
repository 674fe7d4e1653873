/**
 * Extracts records at JSON pointers from a stream of bytes, one record in memory at a time. Skips
 * values that no pointer leads to.
 */
import { Result } from "effect"
import { child } from "./Pointer.ts"
import { Utf8 } from "./Utf8.ts"

/** Value at a pointer: an element of the list there, or the single object there. */
export interface ScannedRecord {
  readonly text: string
  /** Line of the first character, counted from 1. */
  readonly line: number
  readonly pointer: string
  /**
   * Pointer of the list that contains the record; the record's own pointer if there is not a list.
   */
  readonly list: string
}

/** Reason why the rest of the file is unreadable. */
export interface ScanFailure {
  readonly problem: string
  readonly line: number
}

/** Maximum length of a record in bytes. Longer records would exceed the memory bound. */
export const longestRecord = 64 * 1024 * 1024

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

const isBlank = (c: number) => c === SPACE || (c >= 9 && c <= 13)

/** Returns the tokens of a pointer; `*` matches any name and any index. */
const segmentsOf = (pointer: string): ReadonlyArray<string> => {
  if (pointer !== "" && !pointer.startsWith("/"))
    throw new TypeError(`${pointer} is not a JSON pointer; an example is /rows`)
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
}

interface Frame {
  readonly form: "object" | "array"
  /** `list`: the elements are the records. `way`: a record may be deeper inside. */
  readonly role: "way" | "list"
  readonly pointer: string
  /** Rest of each pointer that leads through this value. */
  readonly alive: ReadonlyArray<ReadonlyArray<string>>
  index: number
  key: string
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const textOf = (bytes: Uint8Array): string | undefined => Result.getOrUndefined(Result.try(() => utf8.decode(bytes)))

export class JsonScanner {
  failure: ScanFailure | undefined
  /** True if any of the pointers has led to a list or an object. */
  hasFound = false

  private readonly pointers: ReadonlyArray<ReadonlyArray<string>>
  private readonly utf8 = new Utf8()
  private bytes = new Uint8Array(1 << 16)
  private end = 0
  private at = 0
  private line = 1
  private hasValue = false
  private readonly frames: Array<Frame> = []
  private expected: "value" | "value-or-end" | "comma-or-end" | "key" | "key-or-end" | "colon" = "value"
  private running: "none" | "key" | "record" | "skipped" = "none"
  private start = 0
  private startLine = 0
  private depth = 0
  private string: "no" | "yes" | "escaped" = "no"
  private scalar: "no" | "yes" = "no"
  private pointer = ""
  private list = ""
  private records: Array<ScannedRecord> = []

  constructor(pointers: ReadonlyArray<string>) {
    this.pointers = pointers.map(segmentsOf)
  }

  /** Returns the records that these bytes complete. Check `failure` afterwards. */
  push(chunk: Uint8Array): ReadonlyArray<ScannedRecord> {
    return this.read(this.utf8.push(chunk))
  }

  /** Returns the records that the end of the file completes. Check `failure` afterwards. */
  finish(): ReadonlyArray<ScannedRecord> {
    const records = this.read(this.utf8.finish())
    if (this.running !== "none" && this.scalar === "yes" && this.frames.length === 0) this.ended(this.end)
    if (!this.hasValue) this.fail("it is empty")
    else if (this.frames.length > 0 || this.running !== "none") this.fail("the file ends inside a value: it is cut off")
    const all = [...records, ...this.records]
    this.records = []
    return all
  }

  private read(bytes: Uint8Array): ReadonlyArray<ScannedRecord> {
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
    const kept = this.running === "none" || this.running === "skipped" ? this.at : this.start
    const length = this.end - kept + chunk.length
    if (this.end + chunk.length > this.bytes.length) {
      const target = length > this.bytes.length ? new Uint8Array(2 * length) : this.bytes
      target.set(this.bytes.subarray(kept, this.end))
      this.bytes = target
      this.end -= kept
      this.at -= kept
      this.start -= kept
    }
    this.bytes.set(chunk, this.end)
    this.end += chunk.length
    if (length > longestRecord + chunk.length) this.fail("one record is longer than 64 MiB")
  }

  private fail(problem: string): void {
    this.failure ??= { problem, line: this.line }
  }

  private token(c: number): void {
    if (c === NEWLINE) this.line++
    else if (!isBlank(c)) {
      if (this.frames.length === 0 && (c === 0xef || c === 0xbb || c === 0xbf)) {
        // concatenated files contain a byte order mark each
      } else return this.structure(c)
    }
    this.at++
  }

  private structure(c: number): void {
    const frame = this.frames.at(-1)
    if (frame === undefined) return this.value(c, undefined)
    const close = frame.form === "object" ? CLOSE_OBJECT : CLOSE_ARRAY
    switch (this.expected) {
      case "key":
      case "key-or-end":
        if (c === QUOTE) return this.begin("key", c)
        if (c === close && this.expected === "key-or-end") return this.leave()
        return this.fail("a quoted name is expected")
      case "colon":
        if (c !== COLON) return this.fail("a colon is expected")
        this.expected = "value"
        this.at++
        return
      case "comma-or-end":
        if (c === close) return this.leave()
        if (c !== COMMA) return this.fail("a comma is expected, or the end of the list or object")
        this.expected = frame.form === "object" ? "key" : "value"
        this.at++
        return
      case "value-or-end":
        if (c === close) return this.leave()
        return this.value(c, frame)
      case "value":
        return this.value(c, frame)
    }
  }

  private leave(): void {
    this.at++
    const left = this.frames.pop()
    // an object that may hold lists and is empty is an empty export; an object with an error
    // message is not an export
    if (left?.form === "object" && left.key === "" && left.alive.some(([segment]) => segment === "*"))
      this.hasFound = true
    this.expected = this.frames.length === 0 ? "value" : "comma-or-end"
  }

  /**
   * Begins a value: a record, a list of records, a container on the way to a record, or a value to
   * skip.
   */
  private value(c: number, frame: Frame | undefined): void {
    this.hasValue = true
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
      if (c === OPEN_OBJECT || frame?.form === "array") return this.record(c, pointer, pointer)
    } else if (isContainer && alive.length > 0) {
      if (c === OPEN_ARRAY && alive.some(([segment]) => segment === "*")) this.hasFound = true
      return this.enter(c === OPEN_ARRAY ? "array" : "object", "way", pointer, alive)
    }
    if (frame === undefined && !isContainer)
      return this.fail(this.line === 1 ? "it is not JSON" : "something else than JSON follows")
    this.begin("skipped", c)
  }

  private enter(form: Frame["form"], role: Frame["role"], pointer: string, alive: Frame["alive"]): void {
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
    if (c === COMMA || c === COLON || c === CLOSE_ARRAY || c === CLOSE_OBJECT) return this.fail("a value is expected")
    this.running = running
    this.start = this.at
    this.startLine = this.line
    this.depth = c === OPEN_ARRAY || c === OPEN_OBJECT ? 1 : 0
    this.string = c === QUOTE ? "yes" : "no"
    this.scalar = this.depth === 0 && this.string === "no" ? "yes" : "no"
    this.at++
  }

  /** Advances to the end of the value, or to the end of the available bytes. */
  private run(): void {
    const { bytes, end } = this
    let { at, depth, string } = this
    const isScalar = this.scalar === "yes"
    for (; at < end; at++) {
      const c = bytes[at]!
      if (c === NEWLINE) this.line++
      if (string === "escaped") string = "yes"
      else if (string === "yes") {
        if (c === BACKSLASH) string = "escaped"
        else if (c === QUOTE) {
          string = "no"
          if (depth === 0) return this.ended(at + 1)
        }
      } else if (isScalar) {
        if (c === COMMA || c === CLOSE_ARRAY || c === CLOSE_OBJECT || isBlank(c)) {
          if (c === NEWLINE) this.line--
          return this.ended(at)
        }
      } else if (c === QUOTE) string = "yes"
      else if (c === OPEN_OBJECT || c === OPEN_ARRAY) depth++
      else if ((c === CLOSE_OBJECT || c === CLOSE_ARRAY) && --depth === 0) return this.ended(at + 1)
    }
    this.at = at
    this.depth = depth
    this.string = string
  }

  private ended(at: number): void {
    const { running, start } = this
    this.at = at
    this.running = "none"
    this.string = "no"
    this.depth = 0
    if (running === "key") {
      const key = textOf(this.bytes.subarray(start, at))
      const name = Result.getOrUndefined(Result.try(() => JSON.parse(key ?? "") as string))
      if (name === undefined) return this.fail("a name is malformed")
      this.frames.at(-1)!.key = name
      this.expected = "colon"
      return
    }
    this.expected = this.frames.length === 0 ? "value" : "comma-or-end"
    if (running === "skipped") return
    const text = textOf(this.bytes.subarray(start, at))
    if (text === undefined) return this.fail("it is not UTF-8")
    this.records.push({ text, line: this.startLine, pointer: this.pointer, list: this.list })
  }
}

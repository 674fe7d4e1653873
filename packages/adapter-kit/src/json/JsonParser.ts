/**
 * Parser of one JSON value: strict RFC 8259, numbers as text, the line of every member, duplicate
 * keys rejected.
 *
 * `JSON.parse` converts numbers to doubles, and with a reviver is slower than this parser.
 */
import { Result } from "effect"
import { type Json, JsonNumber, JsonObject } from "./Json.ts"

export interface JsonProblem {
  readonly text: string
  readonly line: number
}

/** Maximum depth: deeper than any export, and shallow enough for the stack. */
export const deepest = 200

class Broken {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const TAB = 9
const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const LARGE_E = 69
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const SMALL_E = 101
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

class Parser {
  readonly text: string
  line: number
  at = 0

  constructor(text: string, line: number) {
    this.text = text
    this.line = line
  }

  next(): number {
    for (;;) {
      const c = this.text.charCodeAt(this.at)
      if (c === NEWLINE) this.line++
      else if (c !== SPACE && c !== RETURN && c !== TAB) return c
      this.at++
    }
  }

  value(depth: number): Json | Broken {
    const c = this.next()
    if (c === QUOTE) return this.string()
    if (c === OPEN_OBJECT) return depth > deepest ? new Broken("values are nested too deeply") : this.object(depth)
    if (c === OPEN_ARRAY) return depth > deepest ? new Broken("values are nested too deeply") : this.array(depth)
    if (c === MINUS || (c >= ZERO && c <= NINE)) return this.number()
    if (this.take("null")) return null
    if (this.take("true")) return true
    if (this.take("false")) return false
    return new Broken(Number.isNaN(c) ? "the value ends too early" : "a value is expected")
  }

  take(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  number(): JsonNumber | Broken {
    const end = this.plainNumber()
    if (end !== undefined) {
      const text = this.text.slice(this.at, end)
      this.at = end
      return new JsonNumber(text)
    }
    number.lastIndex = this.at
    const text = number.exec(this.text)?.[0]
    if (text === undefined) return new Broken("a number is malformed")
    this.at += text.length
    return new JsonNumber(text)
  }

  /** Returns the end of a plain figure, the usual case; undefined if the pattern must decide. */
  plainNumber(): number | undefined {
    const { text } = this
    let i = this.at
    if (text.charCodeAt(i) === MINUS) i++
    const whole = i
    let c = text.charCodeAt(i)
    while (c >= ZERO && c <= NINE) c = text.charCodeAt(++i)
    if (i === whole || (i > whole + 1 && text.charCodeAt(whole) === ZERO)) return undefined
    if (c === POINT) {
      const fraction = i + 1
      do c = text.charCodeAt(++i)
      while (c >= ZERO && c <= NINE)
      if (i === fraction) return undefined
    }
    return c === SMALL_E || c === LARGE_E ? undefined : i
  }

  string(): string | Broken {
    const start = this.at
    let isEscaped = false
    for (let i = start + 1; i < this.text.length; i++) {
      const c = this.text.charCodeAt(i)
      if (c === QUOTE) {
        this.at = i + 1
        return isEscaped ? this.unescape(start) : this.text.slice(start + 1, i)
      }
      if (c === BACKSLASH) {
        isEscaped = true
        i++
      } else if (c < SPACE) return new Broken("a text holds a control character that is not escaped")
    }
    return new Broken("a text is not closed")
  }

  unescape(start: number): string | Broken {
    const text = Result.try(() => JSON.parse(this.text.slice(start, this.at)) as string)
    return Result.getOrElse(text, () => new Broken("a text holds a malformed escape"))
  }

  array(depth: number): ReadonlyArray<Json> | Broken {
    const values: Array<Json> = []
    this.at++
    if (this.next() === CLOSE_ARRAY) {
      this.at++
      return values
    }
    for (;;) {
      const value = this.value(depth + 1)
      if (value instanceof Broken) return value
      values.push(value)
      const c = this.next()
      this.at++
      if (c === CLOSE_ARRAY) return values
      if (c !== COMMA) return new Broken("a comma or ] is expected")
    }
  }

  object(depth: number): JsonObject | Broken {
    const object = new JsonObject(this.line)
    const start = this.at++
    let isTwice = false
    if (this.next() === CLOSE_OBJECT) return this.close(object, start)
    for (;;) {
      if (this.next() !== QUOTE) return new Broken("a quoted name is expected")
      const line = this.line
      if (!this.expected(object)) {
        const key = this.string()
        if (key instanceof Broken) return key
        if (object.members.has(key)) isTwice = true
        else object.members = object.members.with(key)
      }
      if (this.next() !== COLON) return new Broken("a colon is expected")
      this.at++
      const value = this.value(depth + 1)
      if (value instanceof Broken) return value
      object.values.push(value)
      object.lines.push(line)
      const c = this.next()
      if (c === CLOSE_OBJECT)
        return isTwice ? new Broken("a name appears twice in one object") : this.close(object, start)
      if (c !== COMMA) return new Broken("a comma or } is expected")
      this.at++
    }
  }

  /**
   * Accepts the key that followed last time, if the text has the same key here. Avoids allocating a
   * string.
   */
  expected(object: JsonObject): boolean {
    const { next } = object.members
    if (next?.last === undefined || !next.isPlain) return false
    const end = this.at + 1 + next.last.length
    // `substring` compares memory; `startsWith` compares character by character
    if (this.text.charCodeAt(end) !== QUOTE || this.text.substring(this.at + 1, end) !== next.last) return false
    this.at = end + 1
    object.members = next
    return true
  }

  close(object: JsonObject, start: number): JsonObject {
    this.at++
    object.text = this.text.slice(start, this.at)
    return object
  }
}

export const parse = (text: string, line: number): Result.Result<Json, JsonProblem> => {
  const parser = new Parser(text, line)
  const value = parser.value(0)
  if (value instanceof Broken) return Result.fail({ text: value.text, line: parser.line })
  if (Number.isNaN(parser.next())) return Result.succeed(value)
  return Result.fail({ text: "something follows the value", line: parser.line })
}

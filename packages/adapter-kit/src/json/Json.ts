/**
 * JSON values as the export writes them: numbers keep their digits; members keep spelling, order
 * and line.
 */

/** A JSON value; a number keeps its text. */
export type Json = null | boolean | string | JsonNumber | ReadonlyArray<Json> | JsonObject

/** A number literal as text, never converted to a double. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** They protect memory from a file that generates its keys. */
const mostShared = 10_000
const longestShared = 128
let shared = 0

export class JsonKeys {
  readonly last: string | undefined
  readonly keys: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  readonly isPlain: boolean
  next: JsonKeys | undefined
  private readonly others = new Map<string, JsonKeys>()

  constructor(last?: string, keys: ReadonlyArray<string> = [], names: ReadonlyArray<string> = []) {
    this.last = last
    this.keys = keys
    this.names = names
    this.isPlain = last !== undefined && JSON.stringify(last) === `"${last}"`
  }

  has(key: string): boolean {
    return this.keys.includes(key)
  }

  with(key: string): JsonKeys {
    const known = this.others.get(key)
    if (known !== undefined) return (this.next = known)
    if (shared === mostShared || this.keys.length === longestShared || key.length >= 64)
      return new OwnKeys(this).with(key)
    shared++
    // a copy: a substring keeps the whole text in memory
    const own = JSON.parse(JSON.stringify(key)) as string
    const made = new JsonKeys(own, [...this.keys, own], [...this.names, nameOf(own)])
    this.others.set(own, made)
    return (this.next = made)
  }
}

class OwnKeys extends JsonKeys {
  declare readonly keys: Array<string>
  declare readonly names: Array<string>
  private readonly known: Set<string>

  constructor({ keys, names }: JsonKeys) {
    super(undefined, [...keys], [...names])
    this.known = new Set(keys)
  }

  override has(key: string): boolean {
    return this.known.has(key)
  }

  override with(key: string): this {
    this.keys.push(key)
    this.names.push(nameOf(key))
    this.known.add(key)
    return this
  }
}

export const noKeys = new JsonKeys()

export class JsonObject {
  members = noKeys
  readonly values: Array<Json> = []
  /** Line of the file for each member's key, counted from 1. */
  readonly lines: Array<number> = []
  readonly line: number
  /** Text of the object as the export writes it; set after the last brace was read. */
  text = "{}"
  constructor(line: number) {
    this.line = line
  }

  get keys(): ReadonlyArray<string> {
    return this.members.keys
  }

  get names(): ReadonlyArray<string> {
    return this.members.names
  }
}

export const isJsonObject = (value: unknown): value is JsonObject => value instanceof JsonObject

export const isJsonNumber = (value: unknown): value is JsonNumber => value instanceof JsonNumber

export const isArray = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

const names = new Map<string, string>()

/**
 * Returns the letters and digits in lower case: `InvoiceID`, `invoiceID`, `invoice_id` and
 * `Invoice.ID` are all `invoiceid`.
 */
export const nameOf = (key: string): string => {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")
  // Exports use a few hundred keys; the limit protects memory from a file that generates its keys.
  if (names.size < 2000 && key.length < 64) names.set(key, name)
  return name
}

/**
 * Returns the position of the first of `candidates` with a value, else of the first that is
 * present; -1 if no candidate is present.
 */
export const indexOf = (object: JsonObject, candidates: ReadonlyArray<string>): number => {
  const { names } = object.members
  let present = -1
  for (let i = 0; i < candidates.length; i++) {
    const index = names.indexOf(candidates[i]!)
    if (index === -1) continue
    if (object.values[index] !== null) return index
    if (present === -1) present = index
  }
  return present
}

/** Writes JSON text without white space. Every number keeps its digits. */
export const write = (value: Json): string => {
  if (value instanceof JsonNumber) return value.text
  if (value instanceof JsonObject) {
    return `{${value.keys.map((key, i) => `${JSON.stringify(key)}:${write(value.values[i]!)}`).join(",")}}`
  }
  return isArray(value) ? `[${value.map(write).join(",")}]` : JSON.stringify(value)
}

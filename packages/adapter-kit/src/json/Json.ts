/** JSON as the export writes it: numbers keep their digits, members their spelling, order and line. */

/** A JSON value; a number keeps its text. */
export type Json = null | boolean | string | JsonNumber | ReadonlyArray<Json> | JsonObject

/** A number literal by its own text; no double stands between it and a decimal. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** How many lists of keys are shared, and how long they may be; a file that makes up its own keys does not get to fill the memory. */
const mostShared = 10_000
const longestShared = 128
let shared = 0

/** The keys of an object up to one of them, and what has come after them: records of an export have the same ones, and share them. */
export class JsonKeys {
  /** The last key; undefined of no keys. */
  readonly last: string | undefined
  readonly keys: ReadonlyArray<string>
  /** What they are looked up by, see `nameOf`. */
  readonly names: ReadonlyArray<string>
  /** Whether the last key stands in a text as it is, with nothing escaped. */
  readonly isPlain: boolean
  /** With the key that came after these the last time. */
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

  /** These and one more, which is none of them. */
  with(key: string): JsonKeys {
    const known = this.others.get(key)
    if (known !== undefined) return (this.next = known)
    if (shared === mostShared || this.keys.length === longestShared || key.length >= 64)
      return new OwnKeys(this).with(key)
    shared++
    // a copy: a part of a text keeps the whole text in memory
    const own = JSON.parse(JSON.stringify(key)) as string
    const made = new JsonKeys(own, [...this.keys, own], [...this.names, nameOf(own)])
    this.others.set(own, made)
    return (this.next = made)
  }
}

/** Of one object alone. */
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

/** Of an object without members, from which all others come. */
export const noKeys = new JsonKeys()

/** An object with its members in order, in parallel lists. */
export class JsonObject {
  /** Those of `keys` and `names`. */
  members = noKeys
  readonly values: Array<Json> = []
  /** The line of the file on which each member's key stands, counted from 1. */
  readonly lines: Array<number> = []
  readonly line: number
  /** All of it as the export writes it; set once it has been read to its end. */
  text = "{}"
  constructor(line: number) {
    this.line = line
  }

  /** As the export spells them. */
  get keys(): ReadonlyArray<string> {
    return this.members.keys
  }

  /** What they are looked up by, see `nameOf`. */
  get names(): ReadonlyArray<string> {
    return this.members.names
  }
}

/** Whether the value is an array. */
export const isArray = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

const names = new Map<string, string>()

/** Letters and digits in lower case: `InvoiceID`, `invoiceID`, `invoice_id` and `Invoice.ID` are all `invoiceid`. */
export const nameOf = (key: string): string => {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")
  // Exports use a few hundred keys; a file that makes up its own does not get to fill the memory.
  if (names.size < 2000 && key.length < 64) names.set(key, name)
  return name
}

/** The position of the first of `candidates` that has a value, else of the first that is there at all; -1 for none. */
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

/** JSON text with every number's own digits, without white space. */
export const write = (value: Json): string => {
  if (value instanceof JsonNumber) return value.text
  if (value instanceof JsonObject) {
    return `{${value.keys.map((key, i) => `${JSON.stringify(key)}:${write(value.values[i]!)}`).join(",")}}`
  }
  return isArray(value) ? `[${value.map(write).join(",")}]` : JSON.stringify(value)
}

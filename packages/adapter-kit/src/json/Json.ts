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

/** An object with its members in order, in parallel lists: exports repeat few names in many small objects. */
export class JsonObject {
  /** As the export spells them. */
  readonly keys: Array<string> = []
  /** What they are looked up by, see `nameOf`. */
  readonly names: Array<string> = []
  readonly values: Array<Json> = []
  /** The line of the file on which each member's key stands, counted from 1. */
  readonly lines: Array<number> = []
  readonly line: number
  /** All of it as the export writes it; set once it has been read to its end. */
  text = "{}"
  constructor(line: number) {
    this.line = line
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
  let present = -1
  for (const candidate of candidates) {
    const index = object.names.indexOf(candidate)
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

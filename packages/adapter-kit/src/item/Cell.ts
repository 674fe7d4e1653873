import { type JsonNumber, JsonObject, isArray, type Json } from "../json/Json.ts"

/** Member that holds the reasons. The adapter ignores the member when it reads the file again. */
export const reasonsKey = "Refused"

/**
 * A value of a database driver that JSON cannot express: a point in time, or a number that went
 * through a double.
 */
export class Foreign {
  readonly value: Date | number
  constructor(value: Date | number) {
    this.value = value
  }
}

export class RowValues {
  readonly keys: ReadonlyArray<string>
  readonly values: ReadonlyArray<Cell>
  constructor(keys: ReadonlyArray<string>, values: ReadonlyArray<Cell>) {
    this.keys = keys
    this.values = values
  }
}

export type CellMembers = JsonObject | RowValues

export type Cell = null | boolean | string | JsonNumber | Foreign | ReadonlyArray<Cell> | CellMembers

export const isMembers = (cell: Cell | undefined): cell is CellMembers =>
  cell instanceof JsonObject || cell instanceof RowValues

export const isList = (cell: Cell | undefined): cell is ReadonlyArray<Cell> => isArray(cell as Json | undefined)

export const member = (members: CellMembers, key: string): Cell | undefined => members.values[members.keys.indexOf(key)]

const known = new Map<string, ReadonlyArray<string>>()

/** Returns the tokens of a JSON pointer (RFC 6901). A name without a leading slash is one token. */
export const tokensOf = (key: string): ReadonlyArray<string> => {
  const tokens = known.get(key)
  if (tokens !== undefined) return tokens
  const split = key.startsWith("/")
    ? key
        .slice(1)
        .split("/")
        .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    : [key]
  // an adapter names a few dozen cells; the limit protects memory from an adapter that generates
  // names
  if (known.size < 2000) known.set(key, split)
  return split
}

export const cellAt = (from: Cell, tokens: ReadonlyArray<string>): Cell | undefined => {
  let cell: Cell | undefined = from
  for (const token of tokens) {
    if (isMembers(cell)) cell = member(cell, token)
    else if (isList(cell) && /^(0|[1-9]\d*)$/.test(token)) cell = cell[Number(token)]
    else return undefined
  }
  return cell
}

/** Where a record stands, and enough of it to find any of its values again and to write it back. */
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import { Result } from "effect"
import { JsonNumber, JsonObject, write } from "../json/Json.ts"
import { parse } from "../json/JsonParser.ts"
import { child } from "../json/Pointer.ts"
import { type Cell, cellAt, Foreign, isList, isMembers, type RowValues } from "./Cell.ts"

/** In `text` the longest of what a finding quotes. */
const longestText = 200

const textOf = (cell: Cell | undefined): string | undefined => {
  const text =
    typeof cell === "string"
      ? cell
      : cell instanceof JsonNumber
        ? cell.text
        : typeof cell === "boolean"
          ? String(cell)
          : undefined
  return text?.slice(0, longestText)
}

export interface Origin {
  /** The place of what `tokens` lead to from the record's root; of the record itself where there are none. */
  place(tokens: ReadonlyArray<string>): Provenance
  /** The record as JSON, to be written back. */
  readonly json: string
  /** The list it stands in, as a JSON pointer; rows of a program's own have none. */
  readonly list: string | undefined
}

/** A record of a JSON file by its own text: the parsed form takes ten times the memory and is made again when it is wanted. */
export class JsonOrigin implements Origin {
  readonly json: string
  readonly list: string
  private readonly file: string
  private readonly line: number
  private readonly pointer: string

  constructor(file: string, line: number, pointer: string, list: string, text: string) {
    this.file = file
    this.line = line
    this.pointer = pointer
    this.list = list
    this.json = text
  }

  place(tokens: ReadonlyArray<string>): Provenance {
    const pointer = tokens.reduce(child, this.pointer)
    const value = tokens.length === 0 ? undefined : Result.getOrUndefined(parse(this.json, this.line))
    const text = value === undefined ? undefined : textOf(cellAt(value, tokens))
    return {
      file: this.file,
      line: value === undefined ? this.line : lineOf(value, tokens, this.line),
      ...(pointer !== "" && { pointer }),
      ...(text !== undefined && { text })
    }
  }
}

/** The line of the deepest of the named members that is there. */
const lineOf = (root: Cell, tokens: ReadonlyArray<string>, first: number): number => {
  let line = first
  let cell: Cell | undefined = root
  for (const token of tokens) {
    if (cell instanceof JsonObject) {
      const index: number = cell.keys.indexOf(token)
      line = cell.lines[index] ?? cell.line
      cell = cell.values[index]
    } else if (isList(cell)) {
      cell = cell[Number(token)]
      if (cell instanceof JsonObject) line = cell.line
    } else break
  }
  return line
}

/** A row of a program's own: its number counted from 1, and its columns. */
export class RowOrigin implements Origin {
  readonly list = undefined
  private readonly file: string
  private readonly line: number
  private readonly values: RowValues

  constructor(file: string, line: number, values: RowValues) {
    this.file = file
    this.line = line
    this.values = values
  }

  get json(): string {
    return write(plain(this.values) as never)
  }

  place(tokens: ReadonlyArray<string>): Provenance {
    const [column] = tokens
    const text = textOf(cellAt(this.values, tokens))
    return {
      file: this.file,
      line: this.line,
      ...(column !== undefined && { columnName: column }),
      ...(tokens.length > 1 && { pointer: tokens.reduce(child, "") }),
      ...(text !== undefined && { text })
    }
  }
}

/** As JSON has it: a point in time as ISO 8601, a double as it prints. */
const plain = (cell: Cell): Cell => {
  if (cell instanceof Foreign) return cell.value instanceof Date ? cell.value.toISOString() : String(cell.value)
  if (isList(cell)) return cell.map(plain)
  if (!isMembers(cell)) return cell
  const object = new JsonObject(1)
  cell.keys.forEach((key, i) => {
    object.members = object.members.with(key)
    object.values.push(plain(cell.values[i] ?? null) as never)
  })
  return object
}

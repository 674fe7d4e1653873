/** Place of a record, with enough text to find each value again and to write the record back. */
import type { Provenance } from "@fiscal-connector/core/adapter"
import { Result } from "effect"
import { JsonNumber, JsonObject, write } from "../json/Json.ts"
import { parse } from "../json/JsonParser.ts"
import { child } from "../json/Pointer.ts"
import { type Cell, cellAt, Foreign, isList, isMembers, type RowValues } from "./Cell.ts"

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
  /**
   * Returns the place of the value that `tokens` lead to from the record's root. Without tokens,
   * the place of the record.
   */
  place(tokens: ReadonlyArray<string>): Provenance.Provenance
  readonly json: string
  readonly list: string | undefined
}

/**
 * A record of a JSON file, kept as text. The parsed form takes ten times the memory and is parsed
 * again on demand.
 */
export class JsonOrigin implements Origin {
  readonly json: string
  readonly list: string
  readonly file: string
  readonly line: number
  readonly pointer: string

  constructor(file: string, line: number, pointer: string, list: string, text: string) {
    this.file = file
    this.line = line
    this.pointer = pointer
    this.list = list
    this.json = text
  }

  place(tokens: ReadonlyArray<string>): Provenance.Provenance {
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

/** Place of a row that the program provides: the row's number counted from 1, and the columns. */
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

  place(tokens: ReadonlyArray<string>): Provenance.Provenance {
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

/** A point in time becomes ISO 8601, a double stays as printed. */
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

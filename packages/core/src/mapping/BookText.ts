import { Result } from "effect"
import * as Jsonc from "#jsonc-parser"
import * as JsonEdits from "../document/JsonEdits.ts"
import * as JsonProblem from "./JsonProblem.ts"
import * as Finding from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import { BookFinding } from "./BookFinding.ts"
import { comment } from "./BookSkeleton.ts"

export interface BookText {
  readonly value: unknown
  locate(path: Finding.Path): Provenance
  /**
   * One finding per field that appears twice in an object: one of them would silently have no
   * effect.
   */
  readonly repeated: ReadonlyArray<Finding.Finding>
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Lists: the book's entries come before the base's. Settings are merged field by field. */
const joined = (own: unknown, base: unknown): unknown => {
  if (Array.isArray(own) && Array.isArray(base)) return [...own, ...base]
  return isRecord(own) && isRecord(base) ? { ...base, ...own } : own
}

/**
 * Merges a book over its base: the book's fields take precedence, lists are joined, and places
 * refer to the original text. Both values must be objects.
 */
export const over = (own: BookText, base: BookText): BookText => {
  if (!isRecord(own.value) || !isRecord(base.value)) return own
  const { value } = own
  const { $schema: _, ...shared } = base.value
  const isOwn = ([name, part]: Finding.Path): boolean => {
    if (name === undefined || !(name in shared)) return true
    if (!(name in value)) return false
    const list = value[String(name)]
    if (Array.isArray(list)) return typeof part !== "number" || part < list.length
    return !isRecord(list) || part === undefined || part in list
  }
  const inBase = (path: Finding.Path): Finding.Path => {
    const [name, index, ...rest] = path
    const list = value[String(name)]
    return Array.isArray(list) && typeof index === "number" ? [name!, index - list.length, ...rest] : path
  }
  return {
    value: {
      ...shared,
      ...Object.fromEntries(
        Object.entries(value).map(([name, own]) => [name, name in shared ? joined(own, shared[name]) : own])
      )
    },
    locate: (path) => (isOwn(path) ? own.locate(path) : base.locate(inBase(path))),
    repeated: [...own.repeated, ...base.repeated]
  }
}

/**
 * Limit of nesting: no manually written file is nested deeper, and the recursive parser would
 * overflow.
 */
const deepest = 100

export const tooDeep = (json: string): number | undefined => {
  const scanner = Jsonc.createScanner(json, true)
  let depth = 0
  for (let token = scanner.scan(); token !== Jsonc.SyntaxKind.EOF; token = scanner.scan()) {
    if (token === Jsonc.SyntaxKind.OpenBraceToken || token === Jsonc.SyntaxKind.OpenBracketToken) depth += 1
    if (token === Jsonc.SyntaxKind.CloseBraceToken || token === Jsonc.SyntaxKind.CloseBracketToken) depth -= 1
    if (depth > deepest) return scanner.getTokenOffset()
  }
  return undefined
}

/** Reads JSON with comments and trailing commas. Fails with every syntax error and its place. */
export const read = (file: string, text: string): Result.Result<BookText, ReadonlyArray<Finding.Finding>> => {
  const json = text.replace(/^\uFEFF/, "")
  const at = (offset: number): Provenance => {
    const before = json.slice(0, offset).split("\n")
    return { file, line: before.length, column: before.at(-1)!.length + 1 }
  }
  const deep = tooDeep(json)
  if (deep !== undefined) {
    const message = `nested more than ${deepest} deep`
    return Result.fail([Finding.make(BookFinding.BOOK_SYNTAX, { message, at: at(deep) })])
  }
  const errors: Array<Jsonc.ParseError> = []
  const tree = Jsonc.parseTree(json, errors, { allowTrailingComma: true })
  if (tree === undefined || errors.length > 0) {
    const empty: Jsonc.ParseError = { error: Jsonc.ParseErrorCode.ValueExpected, offset: 0, length: 0 }
    const places = errors.length > 0 ? errors : [empty]
    return Result.fail(
      places.map(({ error, offset }) =>
        Finding.make(BookFinding.BOOK_SYNTAX, {
          message: JsonProblem.problemText(error),
          at: at(offset)
        })
      )
    )
  }
  const locate = (path: Finding.Path): Provenance => {
    const node = Jsonc.findNodeAtLocation(tree, [...path])
    return node === undefined && path.length > 0 ? locate(path.slice(0, -1)) : at((node ?? tree).offset)
  }
  const repeated = Array.from(repeatedFields(tree), (field) => {
    const path = Jsonc.getNodePath(field)
    const message = `${path.join(".")}: appears twice in the same object`
    return Finding.make(BookFinding.BOOK_SHAPE, { message, path, at: at(field.offset) })
  })
  return Result.succeed({ value: Jsonc.getNodeValue(tree), locate, repeated })
}

function* repeatedFields(node: Jsonc.Node): Generator<Jsonc.Node> {
  const names = new Set<string>()
  for (const child of node.children ?? []) {
    const name = child.type === "property" ? child.children?.[0] : undefined
    if (name !== undefined && names.has(name.value)) yield name
    if (name !== undefined) names.add(name.value)
    yield* repeatedFields(child)
  }
}

/**
 * Adds the list if missing. All other text stays unchanged, including comments. `comments` follow
 * the entries, one text line each.
 */
export const append = (
  written: string,
  list: string,
  entries: ReadonlyArray<string>,
  comments: ReadonlyArray<string> = []
): string => {
  const text = written.replace(/^\uFEFF/, "")
  if (entries.length + comments.length === 0) return text
  const tree = Jsonc.parseTree(text, [], { allowTrailingComma: true })
  if (tree === undefined) return text
  const node = Jsonc.findNodeAtLocation(tree, [list])
  if (node?.type !== "array") {
    return append(JsonEdits.modified(text, [list], []), list, entries, comments)
  }
  const last = node.children?.at(-1)
  const close = node.offset + node.length - 1
  // commas inside comments do not count
  const isSeparated = last === undefined || hasComma(text.slice(last.offset + last.length, close))
  const inside = text.slice(last === undefined ? node.offset + 1 : last.offset + last.length, close).trimEnd()
  const head = text.slice(0, last === undefined ? node.offset + 1 : last.offset + last.length)
  const lines = [...entries.map((entry, i) => `${entry}${i < entries.length - 1 ? "," : ""}`), ...comments.map(comment)]
  return `${head}${isSeparated || entries.length === 0 ? "" : ","}${inside}\n    ${lines.join("\n    ")}\n  ${text.slice(close)}`
}

const hasComma = (between: string): boolean => {
  const scanner = Jsonc.createScanner(between, true)
  return scanner.scan() === Jsonc.SyntaxKind.CommaToken
}

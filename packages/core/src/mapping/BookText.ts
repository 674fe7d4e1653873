/** The text of a mapping book, JSON with comments: its value, and the line and column of every part of it. */
import { Result } from "effect"
import * as Jsonc from "jsonc-parser"
import * as Finding from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import { BookFinding } from "./BookFinding.ts"

export interface BookText {
  readonly value: unknown
  /** Where the value of a path stands; where there is none, what would hold it. */
  locate(path: Finding.Path): Provenance
  /** One finding for each field that stands twice in an object: one of the two would be silently without effect. */
  readonly repeated: ReadonlyArray<Finding.Finding>
}

/** Reads JSON with comments and with a comma after the last entry. Fails with every place that is not JSON. */
export const read = (file: string, text: string): Result.Result<BookText, ReadonlyArray<Finding.Finding>> => {
  const json = text.replace(/^\uFEFF/, "")
  const errors: Array<Jsonc.ParseError> = []
  const tree = Jsonc.parseTree(json, errors, { allowTrailingComma: true })
  const at = (offset: number): Provenance => {
    const before = json.slice(0, offset).split("\n")
    return { file, line: before.length, column: before.at(-1)!.length + 1 }
  }
  if (tree === undefined || errors.length > 0) {
    const empty: Jsonc.ParseError = { error: Jsonc.ParseErrorCode.ValueExpected, offset: 0, length: 0 }
    const places = errors.length > 0 ? errors : [empty]
    return Result.fail(
      places.map(({ error, offset }) =>
        Finding.make(BookFinding.BOOK_SYNTAX, {
          message: `not JSON: ${Jsonc.printParseErrorCode(error)}`,
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
    const message = `${path.join(".")}: stands twice in the same object`
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

/**
 * Escapes control characters of inserted text, so that a terminal or an editor does not obey them.
 */
import * as Jsonc from "#jsonc-parser"
import { escaped } from "./EscapedText.ts"

// keeps CR LF at the row ends
const inert = (content: string): string => content.split("\r\n").map(escaped).join("\r\n")

const formattingOptions = { insertSpaces: true, tabSize: 2 }

/**
 * Comments and all other text stay. Writes control and bidirectional characters of inserted content
 * as \u escapes. `how`: `insert` puts the value before the element of a list that has this place.
 * Default `set`.
 */
export const modified = (
  text: string,
  path: ReadonlyArray<string | number>,
  value: unknown,
  how: "set" | "insert" = "set"
): string => {
  const edits = Jsonc.modify(text, [...path], value, { formattingOptions, isArrayInsertion: how === "insert" })
  return Jsonc.applyEdits(
    text,
    edits.map((edit) => ({ ...edit, content: inert(edit.content) }))
  )
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const leaves = (
  value: Readonly<Record<string, unknown>>,
  path: ReadonlyArray<string> = []
): ReadonlyArray<readonly [path: Array<string>, value: unknown]> =>
  Object.entries(value).flatMap(([key, each]) =>
    isRecord(each) ? leaves(each, [...path, key]) : [[[...path, key], each] as const]
  )

export const withValues = (text: string, values: Readonly<Record<string, unknown>>): string =>
  leaves(values).reduce((edited, [path, value]) => modified(edited, path, value), text)

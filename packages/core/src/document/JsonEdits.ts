/**
 * Edits JSON files that users keep. Escapes control characters of inserted text, so that a terminal
 * or an editor does not obey them.
 */
import type { Edit } from "jsonc-parser"
import * as Jsonc from "#jsonc-parser"
import { escaped } from "./EscapedText.ts"

// keeps CR LF at the row ends
const inert = (content: string): string => content.split("\r\n").map(escaped).join("\r\n")

/**
 * Applies the edits to the text. Writes control and bidirectional characters of inserted content as
 * \u escapes.
 */
export const apply = (text: string, edits: ReadonlyArray<Edit>): string =>
  Jsonc.applyEdits(
    text,
    edits.map((edit) => ({ ...edit, content: inert(edit.content) }))
  )

const formattingOptions = { insertSpaces: true, tabSize: 2 }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns every value with its path; a list is one value. */
const leaves = (
  value: Readonly<Record<string, unknown>>,
  path: ReadonlyArray<string> = []
): ReadonlyArray<readonly [path: Array<string>, value: unknown]> =>
  Object.entries(value).flatMap(([key, each]) =>
    isRecord(each) ? leaves(each, [...path, key]) : [[[...path, key], each] as const]
  )

/** Returns the text with the values added or replaced; comments and all other text stay. */
export const withValues = (text: string, values: Readonly<Record<string, unknown>>): string =>
  leaves(values).reduce(
    (edited, [path, value]) => apply(edited, Jsonc.modify(edited, path, value, { formattingOptions })),
    text
  )

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

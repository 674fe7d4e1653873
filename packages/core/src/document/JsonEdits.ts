/** Edits of a JSON text that people keep. Text from an export is inert in it: a terminal or an editor obeys no character of it. */
import type { Edit } from "jsonc-parser"
import * as Jsonc from "#jsonc-parser"
import { escaped } from "./EscapedText.ts"

// a text that ends its rows with CR LF keeps them
const inert = (content: string): string => content.split("\r\n").map(escaped).join("\r\n")

/** Applies the edits to the text. Control and bidirectional characters of their contents are written as \u escapes. */
export const apply = (text: string, edits: ReadonlyArray<Edit>): string =>
  Jsonc.applyEdits(
    text,
    edits.map((edit) => ({ ...edit, content: inert(edit.content) }))
  )

/** The text of a stored document, read back. */
import { Effect } from "effect"
import type { DocumentKind, UndatedDocument } from "../document/FiscalDocument.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import type { StoreError } from "./StoreError.ts"
import { corrupt } from "./Stored.ts"

/** `number` is the document's. Fails where the text is none of ours: the file has been damaged, or tampered with. */
export const read = (kind: DocumentKind, text: string, number: string): Effect.Effect<UndatedDocument, StoreError> =>
  Effect.try({
    try: () => WrittenDocument.read({ kind, text }),
    catch: () => corrupt(`what is to be sent of ${kind} ${number}`)
  })

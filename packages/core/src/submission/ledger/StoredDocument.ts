import { Effect } from "effect"
import type { DocumentKind, UndatedDocument } from "../../document/FiscalDocument.ts"
import * as WrittenDocument from "../../document/WrittenDocument.ts"
import type { StoreError } from "./StoreError.ts"
import { corrupt } from "./Stored.ts"

/**
 * Reads a document. `number`: the document's number, for the error. Fails if the text is not in our
 * format: the file was damaged or tampered with.
 */
export const read = (kind: DocumentKind, text: string, number: string): Effect.Effect<UndatedDocument, StoreError> =>
  Effect.try({
    try: () => WrittenDocument.read({ kind, text }),
    catch: () => corrupt(`what is to be sent of ${kind} ${number}`)
  })

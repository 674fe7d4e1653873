/** By what a document is known. */
import type { DocumentKind } from "@fiscal-connector/core/document/FiscalDocument"
import { Document } from "./Fields.ts"
import type { Field, Place } from "../json/Place.ts"

export interface Identity {
  readonly id: string | undefined
  readonly number: string | undefined
}

export const idFieldOf = (kind: DocumentKind): Field =>
  kind === "invoice" ? Document.invoiceId : Document.creditNoteId

export const numberFieldOf = (kind: DocumentKind): Field =>
  kind === "invoice" ? Document.invoiceNumber : Document.creditNoteNumber

/** An id; the API gives elements that failed one of zeros. */
export const idIn = (place: Place, field: Field): string | undefined => {
  const id = place.key(field)
  return id === undefined || /^[0-]+$/.test(id) ? undefined : id
}

/** A row's own `id` may be that of its line, so that it counts for whole documents only. */
export const identityOf = (place: Place, kind: DocumentKind, form: "document" | "row"): Identity => ({
  id: idIn(place, idFieldOf(kind)) ?? (form === "document" ? idIn(place, Document.id) : undefined),
  number: place.key(numberFieldOf(kind))
})

/** What the rows of one document have in common; none where a row names no document. */
export const rowKeyOf = (place: Place, kind: DocumentKind): string | undefined => {
  const { id, number } = identityOf(place, kind, "row")
  return id === undefined && number === undefined ? undefined : `${kind} ${id ?? number}`
}

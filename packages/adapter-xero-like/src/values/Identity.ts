import type { FiscalDocument } from "@fiscal-connector/core/adapter"
import { Document } from "./Fields.ts"
import type { JsonField, JsonPlace } from "../json/Place.ts"

export interface Identity {
  readonly id: string | undefined
  readonly number: string | undefined
}

export const idFieldOf = (kind: FiscalDocument.DocumentKind): JsonField =>
  kind === "invoice" ? Document.invoiceId : Document.creditNoteId

export const numberFieldOf = (kind: FiscalDocument.DocumentKind): JsonField =>
  kind === "invoice" ? Document.invoiceNumber : Document.creditNoteNumber

/** Returns an id; undefined for the id of zeros that the API gives failed elements. */
export const idIn = (place: JsonPlace, field: JsonField): string | undefined => {
  const id = place.key(field)
  return id === undefined || /^[0-]+$/.test(id) ? undefined : id
}

/**
 * Returns id and number. A plain `id` counts only for whole documents, because a row's `id` may
 * belong to its line.
 */
export const identityOf = (
  place: JsonPlace,
  kind: FiscalDocument.DocumentKind,
  form: "document" | "row"
): Identity => ({
  id: idIn(place, idFieldOf(kind)) ?? (form === "document" ? idIn(place, Document.id) : undefined),
  number: place.key(numberFieldOf(kind))
})

export const rowKeyOf = (place: JsonPlace, kind: FiscalDocument.DocumentKind): string | undefined => {
  const { id, number } = identityOf(place, kind, "row")
  return id === undefined && number === undefined ? undefined : `${kind} ${id ?? number}`
}

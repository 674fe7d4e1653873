/**
 * Layout of a document in the export: an object with lists inside, or rows that repeat the document
 * for each line.
 */
import type { FiscalDocument } from "@fiscal-connector/core/adapter"
import {
  Allocation,
  Contact,
  type ContactFields,
  Document,
  Line,
  type XeroLineFields,
  RowAllocation,
  RowContact,
  RowLine
} from "./Fields.ts"
import { type Identity, identityOf } from "./Identity.ts"
import type { JsonPlace } from "../json/Place.ts"

export type ShapeRows = readonly [JsonPlace, ...ReadonlyArray<JsonPlace>]

export interface Shape extends Identity {
  readonly kind: FiscalDocument.DocumentKind
  readonly records: ShapeRows
  readonly form: "document" | "rows"
  readonly lines: ReadonlyArray<JsonPlace>
  readonly lineFields: XeroLineFields
  readonly contact: JsonPlace | undefined
  readonly contactFields: ContactFields
  readonly allocations: ReadonlyArray<JsonPlace>
  readonly allocationFields: typeof Allocation
}

export const ofDocument = (place: JsonPlace, kind: FiscalDocument.DocumentKind): Shape => ({
  ...identityOf(place, kind, "document"),
  kind,
  records: [place],
  form: "document",
  lines: place.list(Document.lines),
  lineFields: Line,
  contact: place.inner(Document.contact),
  contactFields: Contact,
  allocations: place.list(Document.allocations),
  allocationFields: Allocation
})

/** A join with allocations repeats each line per allocation, and each allocation per line. */
export const ofRows = (rows: ShapeRows, kind: FiscalDocument.DocumentKind): Shape => ({
  ...identityOf(rows[0], kind, "row"),
  kind,
  records: rows,
  form: "rows",
  lines: distinct(rows, (row) => row.text(RowLine.id)),
  lineFields: RowLine,
  contact: rows[0],
  contactFields: RowContact,
  allocations: distinct(
    rows.filter((row) => allocatedTo(row) !== undefined),
    allocatedTo
  ),
  allocationFields: RowAllocation
})

const allocatedTo = (row: JsonPlace) => row.text(RowAllocation.invoiceId) ?? row.text(RowAllocation.invoiceNumber)

const distinct = (
  places: ReadonlyArray<JsonPlace>,
  keyOf: (place: JsonPlace) => string | undefined
): ReadonlyArray<JsonPlace> => {
  const keys = new Set<string>()
  return places.filter((place) => {
    const key = keyOf(place)
    if (key === undefined) return true
    if (keys.has(key)) return false
    keys.add(key)
    return true
  })
}

/** What a credit note credits: its allocations, never its texts (formats.md A5). */
import { BigDecimal } from "effect"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { SourceOriginal } from "@fiscal-connector/core/source/SourceDocument"
import { Document } from "./Fields.ts"
import { idIn } from "./Identity.ts"
import type { Joins } from "./Joins.ts"
import type { Notes } from "./Notes.ts"
import type { Place } from "./Place.ts"
import type { Shape } from "./Shape.ts"
import { XeroFinding } from "./XeroFinding.ts"

export interface PlacedOriginal {
  readonly original: SourceOriginal
  readonly at: Provenance
}

/** Every allocation with its amount, in the export's order; where the note itself names none, the credits that invoices name. */
export const originalsOf = (shape: Shape, joins: Joins, notes: Notes): ReadonlyArray<PlacedOriginal> => {
  if (shape.kind !== "credit-note") return []
  const allocated = allocationsOf(shape, notes)
  if (allocated.length > 0 || shape.id === undefined) return allocated
  return (joins.credits.get(shape.id) ?? [])
    .filter(({ amount }) => amount === undefined || !BigDecimal.isZero(amount))
    .map(({ amount, at, invoiceId }) => ({
      original: { by: "id", value: invoiceId, ...(amount !== undefined && { amount }) },
      at
    }))
}

const allocationsOf = ({ allocationFields: fields, allocations }: Shape, notes: Notes): Array<PlacedOriginal> => {
  const originals: Array<PlacedOriginal> = []
  for (const allocation of allocations) {
    const path = ["originals", originals.length]
    const amount = notes.amount(allocation, fields.amount, [...path, "amount"])
    if (isVoid(allocation, fields) || (amount !== undefined && BigDecimal.isZero(amount))) continue
    const invoice = allocation.inner(fields.invoice) ?? allocation
    const id = idIn(invoice, fields.invoiceId)
    const number = invoice.text(fields.invoiceNumber)
    if (id === undefined && number === undefined) {
      notes.add(XeroFinding.XERO_ALLOCATION_UNNAMED, path, allocation.here)
      continue
    }
    const named =
      id === undefined ? ({ by: "number", value: number ?? "" } as const) : ({ by: "id", value: id } as const)
    originals.push({ original: { ...named, ...(amount !== undefined && { amount }) }, at: allocation.here })
  }
  return originals
}

/** Taken back, or never made. */
const isVoid = (allocation: Place, fields: Shape["allocationFields"]): boolean =>
  allocation.is(fields.isDeleted) ||
  allocation.word(fields.status) === "DELETED" ||
  allocation.word(Document.outcome) === "ERROR"

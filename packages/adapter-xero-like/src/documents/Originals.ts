/** Invoices that a credit note credits, from its allocations, never from its texts. */
import type { Finding, SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal, Result } from "effect"
import { Document } from "../values/Fields.ts"
import { idIn } from "../values/Identity.ts"
import type { Joins, PlacedOriginal } from "../joins/Joins.ts"
import type { XeroNotes } from "../values/Notes.ts"
import type { JsonPlace } from "../json/Place.ts"
import type { Shape } from "../values/Shape.ts"
import * as XeroDate from "../values/XeroDate.ts"
import { XeroFinding } from "../finding/XeroFinding.ts"

/** In the export's order. If the note names no invoice, the credits that invoices state. */
export const originalsOf = (shape: Shape, joins: Joins, notes: XeroNotes): ReadonlyArray<PlacedOriginal> => {
  if (shape.kind !== "credit-note") return []
  const allocated = allocationsOf(shape, notes)
  return allocated.length > 0 ? allocated : joins.creditsOf(shape.id ?? "")
}

const perInvoice = (originals: ReadonlyArray<PlacedOriginal>): ReadonlyArray<PlacedOriginal> =>
  Array.from(Map.groupBy(originals, ({ original }) => `${original.by} ${original.value}`).values(), (same) =>
    same.reduce(sum)
  )

const sum = (
  { at, original: { amount: one, ...named } }: PlacedOriginal,
  { original: { amount: other } }: PlacedOriginal
) => ({
  at,
  original: { ...named, ...(one !== undefined && other !== undefined && { amount: BigDecimal.sum(one, other) }) }
})

const allocationsOf = (
  { allocationFields: fields, allocations }: Shape,
  notes: XeroNotes
): ReadonlyArray<PlacedOriginal> => {
  const originals: Array<PlacedOriginal> = []
  for (const allocation of allocations) {
    const path = ["originals", originals.length]
    const amount = notes.amount(allocation, fields.amount, [...path, "amount"])
    if (isVoid(allocation, fields) || (amount !== undefined && BigDecimal.isZero(amount))) continue
    const invoice = allocation.inner(fields.invoice) ?? allocation
    const id = idIn(invoice, fields.invoiceId)
    const number = invoice.key(fields.invoiceNumber)
    if (id === undefined && number === undefined) {
      notes.add(XeroFinding.XERO_ALLOCATION_UNNAMED, path, allocation.here)
      continue
    }
    const named =
      id === undefined
        ? ({ by: "number", value: number ?? "" } as const)
        : ({ by: "id", value: id, ...(number !== undefined && { number }) } as const)
    const facts = factsOf(allocation.inner(fields.invoice), path, notes)
    originals.push({ original: { ...named, ...(amount !== undefined && { amount }), ...facts }, at: allocation.here })
  }
  return perInvoice(originals)
}

const factsOf = (
  invoice: JsonPlace | undefined,
  path: Finding.Path,
  notes: XeroNotes
): Pick<SourceDocument.SourceOriginal, "date" | "currency" | "total"> => {
  if (invoice === undefined) return {}
  const day = invoice.text(Document.dateString) ?? invoice.text(Document.date)
  const date = day === undefined ? undefined : Result.getOrUndefined(XeroDate.parse(day))
  const currency = invoice.text(Document.currency)
  const total = notes.amount(invoice, Document.total, [...path, "total"])
  return {
    ...(date !== undefined && { date }),
    ...(currency !== undefined && { currency }),
    ...(total !== undefined && { total })
  }
}

const isVoid = (allocation: JsonPlace, fields: Shape["allocationFields"]): boolean =>
  allocation.is(fields.isDeleted) ||
  allocation.upperCase(fields.status) === "DELETED" ||
  allocation.upperCase(Document.outcome) === "ERROR"

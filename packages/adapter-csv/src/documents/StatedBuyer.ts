import { FormulaText, type SourceDocument } from "@fiscal-connector/core/adapter"
import type { BoundCells } from "../columns/Binding.ts"
import * as Row from "../scan/Row.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import { present } from "../values/Present.ts"
import type { DocumentCells } from "./DocumentCells.ts"
import type { Notes } from "./Notes.ts"

const isEmpty = (parts: object): boolean => {
  for (const _ in parts) return false
  return true
}

const joined = (parts: BoundCells, row: Row.Row): string | undefined => {
  if (parts.length === 0) return undefined
  const cells = Row.cells(row)
  const name = parts
    .map((cell) => FormulaText.withoutMarks((cells[cell] ?? "").trim()).trim())
    .filter((part) => part !== "")
  return name.join(" ") || undefined
}

/**
 * Returns the buyer; undefined if not stated. Reports a buyer with only an id, and an id with two
 * names.
 */
export const read = (
  { binding, buyersInDoubt, settings }: Interpretation,
  cells: DocumentCells,
  notes: Notes,
  first: Row.Row
): SourceDocument.SourceBuyer | undefined => {
  const address = present({
    province: cells.text("province"),
    street: cells.text("street"),
    houseNo: cells.text("houseNo"),
    city: cells.text("city")
  })
  const buyer = present({
    name: cells.text("customerName") ?? joined(binding.nameParts, first),
    tradeName: cells.text("customerTradeName"),
    tin: cells.identifier("customerTin"),
    vatNumber: cells.identifier("customerVat"),
    phone: cells.identifier("customerPhone"),
    email: cells.text("customerEmail"),
    address: isEmpty(address) ? undefined : address
  })
  const doubt = buyersInDoubt.size === 0 ? undefined : buyersInDoubt.get(cells.text("customerId") ?? "")
  if (doubt !== undefined) {
    notes.report(CsvFinding.CSV_BUYERS_DIFFER, { path: ["buyer"], detail: doubt, at: cells.place("customerId") })
  }
  if (!isEmpty(buyer)) {
    const id = cells.has("customerId") ? cells.text("customerId") : undefined
    return id === undefined ? buyer : { id, ...buyer }
  }
  if (cells.text("customerId") !== undefined && settings.unknownBuyers !== "walk-in") {
    notes.report(CsvFinding.CSV_BUYER_UNKNOWN, { path: ["buyer"], at: cells.place("customerId") })
  }
  return undefined
}

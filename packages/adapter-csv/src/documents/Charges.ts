import type { Money, SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { CsvFinding } from "../finding/CsvFinding.ts"
import type { DocumentCells } from "./DocumentCells.ts"
import type { ChargeField } from "../columns/Field.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import type { Notes } from "./Notes.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { present } from "../values/Present.ts"

const kindOf: { readonly [Field in ChargeField]: SourceDocument.SourceCharge["kind"] } = {
  shipping: "shipping",
  fee: "fee",
  adjustment: "adjustment",
  rounding: "rounding",
  documentDiscount: "discount"
}

export const read = ({ binding, settings }: Interpretation, cells: DocumentCells, notes: Notes) => {
  const stated: Array<SourceDocument.SourceCharge> = []
  const fields: Array<ChargeField> = []
  for (const field of binding.charges) {
    const amount = cells.number(field)
    if (amount !== undefined && !BigDecimal.isZero(amount)) {
      stated.push({ kind: kindOf[field], amount, taxes: taxesOf(field, cells, settings.chargeTaxes?.[field]) })
      fields.push(field)
    } else if (!isZero(cells.number(`${field}TaxAmount`))) {
      notes.report(CsvFinding.CSV_CHARGE_TAX_ALONE, { path: ["charges"], at: cells.place(`${field}TaxAmount`) })
    }
  }
  return { stated, fields }
}

/** A tax without a name is kept with an empty code, because it cannot be ignored. */
const taxesOf = (
  field: ChargeField,
  cells: DocumentCells,
  fallback: string | undefined
): ReadonlyArray<SourceDocument.SourceTax> => {
  const code = cells.text(`${field}TaxCode`) ?? fallback
  const percent = cells.number(`${field}TaxPercent`, NumberForm.readPercent)
  const amount = cells.number(`${field}TaxAmount`)
  if (code === undefined && isZero(percent) && isZero(amount)) return []
  return [{ code: code ?? "", ...present({ percent, amount }) }]
}

const isZero = (number: Money.Money | undefined): boolean => number === undefined || BigDecimal.isZero(number)

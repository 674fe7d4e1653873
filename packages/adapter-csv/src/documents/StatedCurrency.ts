import type { Interpretation } from "../detect/Interpretation.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import * as Row from "../scan/Row.ts"
import * as CurrencySign from "../values/CurrencySign.ts"
import type * as NumberForm from "../values/NumberForm.ts"
import type { DocumentCells } from "./DocumentCells.ts"
import type { Notes } from "./Notes.ts"

/**
 * Returns the column's currency, otherwise the operator's, otherwise the only money sign next to
 * the figures. `first`: first row of the document.
 */
export const read = (
  { moneySigns, settings }: Interpretation,
  cells: DocumentCells,
  notes: Notes,
  first: Row.Row
): string | undefined => {
  const stated = cells.text("currency") ?? settings.currency
  const { signs } = notes
  const other =
    stated === undefined
      ? signs.find((sign) => sign !== signs[0] && !isSameCurrency(moneySigns, sign, signs[0]!))
      : signs.find((sign) => CurrencySign.contradicts(sign, stated, moneySigns.codeOf))
  if (other !== undefined) {
    notes.report(CsvFinding.CSV_CURRENCY_CONFLICT, {
      path: ["currency"],
      detail: `${Row.quoted(stated ?? signs[0] ?? "")} and ${Row.quoted(other)}`,
      at: cells.place("currency") ?? Row.start(first)
    })
  }
  return stated ?? (other === undefined ? signs[0] : undefined)
}

const isSameCurrency = ({ codeOf }: NumberForm.MoneySigns, a: string, b: string): boolean =>
  codeOf(a) !== undefined && codeOf(a) === codeOf(b)

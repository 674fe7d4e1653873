/**
 * Until when a document's receipt may be dated. The device looks at the receipt date, which `restamp` and `at-submission` settle long after the
 * document's own: by then a tax may have ended on the device (RCPT025), or a credit note's original be too old (RCPT033). Pure.
 */
import * as CivilDate from "../document/CivilDate.ts"
import { originalOf } from "../document/FiscalDocument.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { Translated } from "../translate/Translated.ts"
import type { DeviceFacts } from "./DeviceFacts.ts"
import { appliedTax } from "./deviceRules.ts"

/** Whether its taxes must be valid on its own receipt date; a credit note with an original has its original's, whatever the day (DOC-15). */
export const hasOwnTaxes = ({
  kind,
  originalInvoiceId
}: Pick<WrittenDocument, "kind" | "originalInvoiceId">): boolean => kind === "invoice" || originalInvoiceId === null

/** The last such day that the device's taxes, or the original's age, allow; null where no end is known. */
export const of = (
  { document, taxDate, taxes }: Translated,
  device: Pick<DeviceFacts, "taxes"> | undefined
): CivilDate.CivilDate | null =>
  hasOwnTaxes({ kind: document.kind, originalInvoiceId: originalOf(document) })
    ? earliest(Array.from(taxes.values(), (tax) => appliedTax(device?.taxes ?? [], tax, taxDate)?.until ?? null))
    : CivilDate.yearAfter(taxDate)

/** The first of the days that are known. */
export const earliest = (days: ReadonlyArray<CivilDate.CivilDate | null>): CivilDate.CivilDate | null => {
  let first: CivilDate.CivilDate | null = null
  for (const day of days) if (day !== null && (first === null || day < first)) first = day
  return first
}

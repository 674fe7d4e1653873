/**
 * Last permitted receipt date of a document. The device checks the receipt date, which `restamp`
 * and `at-submission` set long after the document's own date. By then a tax may have ended on the
 * device (RCPT025), or a credit note's original may be too old (RCPT033). Pure.
 */
import * as CivilDate from "../document/CivilDate.ts"
import { originalOf } from "../document/FiscalDocument.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { Translated } from "../translate/Translated.ts"
import type { DeviceFacts, DeviceTax } from "./DeviceFacts.ts"
import { appliedTax } from "./deviceRules.ts"

/**
 * Returns true if the document's taxes must be valid on its own receipt date. A credit note with an
 * original uses the original's taxes, on any day (DOC-15).
 */
export const hasOwnTaxes = ({
  kind,
  originalInvoiceId
}: Pick<WrittenDocument, "kind" | "originalInvoiceId">): boolean => kind === "invoice" || originalInvoiceId === null

/**
 * Returns the last receipt date allowed by the device's taxes or by the original's age; null if no
 * end is known.
 */
export const of = (
  { document, taxDate, taxes }: Translated,
  device: Pick<DeviceFacts, "taxes"> | undefined
): CivilDate.CivilDate | null =>
  hasOwnTaxes({ kind: document.kind, originalInvoiceId: originalOf(document) })
    ? firstEnd(taxes, taxDate, device?.taxes ?? none)
    : CivilDate.yearAfter(taxDate)

const none: ReadonlyArray<DeviceTax> = []

const firstEnd = (taxes: Translated["taxes"], taxDate: CivilDate.CivilDate, ofDevice: ReadonlyArray<DeviceTax>) => {
  let first: CivilDate.CivilDate | null = null
  for (const tax of taxes.values()) first = sooner(first, appliedTax(ofDevice, tax, taxDate)?.until ?? null)
  return first
}

const sooner = (one: CivilDate.CivilDate | null, other: CivilDate.CivilDate | null): CivilDate.CivilDate | null =>
  one === null || (other !== null && other < one) ? other : one

/** Returns the earliest of the known days; null if all are unknown. */
export const earliest = (days: ReadonlyArray<CivilDate.CivilDate | null>): CivilDate.CivilDate | null => {
  let first: CivilDate.CivilDate | null = null
  for (const day of days) first = sooner(first, day)
  return first
}

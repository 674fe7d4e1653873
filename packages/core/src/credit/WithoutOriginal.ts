/**
 * Findings about a credit note that is refused because its original is unknown, as far as they do
 * not depend on the original's date. Pure.
 */
import * as Finding from "../finding/Finding.ts"
import { RCPT025, RCPT026, RCPT027, RCPT037, RCPT038 } from "../finding/ReceiptRule.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { relax } from "../mapping/Relaxation.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import type { Translated } from "../translate/Translated.ts"

const ofTaxDate: ReadonlySet<string> = new Set(
  [
    TranslateFinding.TAX_OUT_OF_PERIOD,
    TranslateFinding.TAX_PERCENT_DIFFERS,
    TranslateFinding.TAX_AMOUNT_DIFFERS,
    TranslateFinding.TAX_TOTAL_MISMATCH,
    TranslateFinding.TAX_RESTATED,
    RCPT025,
    RCPT026,
    RCPT027
  ].map(({ code }) => code)
)

/**
 * Findings that depend on the tax date if tax is added to the lines; without added tax, the total
 * is the same on every day.
 */
const ofTaxDateWhenExclusive: ReadonlySet<string> = new Set(
  [TranslateFinding.TOTAL_MISMATCH, RCPT037, RCPT038].map(({ code }) => code)
)

/** A credit note that was translated and checked as if its own date were that of its taxes. */
export interface CheckedNote {
  readonly source: SourceDocument
  readonly translated: Translated | undefined
  readonly findings: ReadonlyArray<Finding.Finding>
}

/**
 * Returns the note with `because` and all other findings that do not depend on the tax date.
 *
 * The note's taxes depend on its original (DOC-15), so findings about taxes are dropped and the
 * payload is incomplete. Exception: the mapping book relaxes the rule, and the note is sent with
 * its own date.
 */
export const refuse = (
  { findings, source, translated }: CheckedNote,
  because: Finding.Finding,
  book: Pick<MappingBook, "relaxed">
): CheckedNote => {
  const [ours = because] = relax([because], book)
  if (!Finding.refuses(ours)) return { source, translated, findings: [...findings, ours] }
  const isOfTaxDate = ({ code }: Finding.Finding) =>
    ofTaxDate.has(code) || (source.taxMode === "exclusive" && ofTaxDateWhenExclusive.has(code))
  return {
    source,
    translated: translated && { ...translated, completeness: "partial" },
    findings: [...findings.filter((finding) => !isOfTaxDate(finding)), ours]
  }
}

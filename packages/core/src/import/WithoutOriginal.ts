/** A credit note refused because its original is not known: what can be said of it without the original's date. */
import * as Finding from "../finding/Finding.ts"
import { RCPT025, RCPT026, RCPT027, RCPT037, RCPT038 } from "../preflight/ReceiptRule.ts"
import { relax } from "../preflight/Relaxation.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import { type BatchOptions, examine, type Examined } from "./BatchDocument.ts"

/** What depends on the day taxes are looked up on. */
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

/** Where no tax is added to the lines, the total is theirs on every day. */
const ofTaxDateWhenExclusive: ReadonlySet<string> = new Set(
  [TranslateFinding.TOTAL_MISMATCH, RCPT037, RCPT038].map(({ code }) => code)
)

/**
 * The note with `because` beside everything else that is wrong with it. Its taxes are its original's (DOC-15), so nothing is said of them and
 * no payload is complete, unless the mapping book relaxes the rule and it goes at its own date.
 */
export const examineWithoutOriginal = (
  note: SourceDocument,
  because: Finding.Finding,
  options: BatchOptions
): Examined => {
  const { findings, source, translated } = examine(note, options)
  const [ours = because] = relax([because], options.book)
  if (!Finding.refuses(ours)) return { source, translated, findings: [...findings, ours] }
  const isOfTaxDate = ({ code }: Finding.Finding) =>
    ofTaxDate.has(code) || (note.taxMode === "exclusive" && ofTaxDateWhenExclusive.has(code))
  return {
    source,
    translated: translated && { ...translated, completeness: "partial" },
    findings: [...findings.filter((finding) => !isOfTaxDate(finding)), ours]
  }
}

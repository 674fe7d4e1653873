/** Holds one document against the device's rules: pure, all findings at once. */
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { Translated } from "../translate/Translated.ts"
import { documentRules } from "./documentRules.ts"
import type { Tolerances } from "./Rule.ts"

/** Assumption DOC-7 unswitched: sums exact, a line's product within a cent. */
export const strict: Tolerances = { sums: Money.zero, lineProduct: Money.cent }

/** Findings of the document rules, in the rules' order; provenance comes from the source document. */
export const check = (
  source: Pick<SourceDocument, "where">,
  translated: Translated,
  tolerances: Tolerances = strict
): ReadonlyArray<Finding.Finding> => {
  const findings: Array<Finding.Finding> = []
  for (const { check, rule, scope } of documentRules) {
    if (scope === "totals" && translated.completeness === "partial") continue
    for (const violation of check(translated, tolerances)) {
      findings.push(Finding.make(rule, { ...violation, at: source.where(violation.path) }))
    }
  }
  return findings
}

/** Breaches of relaxed rules become warnings with the operator's reason. */
import type { Finding } from "../finding/Finding.ts"
import type { MappingBook } from "./MappingBook.ts"

/**
 * Returns the findings, with breaches of relaxed rules as warnings. Breaches stay visible: the
 * warning states the consequence and the reason.
 */
export const relax = (
  findings: ReadonlyArray<Finding>,
  book: Pick<MappingBook, "relaxed"> | undefined
): ReadonlyArray<Finding> => {
  if (book === undefined || book.relaxed.length === 0) return findings
  return findings.map((finding) => {
    const relaxation = book.relaxed.find(({ rule }) => rule === finding.code)
    if (relaxation === undefined || finding.severity === "warning") return finding
    return {
      ...finding,
      severity: "warning",
      message: `${finding.message}; relaxed in the mapping book: ${relaxation.because.trim()}`,
      consequence:
        "The document is sent. If the reason is not true, the fiscal day cannot be closed until an employee of the authority repairs it."
    }
  })
}

/** Rules the mapping book relaxes: their breach is shown with the written reason, and no longer refuses the document. */
import type { Finding } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"

/** The findings, those of relaxed rules as warnings. A breach is never left out: what a red rule would do is said with the reason. */
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

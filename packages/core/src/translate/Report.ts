/** Collects findings about one source document, each with the place its path has in the export. */
import * as Finding from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"

export interface Report {
  readonly findings: ReadonlyArray<Finding.Finding>
  /** How many of them refuse the document. */
  errors(): number
  /** Whether the adapter could not read something at, or below, the path. */
  isUnreadable(path: Finding.Path): boolean
  /** Adds a finding; where the adapter already has an error at this path, that one says it better and stands alone. */
  add(code: FindingCode, path: Finding.Path, particulars?: Omit<Finding.Particulars, "path" | "at">): void
}

export const make = (source: SourceDocument): Report => {
  const findings = [...source.findings]
  const unreadable = source.findings.filter(Finding.refuses).map(({ path }) => path.join("/"))
  return {
    findings,
    errors: () => findings.filter(Finding.refuses).length,
    isUnreadable: (path) => unreadable.some((key) => `${key}/`.startsWith(`${path.join("/")}/`)),
    add: (code, path, particulars) => {
      if (path.length > 0 && unreadable.includes(path.join("/"))) return
      findings.push(Finding.make(code, { ...particulars, path, at: source.where(path) }))
    }
  }
}

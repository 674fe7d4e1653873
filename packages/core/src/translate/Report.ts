/** Collects findings about one source document, each with the place its path has in the export. */
import * as Finding from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"

/** What a stated total can prove: that the lines come to what they should, or that their taxes do. */
export type Provable = "lines" | "taxes"

export interface Report {
  readonly findings: ReadonlyArray<Finding.Finding>
  /** How many of them refuse the document, whatever its totals prove. */
  errors(): number
  /** Whether the adapter could not read something at, or below, the path. */
  isUnreadable(path: Finding.Path): boolean
  /** Adds a finding; where the adapter already has an error at this path, that one says it better and stands alone. */
  add(code: FindingCode, path: Finding.Path, particulars?: Omit<Finding.Particulars, "path" | "at">): void
  /** Adds a statement of the source that is not what would be sent. It refuses the document, unless a stated total proves the translation. */
  doubt(
    what: Provable,
    code: FindingCode,
    path: Finding.Path,
    particulars?: Omit<Finding.Particulars, "path" | "at">
  ): void
  /** A stated total proves the translation: what contradicts it warns from now on. */
  prove(what: Provable): void
}

const proven = "The document's stated totals come out with what is sent, so it is sent."

const none: ReadonlyArray<string> = []

export const make = (source: SourceDocument): Report => {
  const findings = [...source.findings]
  // most documents have none
  const doubts: Record<Provable, Set<number> | undefined> = { lines: undefined, taxes: undefined }
  const unreadable =
    findings.length === 0 ? none : source.findings.filter(Finding.refuses).map(({ path }) => path.join("/"))
  const add: Report["add"] = (code, path, particulars) => {
    if (path.length > 0 && unreadable.includes(path.join("/"))) return
    findings.push(Finding.make(code, { ...particulars, path, at: source.where(path) }))
  }
  return {
    findings,
    errors: () =>
      findings.filter(
        (finding, i) => Finding.refuses(finding) && doubts.lines?.has(i) !== true && doubts.taxes?.has(i) !== true
      ).length,
    isUnreadable: (path) => unreadable.some((key) => `${key}/`.startsWith(`${path.join("/")}/`)),
    add,
    doubt: (what, code, path, particulars) => {
      const index = findings.length
      add(code, path, particulars)
      if (findings.length > index) (doubts[what] ??= new Set()).add(index)
    },
    prove: (what) => {
      for (const i of doubts[what] ?? []) findings[i] = { ...findings[i]!, severity: "warning", consequence: proven }
    }
  }
}
